"""Products summed over named axes: einsum, two operands at a time in a good order, each product one call of BLAS."""

from __future__ import annotations

from string import ascii_letters
from typing import Any

import numpy as np

from ..errors import EngineError
from ..primitive import Case
from ..registrars import composite, primitive


def _letters(equation: str, op: str = "einsum") -> tuple[list[str], str]:
    """The axes of the operands and of the result; implicit results are completed. Raises `bad-value`."""
    text = "".join(equation.split())
    left, arrow, right = text.partition("->")
    groups = left.split(",")
    for group in (*groups, right):
        plain = group.replace("...", "", 1)
        if "." in plain or not all(c.isalpha() and c.isascii() for c in plain):
            raise EngineError("bad-value", "einsum", op=op, given=equation)
    if not arrow:
        counts = "".join(groups).replace(".", "")
        dots = "..." if "..." in left else ""
        right = dots + "".join(sorted(c for c in set(counts) if counts.count(c) == 1))
    labels = right.replace("...", "")
    if len(set(labels)) != len(labels) or not set(labels) <= set(left):
        raise EngineError("bad-value", "einsum", op=op, given=equation)
    return groups, right


def _unused(equation: str) -> list[str]:
    return [c for c in ascii_letters[::-1] if c not in equation]


def _spelled(equation: Any, shapes: list[tuple[int, ...]], strict: bool = True) -> tuple[list[str], str]:
    """The same without ellipses: the axes they stand for get letters that nobody uses.

    Lengths are checked; an axis of length 1 may be repeated if an ellipsis stood for it, or wherever not `strict`.
    """
    groups, right = _letters(str(equation))
    if len(groups) != len(shapes):
        raise EngineError(
            "bad-value", "einsum-count", op="einsum", given=str(equation), wanted=len(groups), have=len(shapes)
        )
    free = _unused(str(equation))
    most = 0
    spelled = []
    for group, shape in zip(groups, shapes):
        named = len(group.replace("...", ""))
        more = len(shape) - named
        if more < 0 or (more and "..." not in group):
            raise EngineError("shape-mismatch", "einsum", op="einsum", given=str(equation), shapes=tuple(shapes))
        most = max(most, more)
        spelled.append((group, more))
    if most > len(free):
        raise EngineError("bad-value", "einsum", op="einsum", given=str(equation))
    dots = "".join(free[:most])
    inputs = [group.replace("...", dots[most - more :]) for group, more in spelled]
    lengths: dict[str, int] = {}
    for group, shape in zip(inputs, shapes):
        for c, n in zip(group, shape):
            known = lengths.setdefault(c, n)
            if known != n and ((strict and c not in dots) or 1 not in (known, n)):
                raise EngineError("shape-mismatch", "einsum", op="einsum", given=str(equation), shapes=tuple(shapes))
            lengths[c] = n if known == 1 else known
    return inputs, right.replace("...", dots)


def _equation(operands: list[Any], equation: Any) -> dict[str, Any]:
    inputs, right = _spelled(equation, [np.shape(x) for x in operands], strict=False)
    return {"equation": ",".join(inputs) + "->" + right}


def _contraction_rule(ct: Any, _y: Any, xs: Any, equation: str) -> list[Any]:
    """For each operand the contraction of the upstream with all others; a batch of cotangents has a letter more."""
    left, _, right = equation.partition("->")
    inputs = left.split(",")
    lead = len(ct.shape) - len(right)
    batch = "".join(_unused(equation)[:lead])
    parts = []
    for i, group in enumerate(inputs):
        others = [(g, x) for k, (g, x) in enumerate(zip(inputs, xs)) if k != i]
        reach = set(right).union(*(g for g, _ in others)) if others else set(right)
        unique = "".join(dict.fromkeys(group))
        kept = "".join(c for c in unique if c in reach)
        names = [batch + right, *(g for g, _ in others)]
        part = contract([ct, *(x for _, x in others)], ",".join(names) + "->" + batch + kept)
        parts.append(_spread(part, batch, kept, group, tuple(xs[i].shape)))
    return parts


def _spread(part: Any, batch: str, kept: str, group: str, shape: tuple[int, ...]) -> Any:
    """The contribution over an operand's axes: repeated along those summed alone, on diagonals of those named twice."""
    from .shape import broadcast_to, reshape

    lead = tuple(part.shape[: len(batch)])
    lengths = dict(zip(group, shape))
    have = dict(zip(kept, part.shape[len(batch) :]))
    unique = "".join(dict.fromkeys(group))
    if kept != unique:
        part = reshape(part, (*lead, *(have.get(c, 1) for c in unique)))
        part = broadcast_to(part, (*lead, *(have.get(c, lengths[c]) for c in unique)))
    if unique == group:
        return part
    mask = np.ones((), np.bool_)
    for a, c in enumerate(group):
        first = group.index(c)
        if first != a:
            view = [1] * len(group)
            view[first] = view[a] = lengths[c]
            mask = mask & np.eye(lengths[c], dtype=np.bool_).reshape(view)
    wide, seen = [], set()
    for c in group:
        wide.append(1 if c in seen else have.get(c, lengths[c]))
        seen.add(c)
    return reshape(part, (*lead, *wide)) * mask.astype(part.dtype)


