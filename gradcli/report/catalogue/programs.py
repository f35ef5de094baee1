"""The words of what only `gradcli check` finds: a value that moved, a process that ended, `--strict`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gradcli.report.diagnostic import Diagnostic

if TYPE_CHECKING:
    from gradcli.runtime.outcomes import Place

ACCEPT = "if this is right, accept it: gradcli check --record"


def _cut(text: str) -> str:
    return text if len(text) <= 200 else text[:199] + "…"


def moved_diagnostic(place: Place, label: str, old: str, new: str, difference: str) -> Diagnostic:
    """A printed value is another one than was recorded; `difference` says by how much, if that can be said."""
    details = (f"recorded  {_cut(old)}", f"now       {_cut(new)}")
    return Diagnostic(
        "assert", "failed", f"{_cut(label)} is not what was recorded", place,
        details=details + ((difference,) if difference else ()), hint=ACCEPT,
    )  # fmt: skip


def difference_text(largest: str, relative: str, where: str | None) -> str:
    """By how much two values differ most."""
    return f"largest difference {largest}, relative {relative}" + (f", at {where}" if where else "")


def gone_diagnostic(file: str, what: str, line: int) -> Diagnostic:
    """Something that was recorded does not come any more; `what` is a label or `note[kink] at …`."""
    return Diagnostic(
        "assert", "failed", f"{file}: {_cut(what)} was recorded (line {line}) and does not come any more", None,
        hint=ACCEPT,
    )  # fmt: skip


def new_diagnostic(place: Place, what: str) -> Diagnostic:
    """Something comes that was not recorded."""
    return Diagnostic("assert", "failed", f"{_cut(what)} comes and was not recorded", place, hint=ACCEPT)


def recorded_text(severity: str, code: str, label: str) -> str:
    """A note or warning by its code and the piece of text that it is about."""
    return f"{severity}[{code}] at {label}"


def strict_diagnostic(place: Place, what: str) -> Diagnostic:
    """Something that `--strict` does not let pass."""
    return Diagnostic("assert", "failed", f"--strict lets no none, no nan and no warning pass: {_cut(what)}", place)


_KINDS = {
    "json": "it is not JSON: {}", "text": "it is no text in UTF-8", "form": "it is no record of gradcli's: {}",
    "newer": "a newer version of gradcli wrote it ({})", "read": "it cannot be read: {}",
}  # fmt: skip


def record_diagnostic(path: str, kind: str, reason: str) -> Diagnostic:
    """A file of recorded values cannot be used."""
    hint = "update gradcli" if kind == "newer" else "write it anew with gradcli check --record, or remove it"
    return Diagnostic("error", "recorded-values", f"{path}: {_KINDS[kind].format(reason)}", None, hint=hint)


def unwritten_diagnostic(path: str, reason: str) -> Diagnostic:
    """A file of recorded values cannot be written."""
    return Diagnostic("error", "recorded-values", f"{path}: it cannot be written: {reason}", None)


def ended_diagnostic(file: str, signal: str | None, status: int) -> Diagnostic:
    """The process in which a program ran has ended before the program."""
    if signal is None:
        return Diagnostic("error", "process-ended", f"{file}: its process ended by itself with status {status}", None)
    hint = "often the memory was used up: set --max-memory, or fewer processes with -j" if signal == "SIGKILL" else ""
    return Diagnostic("error", "process-ended", f"{file}: its process was ended by {signal}", None, hint=hint)


def overdue_diagnostic(file: str, limit: float) -> Diagnostic:
    """A program that did not stop when its time was over, so that its process was ended."""
    return Diagnostic(
        "error", "limit-reached", f"{file}: not finished after {limit:g} s; its process was ended", None,
        hint="one operation takes that long: give it smaller tensors, or more time with --timeout",
    )  # fmt: skip


def memory_diagnostic(file: str) -> Diagnostic:
    """Memory ran out before the program ran or after."""
    return Diagnostic("error", "limit-reached", f"{file}: there is not enough memory", None)


def bug_diagnostic(file: str, error: BaseException) -> Diagnostic:
    """An exception that gradcli has no words for."""
    first = str(error).splitlines()[0] if str(error) else ""
    return Diagnostic(
        "error", "bug", f"{file}: a bug of ours: {type(error).__name__}: {first}", None,
        hint="please report it with the program and what --debug shows",
    )  # fmt: skip


def no_program_text(why: str) -> str:
    """Why a folder gives no program: `empty`, or the system's reason."""
    return "there is no program (*.tp) in this folder" if why == "empty" else why
