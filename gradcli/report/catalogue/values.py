"""The words of errors about axes, indices, values and limits."""

from __future__ import annotations

from typing import Any

from gradcli.lang.suggest import nearest

from .entries import entry
from .words import Words, names, plural, shape


def _two_values(f: dict[str, Any]) -> str:
    pair = {"reduce_max": "maximum", "reduce_min": "minimum"}.get(str(f["op"]))
    return f"for the {'larger' if pair == 'maximum' else 'smaller'} of two values write `{pair}(a, b)`" if pair else ""


@entry("bad-axis", "out-of-range")
def _axis_range(f: dict[str, Any]) -> Words:
    rank = f["rank"]
    allowed = f"from {-rank} to {rank - 1}" if rank else "none at all"
    return Words(
        f"{f['op']}: there is no axis {f['axis']} in a tensor of rank {rank}; allowed is {allowed}",
        _two_values(f),
    )


@entry("bad-axis", "not-an-integer")
def _axis_integer(f: dict[str, Any]) -> Words:
    return Words(f"{f['op']}: the axis must be a whole number or a list of them", _two_values(f))


@entry("bad-axis", "duplicate")
def _axis_twice(f: dict[str, Any]) -> Words:
    return Words(f"{f['op']}: an axis comes twice in {f['axis']}")


@entry("bad-axis", "permutation")
def _permutation(f: dict[str, Any]) -> Words:
    return Words(f"transpose: {f['axis']} is no order of the {f['rank']} axes: each must come once")


@entry("bad-axis", "not-one")
def _not_one(f: dict[str, Any]) -> Words:
    return Words(f"squeeze: axis {f['axis']} has length {f['length']}, only axes of length 1 can go")


def _by(f: dict[str, Any]) -> str:
    """The operation that was called by its name; indexing has brackets instead."""
    return "" if f["op"] == "index" else f"{f['op']}: "


def _axes(count: int) -> str:
    return "1 axis" if count == 1 else f"{count or 'no'} axes"


#: operations that count positions below 0 from the end
_FROM_THE_END = ("index", "put_index", "take_along_axis")


@entry("index-out-of-range", "block")
def _block(f: dict[str, Any]) -> Words:
    return Words(f"slice: no tensor of shape {shape(f['shape'])} has a block at {f['begin']} of lengths {f['size']}")


@entry("index-out-of-range", "ellipses")
def _ellipses(f: dict[str, Any]) -> Words:
    return Words(f"{_by(f)}an index has room for one `...` only")


@entry("index-out-of-range", "axes")
def _too_many_axes(f: dict[str, Any]) -> Words:
    have = len(f["shape"])
    return Words(f"{_by(f)}an index for {_axes(f['given'])}, but shape {shape(f['shape'])} has {_axes(have)}")


@entry("index-out-of-range", "mask")
def _mask(f: dict[str, Any]) -> Words:
    mask, have = f["shapes"]
    return Words(f"{_by(f)}a mask of shape {shape(mask)} for axes of shape {shape(have)}", "they must be the same")


@entry("index-out-of-range", "arrays")
def _index_arrays(f: dict[str, Any]) -> Words:
    listed = names((shape(s) for s in f["shapes"]), quote=False)
    return Words(f"{_by(f)}the lists of positions do not fit one another: their shapes are {listed}")


@entry("index-out-of-range", "gather", "axis")
def _gather(f: dict[str, Any]) -> Words:
    n = f["length"]
    first = -n if f["op"] in _FROM_THE_END else 0
    allowed = f"possible is from {first} to {n - 1}" if n else "there is nothing along it"
    return Words(f"{_by(f)}index {f['given']} along axis {f['axis']} of length {n}", allowed)


@entry("index-out-of-range", "position")
def _position(f: dict[str, Any]) -> Words:
    return Words(f"position {f['given']} in a sequence of length {f['known']}")


