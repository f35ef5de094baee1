"""`check_gradient`, `--numeric` and `--verify`: a gradient compared with numeric differentiation, as an outcome."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from gradcli.engine.asked import Asked
from gradcli.engine.comparison import DIFFERS
from gradcli.engine.gradcheck import RTOL, check

from .outcomes import Checked, Place

if TYPE_CHECKING:
    from .session import Session

#: how often the gradient of one place (in a loop) is checked in full
_TIMES = 3


def check_answer(
    session: Session, place: Place, asked: Asked, names: list[str], directions_only: bool = False
) -> Checked:
    """Check an answer, emit the outcome and return it."""
    seed = session.settings.seed or 0
    site = session.state.site
    found = check(asked, directions_only, seed)
    below = asked.first_order() if asked.second_order and found.verdict != DIFFERS else None
    if below is not None and (first := check(below, directions_only, seed)).verdict == DIFFERS:
        asked, found = below, first  # the derivative of a wrong gradient is right for it, and wrong all the same
    outcome = Checked(place, found, _target_text(place), names)
    if found.verdict == DIFFERS:
        from gradcli.engine.culprits import culprits
        from gradcli.engine.diagnosis import diagnose, sizes

        outcome.diagnoses = diagnose(found, sizes(asked))
        outcome.places = session.places
        for culprit in culprits(asked, RTOL, seed):
            outcome.culprits.append((session.places[culprit.site] or place, culprit))
    session.state.site = site
    session.emit(outcome)
    return outcome


def check_in_passing(session: Session, place: Place, asked: Asked, names: list[str]) -> None:
    """What `--numeric` and `--verify` do with each answer."""
    mode = session.settings.checks
    if mode == "numeric":
        times = session.checked[place.start, place.source] = session.checked.get((place.start, place.source), 0) + 1
        if times > _TIMES:
            return
    check_answer(session, place, asked, names, directions_only=mode == "verify")


def verdict_value(outcome: Checked) -> dict[str, Any]:
    """The dict that `check_gradient` gives."""
    worst: dict[str, Any] | None = None
    if outcome.check.worst is not None:
        source, item = outcome.check.worst
        worst = {
            "source": outcome.names[source.position],
            "index": None if item.index is None else list(item.index),
            "gradient": item.gradient,
            "numeric": _as_known(item.slope.value, item.slope.error),
            "error": float(f"{item.slope.error:.0e}"),
        }
    return {"verdict": outcome.verdict, "max_rel": outcome.max_rel, "worst": worst}


def _as_known(value: float, error: float) -> float:
    """A number without the digits that its error bar leaves open."""
    if not math.isfinite(value) or not math.isfinite(error) or error <= 0:
        return value
    return round(value, 1 - math.floor(math.log10(error)))


def _target_text(place: Place) -> str:
    return " ".join(place.text.split())
