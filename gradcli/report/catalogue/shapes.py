"""The words of errors about shapes and dtypes."""

from __future__ import annotations

from typing import Any

from .entries import entry
from .words import ACCEPTS, Words, names, plural, shape, tensor_of


@entry("shape-mismatch", "broadcast")
def _broadcast(f: dict[str, Any]) -> Words:
    a, b = f["shapes"]
    bad = next((i for i in range(1, min(len(a), len(b)) + 1) if a[-i] != b[-i] and 1 not in (a[-i], b[-i])), None)
    detail = f": axis -{bad} is {a[-bad]} on the left and {b[-bad]} on the right" if bad else ""
    return Words(
        f"{f['op']}: shapes {shape(a)} and {shape(b)} do not broadcast{detail}",
        "lengths of an axis must be equal, or one of them 1; reshape or transpose one operand",
        f"{shape(a)} with {shape(b)}",
    )


@entry("shape-mismatch", "matmul")
def _matmul(f: dict[str, Any]) -> Words:
    a, b = f["shapes"]
    inner = f["inner"]
    return Words(
        f"matmul: shapes {shape(a)} and {shape(b)} do not fit: the inner lengths are {inner[0]} and {inner[1]}",
        "the last axis of the left operand must be as long as the last but one of the right; transpose one: "
        "`matmul(a, b, transpose_b=true)`",
        f"{shape(a)} @ {shape(b)}",
    )


@entry("shape-mismatch", "matmul-rank")
def _matmul_rank(f: dict[str, Any]) -> Words:
    a, b = f["shapes"]
    return Words(f"matmul needs vectors or matrices, not shapes {shape(a)} and {shape(b)}", "for scalars write `a * b`")


@entry("shape-mismatch", "reshape")
def _reshape(f: dict[str, Any]) -> Words:
    a, b = f["shapes"]
    size = 1
    for n in a:
        size *= n
    return Words(f"reshape: {plural(size, 'entry')} of shape {shape(a)} cannot take the shape {shape(b)}")


@entry("shape-mismatch", "declared")
def _declared_shape(f: dict[str, Any]) -> Words:
    want, have = f["shapes"]
    return Words(f"declared with shape {shape(want)}, but the value has shape {shape(have)}")


@entry("shape-mismatch", "assign")
def _assign_shape(f: dict[str, Any]) -> Words:
    want, have = f["shapes"]
    return Words(
        f"variable {f['name']} has shape {shape(want)}, the value assigned has shape {shape(have)}",
        "a variable keeps its shape",
    )


@entry("shape-mismatch", "output-gradients")
def _upstream_shape(f: dict[str, Any]) -> Words:
    want, have = f["shapes"]
    return Words(
        f"output_gradients has shape {shape(have)}, the target has shape {shape(want)}",
        "it weighs each entry of the target: give it the target's shape",
    )


@entry("shape-mismatch", "tangent", "custom-gradient")
def _tangent_shape(f: dict[str, Any]) -> Words:
    want, have = f["shapes"]
    what = "the tangent" if f["op"] in ("jvp", "hvp") else "a gradient that the pullback returned"
    return Words(f"{f['op']}: {what} has shape {shape(have)}, its source has shape {shape(want)}")


@entry("shape-mismatch", "scalar-target")
def _scalar_target(f: dict[str, Any]) -> Words:
    return Words(
        f"{f['op']} takes a scalar target, this one has shape {shape(f['shapes'][0])}",
        "for each component write `jacobian(gradient(y, x), x)`; for their sum, `reduce_sum(y)`",
    )


@entry("shape-mismatch", "batch-jacobian")
def _batch_shape(f: dict[str, Any]) -> Words:
    a, b = f["shapes"]
    return Words(
        f"batch_jacobian: target {shape(a)} and source {shape(b)} need rank 2 or more and the same first axis",
        "for the whole Jacobian write `jacobian(y, x)`",
    )


@entry("shape-mismatch", "vmap")
def _vmap(f: dict[str, Any]) -> Words:
    listed = names((shape(s) for s in f["shapes"]), quote=False)
    return Words(f"vmap: the arguments {listed} have no first axis of one length")


@entry("shape-mismatch", "broadcast-to")
def _broadcast_to(f: dict[str, Any]) -> Words:
    a, b = f["shapes"]
    return Words(f"shape {shape(a)} does not broadcast to {shape(b)}")


@entry("shape-mismatch", "tile", "roll")
def _one_each(f: dict[str, Any]) -> Words:
    what = "repetition" if f["op"] == "tile" else "shift"
    return Words(
        f"{f['op']} takes one {what} for each axis: {shape(f['shapes'][0])} and {shape(f['shapes'][1])} do not fit"
    )


