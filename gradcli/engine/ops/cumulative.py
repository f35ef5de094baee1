"""Products and running combinations: reduce_prod, cumprod, cumulative_logsumexp. No derivative divides by a factor."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..primitive import Case
from ..registrars import composite, primitive
from ..rivals import differing
from ..tensor import Tensor
from .axes import axis_set, negative_axis
from .reduction import kept


def _others(x: Any) -> Any:
    """For each entry along the last axis the product of all the other entries, in 3 n multiplications.

    Pairs are multiplied, the others of the pairs found in the same way, and each then multiplied by its partner.
    """
    from .arrangement import reverse
    from .creation import ones
    from .joining import concat
    from .shape import expand_dims, reshape

    lead, n = tuple(x.shape[:-1]), x.shape[-1]
    if n <= 1:
        return ones((*lead, n), dtype=x.dtype)
    if n % 2:
        x = concat([x, ones((*lead, 1), dtype=x.dtype)], axis=-1)
    even = x.shape[-1]
    pairs = reshape(x, (*lead, even // 2, 2))
    rest = expand_dims(_others(pairs[..., 0] * pairs[..., 1]), -1) * reverse(pairs, axis=[-1])
    return reshape(rest, (*lead, even))[..., :n]


def _prod_rule(ct: Any, _y: Any, x: Any, axis: tuple[int, ...], keepdims: bool) -> Any:
    from .selection import as_tensor
    from .shape import reshape, transpose

    x = as_tensor(x)
    rest = [i for i in range(-len(x.shape), 0) if i not in axis]
    order = [*rest, *axis]
    moved = transpose(x, order)
    lead = tuple(moved.shape[: len(rest)])
    size = int(np.prod([x.shape[i] for i in axis], dtype=np.int64))
    others = reshape(_others(reshape(moved, (*lead, size))), moved.shape)
    back = [order.index(i) for i in range(-len(order), 0)]
    return kept(ct, x, axis, keepdims) * transpose(others, back)


def _axes(x: Any, axis: Any = None, keepdims: Any = False) -> dict[str, Any]:
    return {"axis": axis_set(axis, np.ndim(x), "reduce_prod"), "keepdims": bool(keepdims)}


@primitive(
    _prod_rule,
    tf="math.reduce_prod",
    numpy="prod",
    method="prod",
    accepts="number",
    prepare=_axes,
    cases=(Case((4,)), Case((2, 3), axis=0), Case((2, 3, 2), axis=[0, 2], keepdims=True), Case(())),
)
def reduce_prod(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The product along the axes, all of them by default.

    d/dx: the product of all other entries
    >>> reduce_prod([2.0, 3.0])
    6.0
    """
    product: Any = np.multiply.reduce
    return product(x, axis=axis, dtype=x.dtype, keepdims=keepdims)


def _running(x: Any, combine: Any, neutral: float, op: str, axis: Any, exclusive: Any, backwards: Any) -> Any:
    """Entries combined up to each along an axis, in log2(n) rounds of one operation on whole tensors."""
    from .arrangement import reverse, swapaxes
    from .creation import fill
    from .joining import concat

    i = negative_axis(axis, len(x.shape), op)
    y = swapaxes(reverse(x, axis=[i]) if backwards else x, i, -1)
    lead, n = tuple(y.shape[:-1]), y.shape[-1]
    if exclusive and n:
        y = concat([fill((*lead, 1), y.dtype.type(neutral)), y[..., :-1]], axis=-1)
    step = 1
    while step < n:  # after each round an entry combines twice as many
        y = concat([y[..., :step], combine(y[..., step:], y[..., :-step])], axis=-1)
        step *= 2
    y = swapaxes(y, i, -1)
    return reverse(y, axis=[i]) if backwards else y


def _running_back(ct: Any, y: Any, x: Any, axis: int) -> Any:
    from .scan import cumsum

    return cumsum(ct * y, axis=axis, reverse=True) / x


def _one_axis(x: Any, axis: Any = -1) -> dict[str, Any]:
    return {"axis": negative_axis(axis, np.ndim(x), "cumsum")}


@primitive(
    _running_back,
    accepts="real",
    prepare=_one_axis,
    cases=(Case((5,), axis=-1), Case((2, 3), axis=-2)),
    domain=(0.5, 1.5),
)
def running_product(x: Any, axis: int = -1) -> Any:
    """cumprod of numbers none of whose products is 0 or out of range: its rule divides by the factors.

    d/dx: the running sum from the end of upstream * y, over x
    >>> running_product([2.0, 3.0])
    [2.0, 6.0]
    """
    return np.cumprod(x, axis)


