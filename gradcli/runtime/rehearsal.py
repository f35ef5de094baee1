"""A safe spelling for what made a NaN or lost its digits: tried on the program itself before it is proposed.

A candidate from the table of `lang.rewriting` is put into the text, and the text is run again, silently, up to the
query in question. It is proposed only if the target keeps its value and the gradient is the mathematical one.
"""

from __future__ import annotations

from contextlib import suppress
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from gradcli.engine import Tensor
from gradcli.lang.faults import FaultError
from gradcli.lang.rewriting import rewritings
from gradcli.lang.source import Source

if TYPE_CHECKING:
    from .inquiry import Inquiry
    from .outcomes import Place
    from .session import Session

#: a program that took longer than this up to the query is not run again
_SECONDS = 1.0
_CANDIDATES = 8


class _Enough(Exception):
    """The query in question was answered."""


def safe_spelling(
    inquiry: Inquiry, fault: Place | None, choice: Place | None, wanted: list[Any], first_value: Any
) -> str:
    """A spelling that keeps the target's value and gives the gradients `wanted`, as it would be written; or nothing."""
    session = inquiry.session
    if fault is None or session.rehearsal is not None or session.lines_before:
        return ""
    if perf_counter() - session.started > _SECONDS:
        return ""
    text = fault.source.text
    try:
        elsewhere = (choice.start, choice.end) if choice is not None and choice.source is fault.source else None
        candidates = rewritings(text, fault.start, fault.end, elsewhere)
    except FaultError:
        return ""
    tried: set[str] = set()
    for candidate in candidates:
        changed = candidate.applied(text)
        if changed in tried or len(tried) >= _CANDIDATES:
            continue
        tried.add(changed)
        if _gives(session, Source(fault.source.name, changed), inquiry.number, wanted, first_value):
            return " ".join(candidate.within.split())
    return ""


def _gives(session: Session, source: Source, number: int, wanted: list[Any], value: Any) -> bool:
    from .session import Session

    found: list[Any] = []

    def answered(inquiry: Inquiry) -> None:
        if inquiry.number == number:
            found.append(inquiry)
            raise _Enough

    trial = Session(lambda outcome: None, session.settings, session.folder)
    trial.rehearsal = answered
    with suppress(_Enough):
        trial.run(source)
    if not found:
        return False
    (inquiry,) = found
    return _agree(inquiry.results, wanted) and _same_value(inquiry.asked.targets, value)


def _agree(results: list[Any], wanted: list[Any]) -> bool:
    if len(results) != len(wanted):
        return False
    for result, want in zip(results, wanted):
        if want is None:
            continue
        if type(result) is not Tensor or np.shape(result.value) != np.shape(want):
            return False
        tolerance = 1e-5 if result.dtype.itemsize >= 4 else 1e-2
        if not np.isfinite(result.value).all() and np.isfinite(want).all():
            return False
        if not np.allclose(result.value, want, rtol=tolerance, atol=1e-12, equal_nan=True):
            return False
    return True


def _same_value(targets: list[Any], value: Any) -> bool:
    for target, before in zip(targets, value):
        known = np.isfinite(before)
        if np.shape(target.value) != np.shape(before):
            return False
        if not np.allclose(np.where(known, target.value, 0), np.where(known, before, 0), rtol=1e-4, atol=1e-12):
            return False
        if not np.isfinite(target.value).all():
            return False
    return True
