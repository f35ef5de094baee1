"""What is told of an answer beside its value: whence a NaN came, kinks, zeros, lost digits, where TensorFlow differs.

`settle` runs for each gradient, and does nothing if it is finite. The notes are made only if the answer is printed:
at once, or when a name is printed that holds it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gradcli.engine import Tensor
from gradcli.engine.asked import Asked
from gradcli.engine.finite import all_finite
from gradcli.engine.jacobian import direction
from gradcli.engine.pullback import release
from gradcli.engine.signs import signs_of
from gradcli.engine.structure import flatten

from .outcomes import Noted, Place

if TYPE_CHECKING:
    from .session import Session

#: answers that are not finite, of one query in a loop, whose origin is looked for
_TIMES = 3
#: what a note on a non-finite number tells of its origin
_FAULT = ("direction", "op", "index", "inputs", "made", "upstream", "slope", "silencer", "chosen", "value")
#: answers held by names of which something may have to be told later
_KEPT = 64


class Inquiry:
    """One query that was answered: the places and names that its notes speak of."""

    __slots__ = (
        "asked", "blamed", "blamed_site", "cone", "names", "number", "place", "results", "session", "sums", "told",
    )  # fmt: skip

    def __init__(self, session: Session, place: Place, asked: Asked, results: list[Any], names: list[str]) -> None:
        self.session = session
        self.place = place
        self.asked = asked
        self.results = results
        self.names = names
        self.told = False
        #: the how many-th answer of its session it is
        self.number = session.answered
        #: has an operation been named that made the answer infinite or not a number?
        self.blamed = False
        self.blamed_site = 0
        #: is it told already that the answer sits at a kink where the rule gives no number?
        self.cone = False
        #: is it the gradient of a sum of components?
        self.sums = asked.kind == "gradient" and asked.weights is None

    def settle(self) -> list[Any]:
        """The results; those that are not finite carry their mathematical value, and a note says whence they came."""
        bad = [type(r) is Tensor and r.dtype.kind == "f" and not np.isfinite(r.value).all() for r in self.results]
        if not any(bad):
            return self.results
        seen = self.session.unsettled[self.place.start, self.place.source] = (
            self.session.unsettled.get((self.place.start, self.place.source), 0) + 1
        )
        if seen > _TIMES:
            return self.results
        from gradcli.engine.mending import mend
        from gradcli.engine.replay import CannotReplay
        from gradcli.engine.settlement import math_of, with_math

        try:
            better, fault, cones = mend(self.asked)
        except CannotReplay as error:
            number = next(r.value[~np.isfinite(r.value)].reshape(-1)[0] for r, wrong in zip(self.results, bad) if wrong)
            facts = dict.fromkeys(_FAULT)
            facts |= {"direction": "unknown", "op": str(error), "made": number, "inputs": [], "index": ()}
            self._note(0, "non-finite", maths=[], query=self.place, chosen_at=None, spelling="", **facts)
            return self.results
        out = []
        for result, old, new, wrong in zip(self.results, self.asked.answers, better, bad):
            differs = wrong and old is not None and not np.array_equal(old, new, equal_nan=True)
            out.append(with_math(self.session.state, result, new) if differs else result)
        self.results = out
        if fault is not None:
            self.blamed = True
            maths = [m for m in (math_of(r) for r in out) if m is not None]
            facts = {name: getattr(fault, name) for name in _FAULT}
            chosen_at = self.session.places[fault.silencer_site] if fault.silencer_site else None
            at = self.session.places[fault.site] if fault.site else None
            facts["spelling"] = self._spelling(at, better, chosen_at)
            self.blamed_site = fault.site
            if cones:
                self.cone = True
                self._cone(fault, cones, maths)
                return self.results
            self._note(fault.site, "non-finite", maths=maths, query=self.place, chosen_at=chosen_at, **facts)
        return self.results

    def _cone(self, fault: Any, cones: list[Any], maths: list[Any]) -> None:
        """A kink at which the usual rule gives no number: the modulus, a norm or a standard deviation at 0."""
        source, _, left, right = cones[0]
        self._note(
            fault.site, "kink", op=fault.op, count=1, total=1, index=fault.index, convention="nan, as in TensorFlow",
            slopes=f"{left:.6g} and {right:.6g}", whole=None, smooth=False, maths=maths, name=self.names[source],
        )  # fmt: skip

    def tell(self) -> None:
        """Emit the notes that a printed answer should be read with, once."""
        if self.told:
            return
        self.told = True
        asked = self.asked
        if self.sums:
            size = sum(int(target.size) for target in asked.targets)
            if size > 1:
                self._note(0, "sum-of-components", count=size, targets=len(asked.targets))
        if any(np.iscomplexobj(source.value) for source in asked.sources):
            self._note(0, "complex-convention")
        if all(answer is None for answer in asked.answers):
            return
        before = self.session.first_derivatives.taken_inside(asked)
        if before is not None:
            self._note(0, "repeated-derivative", before=before)
        signs = signs_of(asked)
        passed = self._kinks() if signs.kinks else []
        if not asked.in_rows and any(map(_nothing, asked.answers)):
            self._zeros(passed)
        if signs.rivals:
            self._rival()
        if (signs.digits and not self.blamed) or self._unsettled():
            self._digits()

    def _spelling(self, at: Place | None, wanted: list[Any], choice: Place | None = None) -> str:
        """Another way to write what was at fault, tried out."""
        from .rehearsal import safe_spelling

        known = [w if w is None or not np.isnan(w).any() else None for w in wanted]
        if all(w is None for w in known):
            return ""
        return safe_spelling(self, at, choice, known, [target.value for target in self.asked.targets])

    def _note(self, site: int, code: str, **facts: Any) -> None:
        self.session.emit(Noted(self.session.places[site] if site else self.place, code, **facts))

    def _unsettled(self) -> bool:
        """Is there an infinity without a mathematical value? Then it may be an overflow."""
        from gradcli.engine.settlement import math_of

        return self.blamed and any(
            type(r) is Tensor and r.dtype.kind == "f" and np.isinf(r.value).any() and math_of(r) is None
            for r in self.results
        )

    def _digits(self) -> None:
        from gradcli.engine.precision import lost_in_answers

        lost = lost_in_answers(self.asked)
        if lost is not None:
            spelling = self._spelling(self.session.places[lost.site], lost.answers) if lost.answers else ""
            self._note(lost.site, "precision", lost=lost, query=self.place, spelling=spelling)

    def _kinks(self) -> list[str]:
        """Notes on kinks; the names of the operations that were told of."""
        from gradcli.engine.kinks import kinks_on_the_way, sides_of
        from gradcli.engine.settlement import give_math, math_of, with_math

        passed, heard = kinks_on_the_way(self.asked), True
        if not passed and any(map(_nothing, self.asked.answers)):
            # what is multiplied by 0 at a kink may still have a slope: abs(-x**2) a second time
            passed, heard = kinks_on_the_way(self.asked, silent=True), False
        if not passed:
            return []
        sides = sides_of(self.asked, any(kink.code == "domain-edge" for kink in passed))
        wrong = [
            s for s in sides if np.isfinite(s.taken) and not abs(s.right_value - s.taken) <= 1e-6 * (1 + abs(s.taken))
        ]
        if not heard and not wrong:
            return []
        entries = sum(int(np.size(answer)) for answer in self.asked.answers if answer is not None)
        if not wrong and len(sides) == entries and all(s.smooth and s.two_sided for s in sides):
            return [kink.op for kink in passed]  # `sum(sort(x))` at a tie, `maximum(x, x)`: no kink of the whole
        maths = []
        for i in sorted({s.source for s in wrong}):
            result, better = self.results[i], np.array(self.asked.answers[i], np.float64)
            for s in wrong:
                if s.source == i:
                    better[s.index] = s.right_value
            if not give_math(result, better):
                self.results[i] = with_math(self.session.state, result, better)
            maths.append(math_of(self.results[i]))
        whole = next((s for s in sides if not s.smooth), None) if len(sides) == 1 else None
        name = self.names[0] if whole is not None else ""
        for kink in passed:
            known = kink.site and kink.site == self.blamed_site
            if known and not maths and (kink.code != "domain-edge" or self.cone):
                continue  # told of already, with the number that is not finite
            facts = {name: getattr(kink, name) for name in ("op", "count", "total", "convention", "slopes", "index")}
            last = maths if kink is passed[-1] else []
            smooth = bool(wrong) and all(s.smooth for s in wrong)
            self._note(kink.site, kink.code, whole=whole, smooth=smooth, maths=last, name=name, **facts)
        return [kink.op for kink in passed]

    def _zeros(self, told: list[str]) -> None:
        from gradcli.engine.settlement import math_of
        from gradcli.engine.zeros import is_zero, lost_on_the_way

        for i, (name, answer) in enumerate(zip(self.names, self.asked.answers)):
            if answer is None or not is_zero(answer) or math_of(self.results[i]) is not None:
                continue
            lost = lost_on_the_way(self.asked, i)
            if lost and not any(item.op in told for item in lost):
                places = [self.session.places[item.site] for item in lost]
                self._note(lost[0].site, "zero", name=name, lost=lost, places=places, exact=not np.any(answer))

    def _rival(self) -> None:
        from gradcli.engine.rivals import tensorflow_answers

        theirs = tensorflow_answers(self.asked)
        if theirs is not None:
            self._note(theirs.ops[0][1], "tensorflow-differs", ops=[op for op, _ in theirs.ops], answers=theirs.answers)


def answer(
    session: Session, place: Place, kind: str, tape: Any, target: Any, sources: list[Any], results: list[Any],
    weights: Any, names: list[str], told: bool | None,
) -> list[Any]:  # fmt: skip
    """The results of a query as the program gets them, with what is to be told of them.

    `told`: True if they are printed, None if they may be printed later by a name, False if they will not be.
    Large values that a tape kept go where nobody can ask for them any more.
    """
    if session.inner:
        return results  # a step of a derivative of higher order: the whole is told of
    session.gradients_asked += 1
    if session.tracing is not None:
        asked = asked_of(session, kind, tape, target, sources, results, weights)
        session.tracing.enter(session, place, asked, names)
    if session.settings.checks:
        from .checking import check_in_passing

        check_in_passing(session, place, asked_of(session, kind, tape, target, sources, results, weights), names)
    if (
        told is False
        and not session.state.thorough
        and all(type(r) is not Tensor or all_finite(r.value) for r in results)
    ):
        if tape.swept and _at_rest(session, target):
            release(tape.mark, tape.swept)
        return results
    asked = asked_of(session, kind, tape, target, sources, results, weights)
    inquiry = Inquiry(session, place, asked, results, names)
    if session.state.recording is not None and kind == "gradient":
        session.first_derivatives.enter(inquiry.asked, place)
    if session.rehearsal is not None:
        session.rehearsal(inquiry)
        return inquiry.results
    if session.state.thorough:
        from .explaining import explain_answer

        explain_answer(inquiry)
        return inquiry.results
    inquiry.settle()
    if told:
        inquiry.tell()
    if told is not False:
        for result in inquiry.results:
            if type(result) is Tensor:
                session.inquiries[id(result.node)] = inquiry
        while len(session.inquiries) > _KEPT:
            del session.inquiries[next(iter(session.inquiries))]
    return inquiry.results


def _at_rest(session: Session, target: Any) -> bool:
    """Is nobody looking on, and is the target finite, so that no reason will be looked for?"""
    if session.tracing is not None or session.settings.checks or session.rehearsal is not None:
        return False
    if session.state.recording is not None or session.taken is not None:
        return False
    return all(type(item) is not Tensor or all_finite(item.value) for item in flatten(target))


def asked_of(
    session: Session, kind: str, tape: Any, target: Any, sources: list[Any], results: list[Any], weights: Any
) -> Asked:
    answers = [r.value if type(r) is Tensor else None for r in results]
    if kind in ("hvp", "jvp"):
        weights = direction(weights, sources[0], kind)
    return Asked(session.state, tape.mark, kind, target, flatten(target), sources, weights, answers)


def _nothing(answer: Any) -> bool:
    """Is a gradient close enough to zero that one asks why?"""
    return answer is not None and answer.dtype.kind == "f" and bool(np.abs(answer).max(initial=0) < 1e-3)


def tell_of(session: Session, place: Place, value: Any) -> None:
    """Notes on a value that is printed: of the query that gave it, or of how a number on the tape became infinite."""
    if type(value) is Tensor and value.node is not None:
        inquiry = session.inquiries.get(id(value.node))
        if inquiry is not None:
            inquiry.tell()
        elif value.dtype.kind == "f" and not np.isfinite(value.value).all():
            _tell_of_number(session, place, value)
    elif isinstance(value, dict):
        for item in value.values():
            tell_of(session, place, item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            tell_of(session, place, item)


def _tell_of_number(session: Session, place: Place, value: Tensor) -> None:
    from gradcli.engine.precision import lost_in_value
    from gradcli.engine.provenance import first_made_not_finite
    from gradcli.engine.replay import CannotReplay

    node: Any = value.node
    if node.rec is None:
        return
    mark = next(iter(node.rec.marks))
    lost = lost_in_value(mark, node, value.value)
    if lost is not None:
        at = session.places[lost.site] if lost.site else place
        session.emit(Noted(at, "precision", lost=lost, query=place, spelling=""))
        return
    try:
        fault = first_made_not_finite(mark, node)
    except CannotReplay:
        return
    if fault is not None:
        facts = {name: getattr(fault, name) for name in _FAULT}
        at = session.places[fault.site] if fault.site else place
        session.emit(Noted(at, "non-finite", maths=[], query=place, chosen_at=None, spelling="", **facts))