@entry("index-out-of-range", "key")
def _key(f: dict[str, Any]) -> Words:
    return Words(f"no entry {f['given']!r} here", f"there are {names(f['known'])}" if f["known"] else "it is empty")


@entry("index-out-of-range", "column")
def _column(f: dict[str, Any]) -> Words:
    near = nearest(str(f["given"]), f["known"])
    listed = [repr(name) for name in near or f["known"]]
    hint = f"did you mean {names(listed, 'or', False)}?" if near else f"there are {names(listed, quote=False)}"
    return Words(f"this table has no column {f['given']!r}", hint)


@entry("index-out-of-range", "no-columns")
def _no_columns(f: dict[str, Any]) -> Words:
    given = f["given"] if isinstance(f["given"], str) else f["given"][0]
    return Words(
        f"a tensor has no entry {given!r}",
        "a table that load read from a .csv file with a header has names of columns; what is computed of it has none",
    )


@entry("index-out-of-range", "index-type", "not-an-integer")
def _index_type(f: dict[str, Any]) -> Words:
    return Words(f"an index must be a whole number, a slice, a mask or a list of whole numbers, not {f['given']}")


@entry("bad-value", "division-by-zero")
def _zero(f: dict[str, Any]) -> Words:
    return Words("division of a number by zero", "between tensors it gives inf or nan: write `constant(0.0)`")


@entry("bad-value", "integer-division-by-zero")
def _integer_zero(f: dict[str, Any]) -> Words:
    return Words(f"{f['op']}: division of integers by zero")


@entry("bad-value", "overflow", "literal-overflow")
def _overflow(f: dict[str, Any]) -> Words:
    return Words("the number is too large" + (f" for {f['dtype']}" if "dtype" in f else ""))


@entry("bad-value", "negative-integer-power")
def _integer_power(f: dict[str, Any]) -> Words:
    return Words("an integer to a negative power is no integer", 'cast the base: `cast(x, "float32")`')


@entry("bad-value", "ragged")
def _ragged(f: dict[str, Any]) -> Words:
    return Words("the rows of the list have different lengths: it is no tensor")


@entry("bad-value", "truth-of-many")
def _truth(f: dict[str, Any]) -> Words:
    return Words(
        f"a tensor of shape {shape(f['shape'])} is neither true nor false",
        "write `any(x)` or `all(x)`; combine masks with `&`, `|` and `~`",
    )


@entry("bad-value", "unconnected-gradients")
def _unconnected(f: dict[str, Any]) -> Words:
    return Words(f"unconnected_gradients is {f['given']!r}", 'write "none" or "zero"')


@entry("bad-value", "unknown-dtype", "default-dtype")
def _dtype(f: dict[str, Any]) -> Words:
    known = f.get("known") or ("float16", "float32", "float64")
    return Words(
        f"{f.get('name', f.get('given'))} is no dtype that fits here", f"there are {names(known, quote=False)}"
    )


@entry("bad-value", "unpack")
def _unpack(f: dict[str, Any]) -> Words:
    return Words(f"{plural(f['wanted'], 'name')} for {plural(f['given'], 'value')}")


@entry("bad-value", "whole-number")
def _whole(f: dict[str, Any]) -> Words:
    return Words(f"{f['op']} takes whole numbers, not {f['given']}")


@entry("bad-value", "zero-step")
def _step(f: dict[str, Any]) -> Words:
    return Words(f"{f['op']}: a step of 0 never ends")


@entry("bad-value", "shape")
def _shape(f: dict[str, Any]) -> Words:
    return Words(f"{f['op']}: {f['given']} is no shape", "a shape is a list of whole numbers such as `[2, 3]`")


@entry("bad-value", "dict-key")
def _dict_key(f: dict[str, Any]) -> Words:
    return Words(f"a key of a dict is a string or a number, not {f['given']}")


@entry("bad-value", "choice")
def _choice(f: dict[str, Any]) -> Words:
    return Words(f"{f['op']}: {f['given']} is not known here", f"there are {names(f['known'])}")


