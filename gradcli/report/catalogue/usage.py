"""The words of errors about names, arguments, tapes, and what is no tensor."""

from __future__ import annotations

from typing import Any

from .entries import entry
from .words import Words, because_none, kind, names, plural


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


@entry("wrong-arguments", "custom-count")
def _custom_count(f: dict[str, Any]) -> Words:
    return Words(
        f"{f['op']}: the pullback returned {plural(f['given'], 'gradient')} for {plural(f['wanted'], 'argument')}",
        "it returns one gradient an argument, `none` for those without",
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


@entry("not-recording", "never-opened")
def _never_opened(f: dict[str, Any]) -> Words:
    return Words(f"{_tape_name(f)} has recorded nothing: its block was never entered")


@entry("not-recording", "no-tape")
def _no_tape(f: dict[str, Any]) -> Words:
    return Words("no tape has been opened yet", "compute the target inside `tape { … }`")


@entry("no-derivative", "operation")
def _no_derivative(f: dict[str, Any]) -> Words:
    return Words(f"{f['op']} has no derivative, and the gradient passes through it")


@entry("not-a-tensor", "target", "source")
def _no_tensor(f: dict[str, Any]) -> Words:
    given = kind(f.get("given", f.get("type", "something else")))
    hint = because_none(f)
    if not hint and given == "a number":
        hint = "no tensor was part of it, so it depends on nothing: declare a `variable` or `constant`"
    return Words(f"a gradient needs tensors or variables, not {given}", hint)


@entry("not-a-tensor", "operands")
def _operands(f: dict[str, Any]) -> Words:
    return Words(f"`{f['op']}` between {f['left']} and {f['right']}", because_none(f))


@entry("not-a-tensor", "operand")
def _operand(f: dict[str, Any]) -> Words:
    return Words(f"{f['op']} takes tensors and numbers, not {kind(f['type'])}", because_none(f))


@entry("not-a-tensor", "function-expected", "function-result")
def _function(f: dict[str, Any]) -> Words:
    return Words(f"a function of tensors is expected here, not {f['given']}", "write `def f(x) = …` or `lambda x: …`")


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
        f"a tape watches tensors and variables, not {kind(f.get('given', f.get('type')))}",
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


@entry("not-a-tensor", "list-expected", "output-gradients", "assign", "tangent", "custom-result", "custom-gradient")
def _other_kind(f: dict[str, Any]) -> Words:
    return Words(f"{f['op']} cannot take {kind(f['type'])}")
