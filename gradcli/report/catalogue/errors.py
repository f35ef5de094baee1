"""The words of errors. One entry for each (code, kind); an unknown kind falls back on the code's general entry."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gradcli.report.diagnostic import Diagnostic

from . import faults
from .words import ACCEPTS, Words, because_none, names, plural, shape

if TYPE_CHECKING:
    from collections.abc import Callable

    from gradcli.runtime.outcomes import Failed

ENTRIES: dict[tuple[str, str], Callable[[dict[str, Any]], Words]] = {}


def entry(code: str, *kinds: str) -> Callable[[Callable[[dict[str, Any]], Words]], Callable[[dict[str, Any]], Words]]:
    """Enter the words of an error of `code` that came about in one of the ways `kinds`."""

    def enter(words: Callable[[dict[str, Any]], Words]) -> Callable[[dict[str, Any]], Words]:
        for kind in kinds:
            ENTRIES[code, kind] = words
        return words

    return enter


def error_diagnostic(failed: Failed) -> Diagnostic:
    """The diagnostic of an error."""
    make = ENTRIES.get((failed.code, failed.kind)) or faults.FAULTS.get(failed.kind)
    facts = dict(failed.facts)
    words = make(facts) if make is not None else Words(f"{failed.kind.replace('-', ' ')}")
    labels = tuple((place, _role(role)) for place, role in failed.others)
    opened = facts.get("opened")
    if isinstance(opened, int) and opened >= 0 and failed.kind.startswith("unclosed"):
        from gradcli.runtime.outcomes import Place

        labels = (*labels, (Place(failed.place.source, opened, opened + 1), "opened here"))
    return Diagnostic(
        "error", failed.code, words.message, failed.place, label=words.label, hint=words.hint, labels=labels,
        details=words.details,
    )  # fmt: skip


def _role(role: str) -> str:
    return {"defined": "the function is defined here", "used": "the tape's one gradient was taken here"}.get(
        role, f"declared or computed here: it {role}"
    )


# -- shapes ------------------------------------------------------------------------------------------------------------


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


@entry("shape-mismatch", "broadcast-to")
def _broadcast_to(f: dict[str, Any]) -> Words:
    a, b = f["shapes"]
    return Words(f"shape {shape(a)} does not broadcast to {shape(b)}")


@entry("shape-mismatch", "scalars")
def _concat_scalars(f: dict[str, Any]) -> Words:
    return Words("concat joins along an axis that its operands have; these are scalars", "write `stack([…])`")


@entry("shape-mismatch", "joined", "stacked", "operands")
def _joined(f: dict[str, Any]) -> Words:
    listed = names((shape(s) for s in f["shapes"]), quote=False)
    return Words(f"{f['op']}: the shapes {listed} do not fit")


# -- dtypes ------------------------------------------------------------------------------------------------------------


@entry("dtype-mismatch", "operands")
def _mixed(f: dict[str, Any]) -> Words:
    a, b = f["dtypes"]
    wider = a if (a.startswith("float"), a[-2:]) >= (b.startswith("float"), b[-2:]) else b
    return Words(
        f"{f['op']}: the operands are {a} and {b}; dtypes are never mixed silently",
        f'write `cast(x, "{wider}")` around the operand that is {b if wider == a else a}',
        f"{a} with {b}",
    )


@entry("dtype-mismatch", "literal")
def _literal(f: dict[str, Any]) -> Words:
    value, dtype = f["literal"], f["dtype"]
    if isinstance(value, str):
        return Words(f"{f['op']}: a string beside a {dtype} tensor")
    what = "complex" if isinstance(value, complex) else "floating" if isinstance(value, float) else "this"
    text = value if isinstance(value, (int, float, complex)) else "the list"
    return Words(
        f"{f['op']}: the {what} literal {text} does not fit a {dtype} tensor",
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


@entry("dtype-mismatch", "declared")
def _declared_dtype(f: dict[str, Any]) -> Words:
    want, have = f["dtypes"]
    return Words(f"declared as {want}, but the value is {have}", f'write `cast(value, "{want}")`')


# -- axes and indices --------------------------------------------------------------------------------------------------


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


@entry("index-out-of-range", "index")
def _index(f: dict[str, Any]) -> Words:
    return Words(f"the index does not fit a tensor of shape {shape(f['shape'])}", "", "", (str(f["reason"]),))


@entry("index-out-of-range", "gather")
def _gather(f: dict[str, Any]) -> Words:
    return Words(f"gather: index {f['given']} along axis {f['axis']} of length {f['length']}")


@entry("index-out-of-range", "position")
def _position(f: dict[str, Any]) -> Words:
    return Words(f"position {f['given']} in a sequence of length {f['known']}")


@entry("index-out-of-range", "key")
def _key(f: dict[str, Any]) -> Words:
    return Words(f"no entry {f['given']!r} here", f"there are {names(f['known'])}" if f["known"] else "it is empty")


@entry("index-out-of-range", "index-type", "not-an-integer")
def _index_type(f: dict[str, Any]) -> Words:
    return Words(f"an index must be a whole number, a slice, a mask or a list of whole numbers, not {f['given']}")


# -- values ------------------------------------------------------------------------------------------------------------


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


@entry("bad-value", "empty", "empty-list")
def _empty(f: dict[str, Any]) -> Words:
    return Words(f"{f['op']} of nothing")


@entry("bad-value", "too-large")
def _too_large(f: dict[str, Any]) -> Words:
    return Words(f"{f['op']}: {f['given']} is more than fits into memory")


@entry("bad-value", "count", "scalar-expected", "tolerance", "not-an-index")
def _odd_value(f: dict[str, Any]) -> Words:
    return Words(f"{f.get('op', 'this')}: a value of the wrong kind" + (f" ({f['given']})" if "given" in f else ""))


# -- names and arguments -----------------------------------------------------------------------------------------------


@entry("unknown-name", "no-value-yet")
def _no_value(f: dict[str, Any]) -> Words:
    return Words(f"{f['name']} has no value yet", "the line that gives it one has not run before this one")


@entry("unknown-name", "attribute")
def _attribute(f: dict[str, Any]) -> Words:
    from gradcli.lang.suggest import nearest

    near = nearest(str(f["name"]), f["known"])
    hint = f"did you mean {names(near, 'or')}?" if near else because_none(f)
    return Words(f"{f['of']} has no attribute {f['name']}", hint)


@entry("wrong-arguments", "too-many")
def _too_many(f: dict[str, Any]) -> Words:
    takes = f"takes {plural(len(f['names']), 'argument')}: {names(f['names'])}" if f["names"] else "takes no arguments"
    return Words(f"{f['op']} {takes}; {f['given']} were given")


@entry("wrong-arguments", "unknown")
def _unknown_argument(f: dict[str, Any]) -> Words:
    hint = f"it takes {names(f['names'])}" if f["names"] else "it takes no named arguments"
    return Words(f"{f['op']} has no argument {f['argument']}", hint)


@entry("wrong-arguments", "twice")
def _twice(f: dict[str, Any]) -> Words:
    return Words(f"{f['op']}: the argument {f['argument']} is given twice")


@entry("wrong-arguments", "missing")
def _missing(f: dict[str, Any]) -> Words:
    return Words(f"{f['op']}: the argument {f['argument']} is missing", f"it takes {names(f['names'])}")


@entry("wrong-arguments", "output-gradients")
def _upstream_count(f: dict[str, Any]) -> Words:
    return Words(
        f"output_gradients has {plural(f['given'], 'entry')} for {plural(f['wanted'], 'target')}",
        "give it the structure of the target",
    )


@entry("wrong-arguments", "odd")
def _odd(f: dict[str, Any]) -> Words:
    return Words(f"{f['op']}: an argument is of a kind that it cannot take", "", "", (str(f["reason"]),))


@entry("wrong-arguments", "call-by-name")
def _by_name(f: dict[str, Any]) -> Words:
    return Words(f"{f['op']} is called by its name, it cannot be passed on", "wrap it: `def g(y, x) = gradient(y, x)`")


@entry("wrong-arguments", "block-expected")
def _block(f: dict[str, Any]) -> Words:
    return Words(f"{f['op']} takes a block", "write `t.stop_recording { … }`")


@entry("unknown-option", "constant-trainable")
def _constant_trainable(f: dict[str, Any]) -> Words:
    return Words("a constant has no option trainable: it is never tracked on its own", "declare a `variable`")


@entry("cannot-assign", "augmented-variable")
def _augmented(f: dict[str, Any]) -> Words:
    op = str(f.get("op", "+"))
    call = {"+": f"{f['name']}.assign_add(…)", "-": f"{f['name']}.assign_sub(…)"}.get(op, f"{f['name']}.assign(…)")
    return Words(f"{f['name']} is a variable: `{op}=` would make a tensor of it", f"write `{call}`")


# -- tapes -------------------------------------------------------------------------------------------------------------


def _tape_name(f: dict[str, Any]) -> str:
    return f"tape {f['tape']}" if f.get("tape") else "the tape"


@entry("tape-used-up", "second-query")
def _used_up(f: dict[str, Any]) -> Words:
    name = f.get("tape")
    write = f"tape {name}(persistent=true)" if name else "tape(persistent=true)"
    return Words(
        f"{_tape_name(f)} has given its one gradient",
        f"write `{write} {{ … }}`, or ask for all gradients in one call: `gradient(y, [x1, x2])`",
    )


@entry("not-recording", "watch-outside")
def _watch_outside(f: dict[str, Any]) -> Words:
    return Words(
        f"watch {f['name']} stands outside every open tape",
        f"move it to the top of the block: `tape {{ watch {f['name']}; … }}`",
    )


@entry("not-recording", "watch", "reset", "stop_recording")
def _not_recording(f: dict[str, Any]) -> Words:
    why = "it has given its one gradient" if f.get("used") else "it is not open here"
    return Words(f"{_tape_name(f)} is not recording: {why}", "do this inside its block")


@entry("not-recording", "still-open")
def _still_open(f: dict[str, Any]) -> Words:
    return Words(f"{_tape_name(f)} is still recording")


@entry("not-recording", "no-tape")
def _no_tape(f: dict[str, Any]) -> Words:
    return Words("no tape has been opened yet", "compute the target inside `tape { … }`")


@entry("no-derivative", "operation")
def _no_derivative(f: dict[str, Any]) -> Words:
    return Words(f"{f['op']} has no derivative, and the gradient passes through it")


# -- what is no tensor -------------------------------------------------------------------------------------------------


@entry("not-a-tensor", "target", "source")
def _no_tensor(f: dict[str, Any]) -> Words:
    given = f.get("given", f.get("type", "something else"))
    hint = because_none(f)
    if not hint and given in ("a number", "int", "float"):
        hint = "no tensor was part of it, so it depends on nothing: declare a `variable` or `constant`"
    return Words(f"a gradient needs tensors or variables, not {given}", hint)


@entry("not-a-tensor", "operands")
def _operands(f: dict[str, Any]) -> Words:
    return Words(f"`{f['op']}` between {f['left']} and {f['right']}", because_none(f))


@entry("not-a-tensor", "operand")
def _operand(f: dict[str, Any]) -> Words:
    kind = {"NoGradient": "none", "NoneType": "none", "Function": "a function", "dict": "a dict"}.get(
        str(f["type"]), f["type"]
    )
    return Words(f"{f['op']} takes tensors and numbers, not {kind}", because_none(f))


@entry("not-a-tensor", "entries")
def _entries(f: dict[str, Any]) -> Words:
    return Words("the list has entries that are no numbers")


@entry("not-a-tensor", "declared")
def _declared(f: dict[str, Any]) -> Words:
    return Words(
        f"{f['name']} is declared with {f['given']}",
        because_none(f) or "a declaration takes a number, a list or a tensor",
    )


@entry("not-a-tensor", "watch", "watch-number")
def _watch(f: dict[str, Any]) -> Words:
    return Words(
        f"a tape watches tensors and variables, not {f.get('given', f.get('type'))}",
        "declare it: `constant x = …`",
    )


@entry("not-a-tensor", "not-callable")
def _not_callable(f: dict[str, Any]) -> Words:
    return Words(f"{f['given']} cannot be called", because_none(f))


@entry("not-a-tensor", "not-indexable", "not-iterable")
def _not_indexable(f: dict[str, Any]) -> Words:
    return Words(f"{f['given']} has no entries", because_none(f))


@entry("not-a-tensor", "scalar-has-no-entries", "scalar-has-no-length", "no-length")
def _scalar(f: dict[str, Any]) -> Words:
    return Words("a scalar has no entries" if "given" not in f else f"{f['given']} has no length")


@entry("not-a-tensor", "tape-expected")
def _tape_expected(f: dict[str, Any]) -> Words:
    return Words(f"{f['op']} is asked of {f['given']}, not of a tape")


@entry("not-a-tensor", "list-expected", "output-gradients", "assign")
def _kind(f: dict[str, Any]) -> Words:
    return Words(f"{f['op']} cannot take a value of type {f['type']}")


# -- the rest ----------------------------------------------------------------------------------------------------------


@entry("data-file", "missing")
def _missing_file(f: dict[str, Any]) -> Words:
    return Words(f"there is no file {f['path']}", "a path is relative to the program's own folder")


@entry("data-file", "unreadable")
def _unreadable(f: dict[str, Any]) -> Words:
    return Words(f"{f['path']} cannot be read: {f['reason']}")


@entry("data-file", "content")
def _content(f: dict[str, Any]) -> Words:
    return Words(f"{f['path']}: {f['reason']}")


@entry("data-file", "path")
def _path(f: dict[str, Any]) -> Words:
    return Words("load takes the path of a file as a string")


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
    return Words(f"{f['name']} is part of the language, but not of this version of gradcli")
