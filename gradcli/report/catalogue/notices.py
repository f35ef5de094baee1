"""The words of warnings and notes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gradcli.report.diagnostic import Diagnostic

from .words import plural

if TYPE_CHECKING:
    from gradcli.runtime.outcomes import Noted, Warned

#: TensorFlow's own texts, which people search for
TENSORFLOW = {
    "watched-dtype": "The dtype of the watched tensor must be floating (e.g. tf.float32), got tf.{}",
    "target-dtype": "The dtype of the target tensor must be floating (e.g. tf.float32) when calling "
    "GradientTape.gradient, got tf.{}",
    "source-dtype": "The dtype of the source tensor must be floating (e.g. tf.float32) when calling "
    "GradientTape.gradient, got tf.{}",
}
_ROLE = {"watched-dtype": "watched tensor", "target-dtype": "target", "source-dtype": "source"}


def warning_diagnostic(warned: Warned) -> Diagnostic:
    """The diagnostic of one of the three dtype warnings."""
    dtype, name = warned.facts["dtype"], " ".join(warned.facts["name"].split())
    hint = ""
    label = ""
    if warned.declared is not None:
        line, _ = warned.declared.source.position(warned.declared.start)
        text = " ".join(warned.declared.text.split())
        text = text if len(text) <= 60 else text[:57] + "…"
        label = f"declared here as {dtype}: {text} (line {line})"
        hint = _mended(text)
    return Diagnostic(
        "warning", warned.code, f"{_ROLE[warned.code]} {name} is {dtype}: only floating tensors carry gradients",
        warned.place, label=label, hint=hint,
    )  # fmt: skip


def _mended(declaration: str) -> str:
    """The declaration with a decimal point, where it is one of a whole number."""
    head, equals, value = declaration.partition("=")
    value = value.strip()
    if equals and value.lstrip("-").isdigit() and ":" not in head:
        return f"write `{head.strip()} = {value}.0`"
    return "cast it to a floating dtype, or declare it as one"


def note_diagnostic(noted: Noted) -> Diagnostic:
    """The diagnostic of a note."""
    f: dict[str, Any] = noted.facts
    if noted.code == "sum-of-components":
        of = "targets" if f["targets"] > 1 else "target"
        message = f"this is the gradient of the sum of the {f['count']} components of the {of}"
        return Diagnostic("note", noted.code, message, noted.place)
    if noted.code == "non-finite":
        return _non_finite(noted)
    where = f" (first at [{', '.join(map(str, f['index']))}])" if f["index"] else ""
    count = f"in {f['count']} of {plural(f['total'], 'entry')}" if f["total"] > 1 else "here"
    kind = {"kink": "a kink", "tie": "a tie", "domain-edge": "the edge of its domain"}[noted.code]
    return Diagnostic(
        "note", noted.code, f"{f['op']} sits at {kind} {count}{where}: slope taken {f['convention']}; "
        f"one-sided slopes {f['slopes']}", noted.place,
    )  # fmt: skip


def _non_finite(noted: Noted) -> Diagnostic:
    from gradcli.report.numbers import real_text
    from gradcli.report.plain import array_text

    f: dict[str, Any] = noted.facts
    at = f" at [{', '.join(map(str, f['index']))}]" if f["index"] else ""
    inputs = ", ".join(real_text(x, 6) for x in f["inputs"] if x is not None and getattr(x, "dtype", None) is not None)
    made = real_text(f["made"], 6)
    if f["direction"] == "forward":
        message = f"{made} first arises here: {f['op']}({inputs}){at}"
    else:
        upstream = f" times the upstream {real_text(f['upstream'], 6)}" if f["upstream"] is not None else ""
        message = f"{made} first arises on the way back through {f['op']}({inputs}){at}: its slope there{upstream}"
    details = tuple(f"math: {array_text(value.value, 8)}" for value in f["maths"])
    masked = f["direction"] == "backward" and f["upstream"] == 0
    hint = "the entry is not used (its upstream is 0): choose a safe argument before the operation" if masked else ""
    return Diagnostic("note", "non-finite", message, noted.place, hint=hint, details=details)