@entry("shape-mismatch", "rank")
def _rank(f: dict[str, Any]) -> Words:
    return Words(f"{f['op']} takes tensors of rank {f['rank']} or more, not shape {shape(f['shapes'][0])}")


@entry("shape-mismatch", "einsum")
def _einsum_shapes(f: dict[str, Any]) -> Words:
    listed = names((shape(s) for s in f["shapes"]), quote=False)
    return Words(
        f"einsum `{f['given']}`: the shapes {listed} do not fit it", "an index has one length wherever it stands"
    )


@entry("shape-mismatch", "split")
def _split(f: dict[str, Any]) -> Words:
    return Words(f"{f['op']}: an axis of length {f['length']} cannot be cut into {f['given']}")


@entry("shape-mismatch", "square")
def _square(f: dict[str, Any]) -> Words:
    return Words(f"{f['op']} takes square matrices, not shape {shape(f['shapes'][0])}")


@entry("shape-mismatch", "scalars")
def _concat_scalars(f: dict[str, Any]) -> Words:
    return Words("concat joins along an axis that its operands have; these are scalars", "write `stack([…])`")


@entry("shape-mismatch", "joined", "stacked", "operands")
def _joined(f: dict[str, Any]) -> Words:
    listed = names((shape(s) for s in f["shapes"]), quote=False)
    return Words(f"{f['op']}: the shapes {listed} do not fit")


@entry("dtype-mismatch", "operands")
def _mixed(f: dict[str, Any]) -> Words:
    a, b = f["dtypes"]
    wider = a if (a.startswith("float"), a[-2:]) >= (b.startswith("float"), b[-2:]) else b
    return Words(
        f"{f['op']}: the operands are {a} and {b}; dtypes are never mixed silently",
        f'write `cast(…, "{wider}")` around the one that is {b if wider == a else a}',
        f"{a} with {b}",
    )


@entry("dtype-mismatch", "literal")
def _literal(f: dict[str, Any]) -> Words:
    value, dtype = f["literal"], f["dtype"]
    if isinstance(value, str):
        return Words(f"{f['op']}: a string beside {tensor_of(dtype)}")
    if not isinstance(value, (int, float, complex)):
        return Words(f"{f['op']}: the list holds what does not fit {tensor_of(dtype)}", f"write its entries as {dtype}")
    what = "complex " if isinstance(value, complex) else "floating " if isinstance(value, float) else ""
    return Words(
        f"{f['op']}: the {what}literal {value} does not fit {tensor_of(dtype)}",
        'cast the tensor first: `cast(x, "float32")`' if "int" in dtype else f"write it as a {dtype}",
    )


@entry("dtype-mismatch", "unsupported")
def _unsupported(f: dict[str, Any]) -> Words:
    accepts = ACCEPTS.get(f["accepts"], "another dtype")
    fits = f["accepts"]
    hint = 'cast it first: `cast(x, "float32")`' if f["dtype"][:3] in ("int", "uin", "boo") and "f" in fits else ""
    if fits == "b":
        hint = "compare first: `x > 0`"
    return Words(f"{f['op']} takes {accepts}, not {f['dtype']}", hint, f"{f['dtype']}")


@entry("dtype-mismatch", "assign")
def _assign_dtype(f: dict[str, Any]) -> Words:
    want, have = f["dtypes"]
    return Words(f"variable {f['name']} is {want}, the value assigned is {have}", f'write `cast(value, "{want}")`')


@entry("dtype-mismatch", "output-gradients")
def _upstream_dtype(f: dict[str, Any]) -> Words:
    want, have = f["dtypes"]
    return Words(f"output_gradients is {have}, the target is {want}", f'write `cast(…, "{want}")`')


@entry("dtype-mismatch", "bitcast")
def _bitcast(f: dict[str, Any]) -> Words:
    a, b = f["dtypes"]
    return Words(f"bitcast: {a} and {b} have different sizes", "name a dtype of the same size")


@entry("dtype-mismatch", "tangent")
def _tangent_dtype(f: dict[str, Any]) -> Words:
    want, have = f["dtypes"]
    return Words(f"{f['op']}: the tangent is {have}, its source is {want}", f'write `cast(v, "{want}")`')


@entry("dtype-mismatch", "declared")
def _declared_dtype(f: dict[str, Any]) -> Words:
    want, have = f["dtypes"]
    return Words(f"declared as {want}, but the value is {have}", f'write `cast(value, "{want}")`')


@entry("shape-mismatch", "channels")
def _channels(f: dict[str, Any]) -> Words:
    image, filters = f["shapes"]
    return Words(
        f"{f['op']}: images of shape {shape(image)} have {image[-1]} channels, filters of shape {shape(filters)} take "
        f"{filters[2]}",
        "images are [batch, height, width, channels], filters [kh, kw, channels, out]",
    )
