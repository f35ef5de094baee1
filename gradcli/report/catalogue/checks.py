"""The words of a gradient check: what differs from the numeric derivative, or from a reference, and how it does; or why
it cannot be told."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Any

from gradcli.report.diagnostic import Diagnostic
from gradcli.report.numbers import real_text

from .words import names, plural, shape

if TYPE_CHECKING:
    from gradcli.runtime.outcomes import Checked, Place

_DIGITS = 6


def check_diagnostic(outcome: Checked) -> Diagnostic | None:
    """The diagnostic of a gradient that differs, or of which it cannot be told; None for one that agrees."""
    if outcome.check.refused:
        return _refused(outcome)
    if outcome.verdict == "differs":
        return _differs(outcome)
    if outcome.verdict == "cannot tell":
        return _cannot_tell(outcome)
    return None


def agreement_text(outcome: Checked) -> str:
    """What is said on a terminal of a derivative that agrees."""
    widest = max((item.slope.error for s in outcome.check.sources for item in s.compared), default=0.0)
    return f"agrees with the numeric derivative, which is known to ± {real_text(widest, 1)}"


def entry_text(name: str, index: tuple[int, ...] | None) -> str:
    """`w[0, 2]`; the name alone for a scalar or a direction."""
    return name + (f"[{', '.join(map(str, index))}]" if index else "")


def _differs(outcome: Checked) -> Diagnostic:
    told = [_told(outcome, d) for d in outcome.diagnoses]
    message = "; ".join(words for words, _ in told) or f"the gradient differs from {_other(outcome)}"
    hints = [hint for _, hint in told if hint]
    source, worst = outcome.check.worst
    where = entry_text(outcome.names[source.position], worst.index)
    kind = "at" if worst.index is not None or source.numbers.size == 1 else "along a random direction in"
    details = [f"{kind} {where}: gradient {_number(worst.gradient)}, {_theirs(outcome, worst)}"]
    agreeing = [outcome.names[s.position] for s in outcome.check.sources if s.verdict == "agrees"]
    if agreeing:
        details.append(f"{names(agreeing)} {'agrees' if len(agreeing) == 1 else 'agree'}")
    labels = []
    for place, culprit in outcome.culprits:
        count = culprit.source.numbers.size
        at = f" argument {culprit.position + 1}" if culprit.position is not None else ""
        item = max((c for c in culprit.source.compared if c.verdict == "differs"), key=lambda c: c.relative)
        labels.append(
            (
                place,
                f"the pullback of this call is wrong for{at}: {_number(item.gradient)} where the slope is "
                f"{_with_bar(item.slope)}" + (f", at {list(item.index)}" if item.index and count > 1 else ""),
            )
        )
    return Diagnostic(
        "check", "gradient-differs", message, outcome.place, details=tuple(details), labels=tuple(labels),
        hint=hints[0] if hints else "",
    )  # fmt: skip


def _told(outcome: Checked, d: Any) -> tuple[str, str]:
    """What one diagnosis says, and what to look for."""
    sources = [outcome.names[i] for i in d.sources]
    who, other = names(sources), _other(outcome)
    of = f"the gradient of {who}" if len(sources) == 1 else f"the gradients of {who}"
    if d.kind == "ratio":
        each = "" if _is_scalar(outcome, d) else "every entry of "
        if len(sources) > 1:
            words, hint = _ratio(outcome, d, f"{each}{of} is")
            return words, f"they share the ratio: look upstream of all of them, near the target; {hint}".rstrip("; ")
        return _ratio(outcome, d, f"{each}{of} is")
    if d.kind == "not-finite":
        return (
            f"{of} is not finite in {plural(d.differing, 'entry')}, {other} is",
            "ask `gradcli explain` whence",
        )
    if d.kind == "reference-not-finite":
        return (
            f"{of} is finite in {plural(d.differing, 'entry')} where {other} is not",
            "look at how the other was made",
        )
    if d.kind == "missing":
        return f"{of} is zero, {other} is not", "a factor is zero, or a path is cut: look for what is left out"
    if d.kind == "transpose":
        return f"{of} is the transpose of {other}", "swap the two operands of a product, or transpose one"
    if d.kind == "one-entry":
        where = entry_text(sources[0], d.index)
        return f"{of} differs in one entry of {d.total}, {where}", "an index or a special case is wrong there"
    if d.kind == "moved":
        return f"{of} has the right numbers in the wrong places", "look at the order of axes, or at a flip"
    if d.kind == "one-line":
        place = ", ".join(str(d.index[d.axis]) if k == d.axis else ":" for k in range(len(d.index)))
        return f"{of} differs in {sources[0]}[{place}] only", "look at how this part is treated"
    if d.kind == "offset":
        return f"every entry of {of} is {_number(d.ratio)} more than {other}", "a term is missing or too much"
    if d.differing and d.total > 1:
        return f"{of} differs from {other} in {d.differing} of {plural(d.total, 'compared entry')}", ""
    return f"{of} differs from {other}", ""


def _other(outcome: Checked) -> str:
    return f"the one in {outcome.reference}" if outcome.reference else "the numeric one"


def _theirs(outcome: Checked, item: Any) -> str:
    if outcome.reference:
        allowed = f", allowed ± {real_text(float(item.slope.error), 1)}" if isfinite(item.slope.error) else ""
        return f"{outcome.reference} {_number(item.slope.value)}{allowed}"
    return f"numeric {_with_bar(item.slope)}"


def _refused(outcome: Checked) -> Diagnostic:
    name, file, facts, reason = outcome.names[0], outcome.reference, outcome.facts, outcome.check.reason
    hint = ""
    place: Place | None = outcome.place
    if reason == "nameless":
        message, place = (
            f"{file} holds one array without a name, and the program takes {len(facts['known'])} gradients",
            None,
        )
        hint = (
            f"write an .npz with names: {names(facts['known'])}"
            if facts["known"]
            else "write `gradient(target, source)`"
        )
    elif reason == "not-in-program":
        message, place = f"the program takes no gradient of {name}, which {file} has", None
        known = names(facts["known"])
        hint = f"its gradients are of {known}" if known else "write `gradient(target, sources)` in the program"
    elif reason == "not-in-reference":
        message = f"{file} has no gradient of {name}"
        hint = f"name the array `{name}` there, or leave {name} out of the sources"
    elif reason == "none":
        message = f"the gradient of {name} is none ({facts['code']}), {file} has numbers"
        hint = "`gradcli explain` tells why it is none"
    elif reason == "no-numbers":
        message = f"{name} in {file} is of {facts['dtype']}, not numbers"
    else:
        ours, theirs = facts["shapes"]
        message = f"the gradient of {name} has shape {shape(ours)}, the one in {file} {shape(theirs)}"
        hint = "transpose one of them" if ours == theirs[::-1] else ""
    return Diagnostic("check", "gradient-differs", message, place, hint=hint)


def _is_scalar(outcome: Checked, d: Any) -> bool:
    return all(s.numbers.size == 1 for s in outcome.check.sources if s.position in d.sources)


def _ratio(outcome: Checked, d: Any, who: str) -> tuple[str, str]:
    if abs(d.ratio + 1) < 1e-5:
        return f"{who} the negative of {_other(outcome)}", "a sign is wrong"
    words = f"{who} {_number(d.ratio)} times {_other(outcome)}"
    if d.counts:
        length, kind, what, axis = d.counts[0]
        if kind == "operation":
            place = outcome.places[what]
            line, _ = place.source.position(place.start)
            of = f"how many entries `{_short(place.text)}` in line {line} takes together"
        else:
            whose = outcome.names[what] if kind == "source" else "the target"
            of = f"the number of elements of {whose}" if axis is None else f"the length of axis {axis} of {whose}"
        if abs(d.ratio) > 1:
            return words, f"{length} is {of}: is the division of a mean missing?"
        return words, f"{length} is {of}: is it divided by once too often, or a sum taken for a mean?"
    if abs(d.ratio - 2) < 1e-5 or abs(d.ratio - 0.5) < 1e-5:
        return words, "a factor 2 is too much" if d.ratio > 1 else "a factor 2 is missing"
    meant = max(abs(d.ratio), 1 / abs(d.ratio))
    if meant > 2.5 and abs(meant - round(meant)) < 1e-5 * meant:
        missing = "the division of a mean over" if abs(d.ratio) > 1 else "a sum over"
        return words, f"is {missing} {round(meant)} entries missing?"
    return words, "a constant factor is wrong"


def _short(text: str) -> str:
    """A piece of a program in one line of at most 40 columns."""
    line = " ".join(text.split())
    return line if len(line) <= 40 else line[:39] + "…"


def _cannot_tell(outcome: Checked) -> Diagnostic:
    check = outcome.check
    if check.reason == "custom":
        words = "no verdict: a function with its own pullback ran before it was known that it would be checked"
        return Diagnostic("check", "cannot-tell", words, outcome.place, hint="call the function and the check together")
    if check.reason == "unconnected":
        words = f"nothing to compare: the gradient of {names(outcome.names)} is none"
        return Diagnostic(
            "check", "cannot-tell", words, outcome.place, hint="print `gradient(…)`, which tells why it is none"
        )
    if check.reason:
        words = "no verdict: the target is not finite here"
        return Diagnostic("check", "cannot-tell", words, outcome.place, hint="move the sources to where it is")
    source, item = check.worst
    name = outcome.names[source.position]
    where = entry_text(name, item.index)
    count = sum(1 for s in check.sources for c in s.compared if c.verdict == "cannot tell")
    tail = f", and {plural(count - 1, 'other entry')} like it" if count > 1 else ""
    took = f"; the gradient takes {_number(item.gradient)}"
    hint = ""
    if item.reason == "kink":
        at = "" if item.index is not None or source.numbers.size == 1 else "along a random direction "
        words = (
            f"no verdict on {where}{tail}: {at}a kink at or next to this point, with slope {_number(item.slope.left)} "
            f"on the left and {_number(item.slope.right)} on the right{took}"
        )
        hint = f"move {name} away from the kink to check the rest"
    elif item.reason == "jump":
        words = f"no verdict on {where}{tail}: the function jumps here{took}"
        hint = f"move {name} away from the jump to check the rest"
    elif item.reason == "domain-edge":
        side, known = ("left", item.slope.left) if item.slope.left is not None else ("right", item.slope.right)
        if known is None:
            words = f"no verdict on {where}{tail}: the function has no slope here that can be told{took}"
        else:
            edge = f"the function ends here; its slope on the {side} is {_number(known)}"
            words = f"no verdict on {where}{tail}: {edge}{took}"
        hint = f"move {name} into the domain"
    else:
        words = f"no verdict on {where}{tail}: rounding hides the slope, which is {_with_bar(item.slope)}{took}"
        hint = "write the function so that it does not cancel, or give it sources of another size"
    return Diagnostic("check", "cannot-tell", words, outcome.place, hint=hint)


def _number(value: Any) -> str:
    return real_text(float(value), _DIGITS)


def _with_bar(slope: Any) -> str:
    return f"{_number(slope.value)} ± {real_text(float(slope.error), 1)}"
