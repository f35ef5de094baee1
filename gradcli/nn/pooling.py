"""Layers that take the largest or the mean of windows, or of whole sequences and images. Channels are the last axis."""

from __future__ import annotations

from typing import Any

from gradcli.engine.ops.reduction import reduce_max, reduce_mean
from gradcli.engine.ops.shape import expand_dims, squeeze
from gradcli.engine.ops.windows import avg_pool, max_pool

from .convolution import lengths, margin
from .layer import Layer


class _Pooling(Layer):
    _rank = 2
    _pool: Any = None

    def __init__(self, pool_size: Any = 2, strides: Any = None, padding: Any = "valid", name: Any = None) -> None:
        super().__init__(name)
        self.pool_size = lengths(pool_size, self._rank, self.label, "pool_size")
        self.strides = self.pool_size if strides is None else lengths(strides, self._rank, self.label, "strides")
        self.padding = margin(padding, self.label, ("valid", "same"))

    def call(self, x: Any, training: Any) -> Any:
        """One entry for each window and channel."""
        self.ranked(x.value.shape, self._rank + 2)
        pool = type(self)._pool
        if self._rank == 2:
            return pool(x, list(self.pool_size), list(self.strides), self.padding)
        y = pool(expand_dims(x, 1), [1, self.pool_size[0]], [1, self.strides[0]], self.padding)
        return squeeze(y, axis=1)


class MaxPooling2D(_Pooling):
    """The largest entry of each window of images [batch, height, width, channels].

    >>> MaxPooling2D([1, 2])([[[[1.0], [3.0]]]])
    [[[[3.0]]]]
    """

    _pool = staticmethod(max_pool)


class AveragePooling2D(_Pooling):
    """The mean of each window of images [batch, height, width, channels]; the margins of "same" do not count.

    >>> AveragePooling2D([1, 2])([[[[1.0], [3.0]]]])
    [[[[2.0]]]]
    """

    _pool = staticmethod(avg_pool)


class MaxPooling1D(_Pooling):
    """The largest entry of each window of sequences [batch, length, channels].

    >>> MaxPooling1D(2)([[[1.0], [3.0]]])
    [[[3.0]]]
    """

    _rank = 1
    _pool = staticmethod(max_pool)


class AveragePooling1D(_Pooling):
    """The mean of each window of sequences [batch, length, channels]; the margins of "same" do not count.

    >>> AveragePooling1D(2)([[[1.0], [3.0]]])
    [[[2.0]]]
    """

    _rank = 1
    _pool = staticmethod(avg_pool)


class _Global(Layer):
    _rank = 2
    _reduce: Any = None

    def __init__(self, keepdims: Any = False, name: Any = None) -> None:
        super().__init__(name)
        self.keepdims = bool(keepdims)

    def call(self, x: Any, training: Any) -> Any:
        """One entry for each channel."""
        self.ranked(x.value.shape, self._rank + 2)
        return type(self)._reduce(x, axis=list(range(1, self._rank + 1)), keepdims=self.keepdims)


class GlobalAveragePooling2D(_Global):
    """The mean of each channel of images [batch, height, width, channels].

    >>> GlobalAveragePooling2D()([[[[1.0], [3.0]]]])
    [[2.0]]
    """

    _reduce = staticmethod(reduce_mean)


class GlobalAveragePooling1D(_Global):
    """The mean of each channel of sequences [batch, length, channels].

    >>> GlobalAveragePooling1D()([[[1.0], [3.0]]])
    [[2.0]]
    """

    _rank = 1
    _reduce = staticmethod(reduce_mean)


class GlobalMaxPooling2D(_Global):
    """The largest entry of each channel of images [batch, height, width, channels].

    >>> GlobalMaxPooling2D()([[[[1.0], [3.0]]]])
    [[3.0]]
    """

    _reduce = staticmethod(reduce_max)


class GlobalMaxPooling1D(_Global):
    """The largest entry of each channel of sequences [batch, length, channels].

    >>> GlobalMaxPooling1D()([[[1.0], [3.0]]])
    [[3.0]]
    """

    _rank = 1
    _reduce = staticmethod(reduce_max)
