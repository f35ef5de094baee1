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
    "skipped-variable": "Gradients do not exist for variables ['{}'] when minimizing the loss.",
}
_ROLE = {"watched-dtype": "watched tensor", "target-dtype": "target", "source-dtype": "source"}


def warning_diagnostic(warned: Warned) -> Diagnostic:
    """The diagnostic of a warning: one of the three about dtypes, or a variable that an optimizer skipped."""
    dtype, name = warned.facts["dtype"], " ".join(warned.facts["name"].split())
    if warned.code == "skipped-variable":
        return Diagnostic(
            "warning", warned.code, f"the gradient of variable {name} is none: the optimizer leaves it as it is",
            warned.place, hint="print the gradient to see why it is none, or leave the variable out",
        )  # fmt: skip
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
