"""MultiHeadAttention: each entry of a sequence takes from others what its query finds in their keys."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gradcli.engine import EngineError, Tensor, Variable
from gradcli.engine.ops.activation import softmax
from gradcli.engine.ops.einsum import einsum

from .dense import Dropout
from .layer import Layer, count, last_length

#: what is added to a score that the mask takes out, as Keras does
_FAR = {2: -3e4}


class MultiHeadAttention(Layer):
    """softmax(q k^T / sqrt(key_dim)) v for each head, of sequences [batch, length, features], put together again.

    q, k and v are made of `query`, `key` (the value, if none is given) and `value` by kernels [features, heads, dim];
    `attention_mask` [batch, queries, keys] is true where a query may look, `use_causal_mask` lets it look back only.

    >>> MultiHeadAttention(1, 2, seed=1)([[[1.0, 2.0]]], [[[1.0, 2.0]]]).shape
    [1, 1, 2]
    """

    output_kernel: Any
    output_bias: Any

    def __init__(
        self, num_heads: Any, key_dim: Any, value_dim: Any = None, dropout: Any = 0.0, use_bias: Any = True,
        output_shape: Any = None, kernel_initializer: Any = "glorot_uniform", bias_initializer: Any = "zeros",
        query_kernel: Any = None, query_bias: Any = None, key_kernel: Any = None, key_bias: Any = None,
        value_kernel: Any = None, value_bias: Any = None, output_kernel: Any = None, output_bias: Any = None,
        name: Any = None, trainable: Any = True, dtype: Any = None, seed: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(
            name, trainable, dtype, seed, query_kernel=query_kernel, query_bias=query_bias, key_kernel=key_kernel,
            key_bias=key_bias, value_kernel=value_kernel, value_bias=value_bias, output_kernel=output_kernel,
            output_bias=output_bias,
        )  # fmt: skip
        op = self.label
        self.num_heads, self.key_dim = count(num_heads, op, "num_heads"), count(key_dim, op, "key_dim")
        self.value_dim = self.key_dim if value_dim is None else count(value_dim, op, "value_dim")
        self.use_bias = bool(use_bias)
        self._out = None if output_shape is None else count(output_shape, op, "output_shape")
        self._dropout = Dropout(dropout, seed=seed)
        self._initializers = kernel_initializer, bias_initializer

    def _make(self, query: tuple[int, ...], key: tuple[int, ...], value: tuple[int, ...]) -> None:
        self._dtype = self.dtype
        heads = self.num_heads
        widths = {"query": self.key_dim, "key": self.key_dim, "value": self.value_dim}
        self._lengths = [last_length(shape, self.label) for shape in (query, key, value)]
        for (name, width), length in zip(widths.items(), self._lengths):
            self.weight(f"{name}_kernel", (length, heads, width), self._initializers[0])
            if self.use_bias:
                self.weight(f"{name}_bias", (heads, width), self._initializers[1])
        out = self._lengths[0] if self._out is None else self._out
        self.weight("output_kernel", (heads, self.value_dim, out), self._initializers[0])
        if self.use_bias:
            self.weight("output_bias", (out,), self._initializers[1])
        self.built = True

    def build(self, input_shape: Any, value_shape: Any = None, key_shape: Any = None) -> None:
        """Make the weights for a query, a value and a key of these shapes; the last two default to the one before."""
        if not self.built:
            value = input_shape if value_shape is None else value_shape
            self._make(tuple(input_shape), tuple(value if key_shape is None else key_shape), tuple(value))

    def __call__(  # type: ignore[override]  # Keras names its first three inputs
        self, query: Any, value: Any = None, key: Any = None, attention_mask: Any = None,
        return_attention_scores: Any = False, training: Any = None, use_causal_mask: Any = False,
    ) -> Any:  # fmt: skip
        query = self.input(query)
        value = query if value is None else self.input(value)
        key = value if key is None else self.input(key)
        parts = (query, key, value)
        for part in parts:
            self.ranked(part.value.shape, 3)
        if not self.built:
            self._make(*(part.value.shape for part in parts))
        for part, length in zip(parts, self._lengths):
            self.fits(part.value.shape, length)
        q, k, v = (self._project(part, name) for part, name in zip(parts, ("query", "key", "value")))
        scores = einsum("bthd,bshd->bhts", q * (1.0 / math.sqrt(self.key_dim)), k)
        mask = self._mask(attention_mask, bool(use_causal_mask), scores.value.shape)
        if mask is not None:
            far = _FAR.get(scores.value.dtype.itemsize, -1e9)
            scores = scores + Tensor((~mask * far).astype(scores.value.dtype))
        weights = softmax(scores)
        heads = einsum("bhts,bshd->bthd", self._dropout(weights, training), v)
        y = einsum("bthd,hdo->bto", heads, self.output_kernel)
        if self.use_bias:
            y = y + self.output_bias
        return (y, weights) if return_attention_scores else y

    def _project(self, x: Any, name: str) -> Any:
        y = einsum("btf,fhd->bthd", x, getattr(self, f"{name}_kernel"))
        return y + getattr(self, f"{name}_bias") if self.use_bias else y

    def _mask(self, given: Any, causal: bool, shape: tuple[int, ...]) -> Any:
        mask = None
        if given is not None:
            data = given.numpy() if isinstance(given, (Tensor, Variable)) else np.asarray(given)
            data = data.astype(bool)
            mask = data[:, None] if data.ndim == 3 else data
        if causal:
            past = np.tri(shape[-2], shape[-1], dtype=bool)
            mask = past if mask is None else mask & past
        if mask is not None:
            try:
                fits = np.broadcast_shapes(mask.shape, shape) == shape
            except ValueError:
                fits = False
            if not fits:
                raise EngineError(
                    "shape-mismatch", "operands", op=self.label, shapes=(mask.shape, shape)
                )  # fmt: skip
        return mask
