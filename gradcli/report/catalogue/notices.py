"""The words of warnings and notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gradcli.report.diagnostic import Diagnostic

if TYPE_CHECKING:
    from gradcli.runtime.outcomes import Warned

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