def _plain(x: Any, axis: int) -> bool:
    """Is every product an ordinary number? Then a factor can be divided out."""
    values = np.asarray(getattr(x, "value", x))
    if values.dtype.kind != "f" or not values.size or not values.ndim:
        return False
    with np.errstate(all="ignore"):
        size = np.abs(np.cumprod(values, axis))
    limits = np.finfo(values.dtype)
    return bool(size.min() > limits.tiny * 1e10 and size.max() < limits.max * 1e-10)


def _sums_back(ct: Any, y: Any, x: Any, axis: int) -> Any:
    from .exponential import exp
    from .scan import cumsum

    top = np.max(np.asarray(getattr(x, "value", x)), initial=-np.inf)
    return exp(x - top) * cumsum(ct * exp(top - y), axis=axis, reverse=True)


@primitive(_sums_back, accepts="real", prepare=_one_axis, cases=(Case((5,), axis=-1), Case((2, 3), axis=-2)))
def running_logsumexp(x: Any, axis: int = -1) -> Any:
    """cumulative_logsumexp of numbers so near to each other that exp(max - y) is in range.

    d/dx: exp(x) times the running sum from the end of upstream / exp(y)
    >>> running_logsumexp([0.0, 0.0])
    [0.0, 0.6931472]
    """
    return np.logaddexp.accumulate(x, axis)


_CASES = (
    Case((5,)),
    Case((2, 3), axis=1, exclusive=True),
    Case((2, 3), axis=-1, reverse=True),
    Case((3, 2), exclusive=True, reverse=True),
)


@composite(arity=1, tf="math.cumprod", numpy="cumprod", method="cumprod", accepts="number", cases=_CASES)
def cumprod(x: Any, axis: Any = 0, exclusive: Any = False, reverse: Any = False) -> Any:
    """The product of the entries up to each along an axis; without it if `exclusive`, from the end if `reverse`.

    d/dx: the upstream of each product that holds the entry, times its other factors, summed up
    >>> cumprod([2.0, 3.0, 4.0])
    [2.0, 6.0, 24.0]
    """
    if not exclusive and not reverse and len(x.shape) and _plain(x, i := negative_axis(axis, len(x.shape), "cumprod")):
        return running_product(x, axis=i)
    y = _running(x, lambda a, b: a * b, 1.0, "cumprod", axis, exclusive, reverse)
    if type(y) is not Tensor or np.all(x.value):
        return y
    return differing("cumprod", y, x, lambda ct, v: _divided(ct, v, axis, exclusive, reverse))


def _divided(ct: Any, x: Any, axis: Any, exclusive: Any, backwards: Any) -> Any:
    """TensorFlow's pullback of cumprod, which divides by each factor, and gives 0 where the factor is 0."""

    def sums(values: Any) -> Any:
        turned = np.flip(values, axis) if not backwards else values
        total = np.cumsum(turned, axis)
        total = total - turned if exclusive else total
        return np.flip(total, axis) if not backwards else total

    ordered = np.flip(x, axis) if backwards else x
    running = np.cumprod(ordered, axis)
    if exclusive:
        first = np.ones_like(np.take(running, [0], axis))
        running = np.concatenate([first, np.delete(running, -1, axis)], axis)
    y = np.flip(running, axis) if backwards else running
    return np.divide(sums(ct * y), x, out=np.zeros_like(x), where=x != 0)


@composite(arity=1, tf="math.cumulative_logsumexp", accepts="real", cases=(_CASES[0], _CASES[2]))
def cumulative_logsumexp(x: Any, axis: Any = 0, exclusive: Any = False, reverse: Any = False) -> Any:
    """log(sum(exp(x))) of the entries up to each along an axis, without overflow.

    d/dx: exp(x) times the upstream of each result that holds the entry over its exponential, summed up
    >>> cumulative_logsumexp([1000.0, -1000.0])
    [1000.0, 1000.0]
    """
    if not exclusive and not reverse and len(x.shape):
        values = np.asarray(getattr(x, "value", x))
        if values.size and values.dtype.itemsize == 8 and np.ptp(values) < 300:
            return running_logsumexp(x, axis=negative_axis(axis, len(x.shape), "cumulative_logsumexp"))
    from .logarithms import logaddexp

    return _running(x, logaddexp, -np.inf, "cumulative_logsumexp", axis, exclusive, reverse)
