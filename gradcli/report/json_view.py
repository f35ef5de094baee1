"""The JSON document of `--format json`: everything that happened, versioned, always valid JSON."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

from gradcli.engine import Tensor, Variable
from gradcli.engine.dtypes import dtype_name
from gradcli.engine.settlement import math_of
from gradcli.runtime.outcomes import NoGradient

from .catalogue import diagnose, none_diagnostic
from .plain import other_text

if TYPE_CHECKING:
    from gradcli.runtime.outcomes import Outcome, Place

    from .diagnostic import Diagnostic

SCHEMA = "gradcli/1"


class Document:
    """Collects outcomes; `text` is the document."""

    def __init__(self, file: str | None = None) -> None:
        #: the file of what has no place
        self.file = file
        self.results: list[Any] = []
        self.warnings: list[Any] = []
        self.notes: list[Any] = []
        self.errors: list[Any] = []
        self.asserts: list[Any] = []
        #: the stories of `explain`; None for every other command
        self.explanations: list[Any] | None = None
        #: the traces of `trace`; None for every other command
        self.traces: list[Any] | None = None
        #: the programs of `check`; None for every other command
        self.programs: list[Any] | None = None

    def add(self, outcome: Outcome) -> None:
        """Enter one outcome."""
        kind = type(outcome).__name__
        if kind == "Shown":
            shown: Any = outcome
            label = shown.label if shown.label is not None else " ".join(shown.place.text.split())
            self.results.append({"label": label, **where(shown.place), "value": encode(shown.value)})
        elif kind in ("Asserted", "Checked"):
            self.asserts.append(_asserted(outcome))
        else:
            diagnostic = diagnose(outcome)
            if diagnostic is not None:
                self.add_diagnostic(diagnostic)

    def add_diagnostic(self, diagnostic: Diagnostic) -> None:
        """Enter a diagnostic where its severity belongs."""
        details = [detail for detail in diagnostic.details if not detail.startswith("math:")]
        entry = {
            "code": diagnostic.code,
            "message": "; ".join([diagnostic.message, *details]),
            **where(diagnostic.place),
            "hint": diagnostic.hint,
        }
        if diagnostic.place is None:
            entry["file"] = self.file
        {"warning": self.warnings, "note": self.notes}.get(diagnostic.severity, self.errors).append(entry)

    def entries(self) -> dict[str, list[Any]]:
        """The five lists that every document has."""
        return {
            "results": self.results, "warnings": self.warnings, "notes": self.notes, "errors": self.errors,
            "asserts": self.asserts,
        }  # fmt: skip

    def extend(self, entries: dict[str, list[Any]]) -> None:
        """Take over the entries of another document."""
        for key, mine in self.entries().items():
            mine.extend(entries[key])

    def text(self, status: int, ascii_only: bool = False) -> str:
        """The document, with the exit status that the process will end with."""
        return json.dumps(
            {
                "schema": SCHEMA, "status": status, **self.entries(),
                **({} if self.explanations is None else {"explanations": self.explanations}),
                **({} if self.traces is None else {"traces": self.traces}),
                **({} if self.programs is None else {"programs": self.programs}),
            },
            ensure_ascii=ascii_only, allow_nan=False,
        )  # fmt: skip


def where(place: Place | None) -> dict[str, Any]:
    """`file`, `line` and `column` of a place; null where there is none."""
    if place is None:
        return {"file": None, "line": None, "column": None}
    line, column = place.source.position(place.start)
    return {"file": place.source.name, "line": line, "column": column}


def encode(value: Any) -> Any:
    """A VALUE of the schema."""
    if isinstance(value, (Tensor, Variable)):
        data = value.value
        entry = {"kind": "tensor", "dtype": dtype_name(data.dtype), "shape": list(data.shape), "data": _entries(data)}
        math = math_of(value)
        return entry if math is None else entry | {"math": encode(math)}
    if isinstance(value, NoGradient):
        diagnostic = none_diagnostic(value)
        return {
            "kind": "none", "code": diagnostic.code, "message": diagnostic.message,
            "places": [where(place) for place in value.places], "hint": diagnostic.hint,
        }  # fmt: skip
    if value is None:
        return {"kind": "none", "code": None, "message": "none", "places": [], "hint": ""}
    if isinstance(value, bool):
        return {"kind": "bool", "data": value}
    if isinstance(value, int):
        return {"kind": "number", "data": value}
    if isinstance(value, float):
        return {"kind": "number", "data": real_entry(value)}
    if isinstance(value, complex):
        return {"kind": "number", "data": [real_entry(value.real), real_entry(value.imag)]}
    if isinstance(value, str):
        return {"kind": "string", "data": value}
    if isinstance(value, range):
        return encode(list(value))
    if isinstance(value, (list, tuple)):
        kind = "list" if isinstance(value, list) else "tuple"
        return {"kind": kind, "items": [encode(item) for item in value]}
    if isinstance(value, dict):
        return {"kind": "dict", "items": {str(key): encode(item) for key, item in value.items()}}
    return {"kind": "string", "data": other_text(value)}


def real_entry(value: float) -> Any:
    """A real number, or the string that stands for one that JSON lacks."""
    if math.isfinite(value):
        return value
    return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"


def _entries(data: Any) -> Any:
    if data.shape:
        return [_entries(item) for item in data]
    kind = data.dtype.kind
    if kind == "c":
        return [_entry(data.real), _entry(data.imag)]
    return _entry(data)


def _entry(value: Any) -> Any:
    kind = value.dtype.kind
    if kind == "f":
        # the shortest digits of the entry's own dtype: 0.1, also for float32
        number = float(value)
        return float(str(value)) if math.isfinite(number) and value.dtype.itemsize < 8 else real_entry(number)
    if kind == "b":
        return bool(value)
    return int(value) if kind in "iu" else str(value)


def _asserted(outcome: Any) -> dict[str, Any]:
    compared = outcome.compared is not None
    diagnostic = diagnose(outcome)
    message = diagnostic.message if diagnostic is not None else outcome.message or ""
    return {
        **where(outcome.place), "ok": outcome.ok, "label": " ".join(outcome.place.text.split()), "message": message,
        "left": encode(outcome.left) if compared else None, "right": encode(outcome.right) if compared else None,
        "max_abs": None if outcome.max_abs is None else real_entry(outcome.max_abs),
        "max_rel": None if outcome.max_rel is None else real_entry(outcome.max_rel),
        **({"verdict": outcome.verdict} if hasattr(outcome, "verdict") else {}),
    }  # fmt: skip