@entry("bad-value", "number")
def _number(f: dict[str, Any]) -> Words:
    return Words(f"{f['op']}: {f['argument']} must be a number, not {f['given']}")


@entry("bad-value", "most")
def _most(f: dict[str, Any]) -> Words:
    return Words(f"{f['op']}: {f['argument']} must be at most {f['most']}, not {f['given']:g}")


@entry("bad-value", "positive")
def _positive(f: dict[str, Any]) -> Words:
    return Words(f"{f['op']}: {f['argument']} must be above 0, not {f['given']:g}")


@entry("bad-value", "fraction")
def _fraction(f: dict[str, Any]) -> Words:
    return Words(f"{f['op']}: a fraction must lie between 0 and 1, not {f['given']:g}")


@entry("bad-value", "unsorted")
def _unsorted(f: dict[str, Any]) -> Words:
    return Words(
        f"{f['op']}: the segment numbers {f['given']} do not rise from 0",
        "sort them, or write the `unsorted_` form of the operation",
    )


@entry("singular-matrix", "singular")
def _singular(f: dict[str, Any]) -> Words:
    return Words(f"{f['op']}: the matrix is singular", "it has no inverse; `pinv` gives the pseudoinverse")


@entry("singular-matrix", "not-positive-definite")
def _indefinite(f: dict[str, Any]) -> Words:
    return Words(f"{f['op']}: the matrix is not positive definite", "it must be symmetric with positive eigenvalues")


@entry("singular-matrix", "no-square-root")
def _no_root(f: dict[str, Any]) -> Words:
    return Words(f"{f['op']}: the matrix has no square root that can be computed this way")


@entry("singular-matrix", "no-logarithm")
def _no_logarithm(f: dict[str, Any]) -> Words:
    return Words(
        f"{f['op']}: the matrix has no logarithm of its dtype",
        "an eigenvalue is 0, or negative in a real matrix: cast it to complex128 for the latter",
    )


@entry("bad-value", "einsum")
def _einsum(f: dict[str, Any]) -> Words:
    return Words(f"einsum: {f['given']!r} is no equation", "write letters for axes: `ij,jk->ik`")


@entry("bad-value", "einsum-count")
def _einsum_count(f: dict[str, Any]) -> Words:
    return Words(f"einsum `{f['given']}` is for {plural(f['wanted'], 'operand')}; {f['have']} were given")


@entry("bad-value", "empty", "empty-list")
def _empty(f: dict[str, Any]) -> Words:
    return Words(f"{f['op']} of nothing")


@entry("bad-value", "too-large")
def _too_large(f: dict[str, Any]) -> Words:
    return Words(f"{f['op']}: {f['given']} is more than fits into memory")


@entry("bad-value", "count")
def _count(f: dict[str, Any]) -> Words:
    allowed = f"from 0 to {f['most']}" if "most" in f else "a whole number, 0 or more"
    return Words(f"{f['op']}: {f['given']} is not a possible number of entries", f"possible is {allowed}")


@entry("bad-value", "scalar-expected", "tolerance", "not-an-index")
def _odd_value(f: dict[str, Any]) -> Words:
    return Words(f"{f.get('op', 'this')}: a value of the wrong kind" + (f" ({f['given']})" if "given" in f else ""))


@entry("limit-reached", "recursion")
def _recursion(f: dict[str, Any]) -> Words:
    return Words(f"more than {f['limit']} calls in one another", "the function calls itself without end, or too often")


@entry("limit-reached", "timeout")
def _timeout(f: dict[str, Any]) -> Words:
    return Words(f"not finished after {f['limit']:g} s", "give it more with --timeout, or look for an endless loop")


@entry("limit-reached", "memory")
def _memory(f: dict[str, Any]) -> Words:
    return Words("there is not enough memory for this value")


@entry("not-available", "later")
def _later(f: dict[str, Any]) -> Words:
    return Words(
        f"{f['name']} is part of Keras, but not of this version of gradcli", "`gradcli ops` lists what there is"
    )
