"""The words of notes: what to read a printed gradient with. One entry for each code."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gradcli.report.diagnostic import Diagnostic
from gradcli.report.numbers import real_text

from .words import plural

if TYPE_CHECKING:
    from collections.abc import Callable

    from gradcli.runtime.outcomes import Noted

    Entry = Callable[[Noted, dict[str, Any]], Diagnostic]

NOTES: dict[str, Entry] = {}


def note(*codes: str) -> Callable[[Entry], Entry]:
    """Enter the words of a note."""

    def enter(words: Entry) -> Entry:
        for code in codes:
            NOTES[code] = words
        return words

    return enter


def note_diagnostic(noted: Noted) -> Diagnostic:
    """The diagnostic of a note."""
    return NOTES[noted.code](noted, noted.facts)


def _note(noted: Noted, message: str, hint: str = "", details: tuple[str, ...] = (), **more: Any) -> Diagnostic:
    return Diagnostic("note", noted.code, message, noted.place, hint=hint, details=details, **more)


def _at(index: Any) -> str:
    return f" at [{', '.join(map(str, index))}]" if index else ""


def _number(value: Any) -> str:
    return real_text(value, 6)


def _operands(values: Any) -> str:
    shown = [_number(x) for x in values if getattr(x, "dtype", None) is not None and x.dtype.kind == "f"]
    return ", ".join(shown)


def _math(values: Any) -> tuple[str, ...]:
    from gradcli.report.plain import array_text

    return tuple(f"math: {array_text(value.value, 8)}" for value in values)


@note("sum-of-components")
def _sum(noted: Noted, f: dict[str, Any]) -> Diagnostic:
    of = "targets" if f["targets"] > 1 else "target"
    message = f"this is the gradient of the sum of the {f['count']} components of the {of}"
    single = f["targets"] == 1
    return _note(noted, message, "write `jacobian(…)` for the derivative of each component" if single else "")


@note("kink", "tie", "domain-edge")
def _kink(noted: Noted, f: dict[str, Any]) -> Diagnostic:
    where = f" (first{_at(f['index'])})" if f["index"] else ""
    count = f"in {f['count']} of {plural(f['total'], 'entry')}" if f["total"] > 1 else "here"
    kind = {"kink": "a kink", "tie": "a tie", "domain-edge": "the edge of its domain"}[noted.code]
    message = f"{f['op']} sits at {kind} {count}{where}: slope taken {f['convention']}; one-sided slopes {f['slopes']}"
    details: tuple[str, ...] = ()
    if f["whole"] is not None:
        left, right = _number(f["whole"].left), _number(f["whole"].right)
        details = (f"in {f['name']}: slope {left} from the left, {right} from the right",)
    if f["maths"]:
        why = (
            "the function is smooth here; its slope from both sides" if f["smooth"] else "between the one-sided slopes"
        )
        details = (*details, *(f"{text} ({why})" for text in _math(f["maths"])))
    return _note(noted, message, details=details)


@note("non-finite")
def _non_finite(noted: Noted, f: dict[str, Any]) -> Diagnostic:
    at, inputs, made = _at(f["index"]), _operands(f["inputs"]), _number(f["made"])
    hint = ""
    labels: tuple[Any, ...] = ()
    if f["direction"] == "unknown":
        message = f"{made}: where it arose is unknown, as {f['op']} is a function of its own and cannot be run again"
    elif f["direction"] in ("forward", "outside"):
        call = f"{f['op']}({inputs})" if inputs else f["op"]
        message = f"{made} first arises here: {call}{at}"
        if f["direction"] == "outside":
            message += ", in a value that is a constant to the tape"
    else:
        slope = f" {_number(f['slope'])}" if f["slope"] is not None else ""
        upstream = f" times the upstream {_number(f['upstream'])}" if f["upstream"] is not None else ""
        message = (
            f"{made} first arises on the way back through {f['op']}({inputs}){at}: its slope there{slope}{upstream}"
        )
        if f["chosen"]:
            how = "took the other branch for this entry" if f["silencer"] == "where" else "does not use this entry"
            message += f"; {f['silencer']} {how}"
            hint = "the entry is not used: give the operation a safe argument there, before it"
            if f["chosen_at"] is not None:
                labels = ((f["chosen_at"], f"{f['silencer']} {how}"),)
    if f["spelling"]:
        hint = f"write `{f['spelling']}`: tried, it keeps the value and has the right gradient"
    return _note(noted, message, hint, _math(f["maths"]), labels=labels)


_HOW = {
    "saturated": "{op} is flat at {x}",
    "chosen": "{op} took another entry",
    "step": "{op} is a step, and steps have the slope 0",
    "undefined": "{op} of the negative base {x} is no real function of its exponent; slope taken 0",
    "factor": "{op} multiplies by 0",
    "flat": "{op} has the slope 0 at {x}",
    "constant-sum": "the results of {op} add up to 1 whatever goes in",
    "cancelled": "contributions to {op} cancel",
}


#: operations that only rules call, by what they are to a user
_DERIVATIVES = {
    "sign": "sign (the slope of abs)",
    "relu_gradient": "the slope of relu",
    "tanh_slope": "the slope of tanh",
    "sigmoid_slope": "the slope of sigmoid",
}  # fmt: skip

_INDEPENDENT = {
    "independent": "what is differentiated does not depend on",
    "linear": "the function is linear, so that its derivative does not depend on",
}


@note("zero")
def _zero(noted: Noted, f: dict[str, Any]) -> Diagnostic:
    first = f["lost"][0]
    word = "0" if f["exact"] else "0 but for rounding"
    if first.how in ("linear", "independent"):
        return _note(noted, f"the gradient in {f['name']} is {word}: {_INDEPENDENT[first.how]} {f['name']}")
    message = f"the gradient in {f['name']} is {word}: {_lost(first)}"
    labels = tuple((place, _lost(item)) for item, place in list(zip(f["lost"], f["places"]))[1:4] if place is not None)
    return _note(noted, message, labels=labels)


def _lost(item: Any) -> str:
    x = _number(item.x) if item.x is not None else "this point"
    text = _HOW[item.how].format(op=_DERIVATIVES.get(item.op, item.op), x=x)
    if item.how == "cancelled" and item.parts:
        text = f"{_number(item.parts[0])} and {_number(item.parts[1])} cancel"
        text = f"contributions of {text}"
    return text


@note("tensorflow-differs")
def _differs(noted: Noted, f: dict[str, Any]) -> Diagnostic:
    from gradcli.report.plain import array_text

    theirs = ", ".join("None" if a is None else array_text(a, 8) for a in f["answers"])
    return _note(noted, f"this is the right value; TensorFlow gives {theirs} here, through {', '.join(f['ops'])}")


@note("precision")
def _precision(noted: Noted, f: dict[str, Any]) -> Diagnostic:
    lost = f["lost"]
    at, inputs = _at(lost.index), _operands(lost.inputs)
    dtype = str(lost.dtype)
    call = f"{lost.op}({inputs}){at}" if inputs else f"{lost.op}{at}"
    verb = {
        "overflow": f"overflows {dtype}",
        "underflow": f"underflows {dtype}",
        "cancellation": f"loses its digits in {dtype}",
    }
    message = f"{call} {verb[lost.how]}: {_number(lost.made)}, where the true value is {_true(lost.true)}"
    details: tuple[str, ...] = ()
    if lost.answers is not None:
        details = ("in a wider format: " + ", ".join(_texts(a) for a in lost.answers if a is not None),)
    wider = f"declare it as float64, or {_FORM[lost.how]}" if dtype in ("float16", "float32") else ""
    if f["spelling"]:
        wider = f"write `{f['spelling']}`: tried, it has the right gradient"
    return _note(noted, message, wider or _FORM[lost.how], details)


_FORM = {
    "overflow": "write it in a form that stays in range (scaled, or by its logarithm)",
    "underflow": "write it in a form that stays in range (scaled, or by its logarithm)",
    "cancellation": "write it in a form that does not subtract nearly equal numbers",
}


def _true(value: Any) -> str:
    import numpy as np

    return f"{value:.6g}" if abs(value) < 1e300 else np.format_float_scientific(value, precision=4)


def _texts(value: Any) -> str:
    import numpy as np

    flat = np.asarray(value).reshape(-1)
    text = ", ".join(_true(x) for x in flat[:6]) + (", …" if flat.size > 6 else "")
    return f"[{text}]" if np.ndim(value) else text


@note("repeated-derivative")
def _repeated(noted: Noted, f: dict[str, Any]) -> Diagnostic:
    line, _ = f["before"].source.position(f["before"].start)
    return _note(
        noted, f"this is the same first derivative again: it was taken on line {line}, inside this tape",
        "for the second derivative ask for the gradient of that result", labels=((f["before"], "taken here"),),
    )  # fmt: skip


@note("complex-convention")
def _complex(noted: Noted, f: dict[str, Any]) -> Diagnostic:
    return _note(noted, "the gradient in a complex number is d/dRe + i d/dIm of the real target, as in TensorFlow")