@primitive(
    _contraction_rule,
    arity=-1,
    accepts="number",
    prepare=_equation,
    cases=(
        Case([(2, 3), (3, 2)], equation="ij,jk->ik"),
        Case([(3, 3)], equation="ii->"),
        Case([(3, 3)], equation="ii->i"),
        Case([(2, 3)], equation="ij->j"),
        Case([(2,), (3,), (2, 3)], equation="i,j,ij->"),
        Case([(2, 2, 3), (1, 3, 2)], equation="...ij,...jk->...ki"),
    ),
)
def contract(values: Any, equation: Any) -> Any:
    """Products of entries summed over the axes that the result does not name; `einsum` of a list of operands.

    d/dvalues: the upstream contracted with the other operands
    >>> contract([[1.0, 2.0], [3.0, 4.0]], "i,i->")
    11.0
    """
    left, _, right = equation.partition("->")
    inputs = left.split(",")
    if len(inputs) == 2:
        product = _as_matrices(values[0], values[1], inputs[0], inputs[1], right)
        if product is not None:
            return product
    return np.array(np.einsum(equation, *values, optimize="greedy" if len(values) > 2 else False))


def _as_matrices(a: Any, b: Any, left: str, right: str, out: str) -> Any:
    """A contraction of two operands as one (batched) matrix product, which runs in BLAS; None if it is none."""
    if len(set(left)) != len(left) or len(set(right)) != len(right):
        return None
    size = dict(zip(left, a.shape))
    if any(size.get(c, n) != n for c, n in zip(right, b.shape)):
        return None
    shared = [c for c in left if c in right]
    batch, summed = [c for c in shared if c in out], [c for c in shared if c not in out]
    rows, columns = [c for c in left if c not in right], [c for c in right if c not in left]
    if not summed or any(c not in out for c in rows + columns):
        return None
    size.update(zip(right, b.shape))

    def lengths(letters: list[str]) -> list[int]:
        return [size[c] for c in letters]

    def count(letters: list[str]) -> int:
        return int(np.prod(lengths(letters), dtype=np.int64))

    x = np.transpose(a, [left.index(c) for c in batch + rows + summed])
    z = np.transpose(b, [right.index(c) for c in batch + summed + columns])
    product = x.reshape([*lengths(batch), count(rows), count(summed)]) @ z.reshape(
        [*lengths(batch), count(summed), count(columns)]
    )
    order = batch + rows + columns
    return np.transpose(product.reshape(lengths(order)), [order.index(c) for c in out])


@composite(
    arity=0,
    tf="linalg.einsum",
    numpy="einsum",
    accepts="number",
    cases=(
        Case("ij,jk->ki", (2, 3), (3, 2)),
        Case("bii->b", (2, 3, 3)),
        Case("ii->i", (3, 3)),
        Case("ij->", (2, 3)),
        Case("...ij,j->...i", (2, 2, 3), (3,)),
        Case("i,ij,j->", (2,), (2, 3), (3,)),
    ),
)
def einsum(equation: Any, a: Any, b: Any = None, c: Any = None, d: Any = None, e: Any = None) -> Any:
    """Products of entries summed over the axes that the result does not name, as Einstein wrote them: "ij,jk->ik".

    Up to five operands; `...` stands for any axes in front, a letter twice in one operand for its diagonal.

    d/da: the upstream contracted with the other operands
    >>> einsum("ij,j->i", [[1.0, 2.0], [3.0, 4.0]], [1.0, 1.0])
    [3.0, 7.0]
    """
    operands = [item for item in (a, b, c, d, e) if item is not None]
    groups, _ = _letters(str(getattr(equation, "value", equation)))
    if len(groups) != len(operands):
        raise EngineError(
            "bad-value", "einsum-count", op="einsum", given=str(equation), wanted=len(groups), have=len(operands)
        )
    if len(operands) > 2:
        return _by_pairs(operands, str(equation))
    shapes = [tuple(x.shape) if hasattr(x, "shape") else np.shape(x) for x in operands]
    inputs, right = _spelled(equation, shapes)
    return contract(operands, ",".join(inputs) + "->" + right)


def _by_pairs(operands: list[Any], equation: str) -> Any:
    """Two operands at a time, in the order that NumPy finds good; each product is an operation of its own."""
    from .selection import as_tensor

    typed = next((x.dtype for x in operands if hasattr(x, "dtype")), None)
    items = [x if hasattr(x, "dtype") else as_tensor(x if typed is None else np.asarray(x, typed)) for x in operands]
    items = [x.read() if hasattr(x, "read") else x for x in items]
    groups, right = _spelled(equation, [tuple(x.shape) for x in items])
    shapes = [np.broadcast_to(np.zeros((), np.int8), tuple(x.shape)) for x in items]
    path = np.einsum_path(",".join(groups) + "->" + right, *shapes, optimize="greedy")[0][1:]
    for pair in path:
        picked = sorted(pair, reverse=True)
        taken = [(groups.pop(i), items.pop(i)) for i in picked]
        rest = set(right).union(*groups) if groups else set(right)
        out = right if not groups else "".join(c for c in dict.fromkeys("".join(g for g, _ in taken)) if c in rest)
        items.append(contract([x for _, x in taken], ",".join(g for g, _ in taken) + "->" + out))
        groups.append(out)
    return items[0]
