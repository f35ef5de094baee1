"""Gradients of a program compared with gradients from elsewhere: `--against FILE`.

A name of the file is looked for among the sources of the program's gradient queries (the last query of a source
counts), then among the values that the program's names hold, such as `dw` or `grads.w`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gradcli.data import read_data
from gradcli.engine.central import Slope
from gradcli.engine.comparison import DIFFERS, Compared
from gradcli.engine.comparison import Source as ComparedSource
from gradcli.engine.dtypes import dtype_name
from gradcli.engine.gradcheck import Check

from .approx import TOLERANCE
from .outcomes import Checked, NoGradient, Place

if TYPE_CHECKING:
    from gradcli.lang.source import Source

    from .session import Session

#: entries that are told of when two large gradients differ
_SAMPLE = 1000


class Reference:
    """Gradients from elsewhere: `arrays` by name, or one under the name "" that a file without names holds.

    Tolerances are None where the narrower of two dtypes decides: the relative one is that of `~=`, the absolute one as
    much of the greatest entry of the reference.
    """

    __slots__ = ("arrays", "atol", "file", "rtol")

    def __init__(self, file: str, arrays: dict[str, Any], rtol: float | None = None, atol: float | None = None) -> None:
        self.file = file
        self.arrays = arrays
        self.rtol = rtol
        self.atol = atol


def read_arrays(path: str) -> dict[str, Any]:
    """The arrays in a file by their names. Raises OSError, and ValueError for one that is not understood."""
    return named_arrays(read_data(path, np.dtype(np.float64)))


def named_arrays(data: Any) -> dict[str, Any]:
    """What a file holds as arrays by dotted names; a lone array has the name ""."""
    if not isinstance(data, dict):
        return {"": np.asarray(getattr(data, "values", data))}
    found = {}
    for key, value in data.items():
        for name, array in named_arrays(value).items():
            found[f"{key}.{name}" if name else str(key)] = array
    return found


def compare(session: Session, source: Source, reference: Reference) -> None:
    """Emit a check for each query that the reference has gradients of, and one for each gradient without its match."""
    taken, values = session.taken or {}, session.named_values()
    arrays = dict(reference.arrays)
    if set(arrays) == {""} and len(taken) == 1:
        arrays = {next(iter(taken)): arrays[""]}
    whole = Place(source, 0, 0)
    if "" in arrays:
        session.emit(_refused(whole, "", "nameless", reference, known=sorted(taken)))
        return
    together: dict[Place, list[tuple[str, Any, Any]]] = {}
    missing = []
    for name, array in arrays.items():
        found, place = taken.get(name) or (values.get(name), whole)
        if found is None:
            missing.append(_refused(whole, name, "not-in-program", reference, known=sorted(taken)))
        elif (refusal := _unlike(place, name, found, array, reference)) is not None:
            missing.append(refusal)
        else:
            together.setdefault(place, []).append((name, found, array))
    for place, group in together.items():
        session.emit(_compared(place, group, reference))
    for outcome in missing:
        session.emit(outcome)
    named = {id(_raw(values[name])) for name in arrays if name in values}
    for name, (gradient, place) in taken.items():
        if name not in arrays and id(_raw(gradient)) not in named and not isinstance(gradient, NoGradient):
            session.emit(_refused(place, name, "not-in-reference", reference))


def _raw(gradient: Any) -> Any:
    return getattr(gradient, "value", gradient)


def _refused(place: Place, name: str, reason: str, reference: Reference, **facts: Any) -> Checked:
    check = Check()
    check.reason = reason
    outcome = Checked(place, check, name, [name])
    outcome.reference, outcome.facts = reference.file, facts
    return outcome


def _unlike(place: Place, name: str, gradient: Any, array: Any, reference: Reference) -> Checked | None:
    """Why a gradient cannot be compared with an array at all."""
    if isinstance(gradient, NoGradient):
        return _refused(place, name, "none", reference, code=gradient.reason.code)
    ours = np.asarray(_raw(gradient))
    if array.dtype.kind not in "biufc":
        return _refused(place, name, "no-numbers", reference, dtype=str(array.dtype))
    if ours.shape != array.shape:
        return _refused(place, name, "shape", reference, shapes=(ours.shape, array.shape))
    return None


def _compared(place: Place, group: list[tuple[str, Any, Any]], reference: Reference) -> Checked:
    check = Check()
    for position, (_, gradient, array) in enumerate(group):
        ours = np.asarray(_raw(gradient))
        check.sources.append(_entries(position, ours, array, *_tolerances(ours, array, reference)))
    outcome = Checked(place, check, group[0][0], [name for name, _, _ in group])
    outcome.reference = reference.file
    if check.verdict == DIFFERS:
        from gradcli.engine.diagnosis import diagnose

        outcome.diagnoses = diagnose(check, [("source", i, array.shape) for i, (_, _, array) in enumerate(group)])
    return outcome


def _tolerances(a: Any, b: Any, reference: Reference) -> tuple[float, float]:
    names = [dtype_name(x.dtype) for x in (a, b)]
    rtol = reference.rtol
    if rtol is None:
        rtol = max(TOLERANCE.get(name, TOLERANCE["float64"]) for name in names)
    if reference.atol is not None:
        return rtol, reference.atol
    finite = np.abs(b[np.isfinite(b)])
    return rtol, 0.0 if reference.rtol is not None else rtol * float(np.max(finite, initial=0.0))


def _entries(position: int, ours: Any, theirs: Any, rtol: float, atol: float) -> ComparedSource:
    kind: Any = np.complex128 if "c" in (ours.dtype.kind, theirs.dtype.kind) else np.float64
    a, b = ours.astype(kind), theirs.astype(kind)
    with np.errstate(all="ignore"):
        bar = np.asarray(atol + rtol * np.abs(b))
        same = (a == b) | (np.isnan(a) & np.isnan(b))
        close = same | (np.isfinite(b) & (np.abs(a - b) <= bar))  # an infinity is near to nothing but itself
        away = np.where(same, 0.0, np.abs(a - b) / np.maximum(np.abs(a), np.abs(b)))
        away = np.where(np.isnan(away), np.inf, away)
    source = ComparedSource(position, a)
    flat = np.arange(a.size)
    if a.size > _SAMPLE:
        wrong = np.flatnonzero(~close)
        worst = np.argsort(away, axis=None)[::-1][:16]
        some = np.linspace(0, a.size - 1, _SAMPLE // 4).astype(int)
        flat = np.unique(np.concatenate([wrong[: _SAMPLE // 2], worst, some]))
    for k in flat:
        index = tuple(int(n) for n in np.unravel_index(k, a.shape))
        x, y = a[index], b[index]
        if kind is np.complex128:
            x, y = (x.real, y.real) if abs(x.real - y.real) >= abs(x.imag - y.imag) else (x.imag, y.imag)
        item = Compared(index, float(x), Slope(float(y), float(bar[index])))
        if not close[index]:
            item.verdict = DIFFERS
        source.compared.append(item)
    return source
