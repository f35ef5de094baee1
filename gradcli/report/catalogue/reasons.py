"""The words of reasons: why a gradient is None, where, and what to write instead. One entry for each code."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gradcli.report.diagnostic import Diagnostic

from .words import Words

if TYPE_CHECKING:
    from collections.abc import Callable

    from gradcli.runtime.outcomes import NoGradient

REASONS: dict[str, Callable[[str, dict[str, Any], Any], Words]] = {}


def reason(
    code: str,
) -> Callable[[Callable[[str, dict[str, Any], Any], Words]], Callable[[str, dict[str, Any], Any], Words]]:
    """Enter the words of one reason; they are made of the source's text, the facts, and the places."""

    def enter(words: Callable[[str, dict[str, Any], Any], Words]) -> Callable[[str, dict[str, Any], Any], Words]:
        REASONS[code] = words
        return words

    return enter


def none_diagnostic(value: NoGradient) -> Diagnostic:
    """The diagnostic of a gradient that is None."""
    words = REASONS[value.reason.code](value.name, value.reason.facts, value.places)
    first, *rest = value.places or (None,)
    return Diagnostic(
        "none", value.reason.code, words.message, first, label=words.label, hint=words.hint,
        labels=tuple((place, "see also") for place in rest if place is not None),
    )  # fmt: skip


def _declaration(places: Any) -> str:
    if not places:
        return ""
    text = " ".join(places[0].text.split())
    return text if len(text) <= 60 else text[:57] + "…"


@reason("not-watched")
def _not_watched(name: str, f: dict[str, Any], places: Any) -> Words:
    """The source is a constant or another tensor that the tape never watched. Watch it inside the tape, before it is
    used, or declare it as a variable."""
    what = "a constant" if _declaration(places).startswith("constant") else "a tensor"
    return Words(f"{what}, never watched", f"write `watch {name}` inside the tape to track it")


@reason("not-trainable")
def _not_trainable(name: str, f: dict[str, Any], places: Any) -> Words:
    """The source is a variable declared with trainable=false; tapes watch such a variable only when told to."""
    declared = _declaration(places)
    return Words(
        f"not trainable: {declared}" if declared else "not trainable",
        f"write `watch {name}` inside the tape to track it",
    )


@reason("access-not-watched")
def _access(name: str, f: dict[str, Any], places: Any) -> Words:
    """The tape was opened with watch_accessed_variables=false, so it tracks only what `watch` names."""
    return Words(
        "a variable, on a tape with watch_accessed_variables=false", f"write `watch {name}` inside the tape to track it"
    )


@reason("before-tape")
def _before(name: str, f: dict[str, Any], places: Any) -> Words:
    """The source was computed before the tape opened: to the tape it is a constant."""
    return Words("a tensor computed before the tape opened", f"write `watch {name}` inside the tape to track it")


@reason("rebound")
def _rebound(name: str, f: dict[str, Any], places: Any) -> Words:
    """The name was given to a computed tensor; it no longer names the variable that was declared."""
    return Words(
        f"{name} is no longer the variable: the name was rebound to a computed tensor",
        f"write `{name}.assign(…)` there to change the variable and keep it",
    )


@reason("watched-late")
def _late(name: str, f: dict[str, Any], places: Any) -> Words:
    """The source was watched only after the target had used it; a tape does not look back."""
    return Words("watched only after the target had used it", f"move `watch {name}` above this line")


@reason("tape-reset")
def _reset(name: str, f: dict[str, Any], places: Any) -> Words:
    """The tape was reset after the target was computed, and forgot it."""
    return Words("the tape was reset after the target was computed", "compute the target after the reset")


@reason("recording-stopped")
def _stopped(name: str, f: dict[str, Any], places: Any) -> Words:
    """The step between source and target ran inside stop_recording."""
    return Words("computed while recording was stopped", "move this line out of the stop_recording block")


@reason("after-tape")
def _after(name: str, f: dict[str, Any], places: Any) -> Words:
    """The target, or a step to it, was computed after the tape had closed."""
    return Words("computed after the tape had closed", "move this line into the tape's block")


@reason("unconnected")
def _unconnected(name: str, f: dict[str, Any], places: Any) -> Words:
    """The source is watched, but the target does not depend on it; a derivative that is linear in the source has a
    derivative that is identically zero."""
    if f.get("derivative"):
        return Words(
            f"this derivative does not depend on {name}: its own derivative is identically zero",
            'write unconnected_gradients="zero" to get 0',
        )
    if f.get("early"):
        return Words("the target was computed before the tape opened", "move that line into the tape's block")
    return Words(f"the target does not depend on {name}", 'write unconnected_gradients="zero" to get 0')


@reason("fresh-source")
def _fresh(name: str, f: dict[str, Any], places: Any) -> Words:
    """The source is an expression computed in the call itself: a new tensor, which nothing used."""
    return Words(
        f"`{name}` is computed in the call itself: a new tensor that nothing used",
        f"keep it in a name inside the tape (`s = {name}`), use it, and ask for that name",
    )


def _cut(f: dict[str, Any]) -> str:
    return "" if f.get("direct") else " on the way"


@reason("cut-outside")
def _outside(name: str, f: dict[str, Any], places: Any) -> Words:
    """The path leaves the tape through a `np.` function or `.numpy()`; the result is a plain constant."""
    return Words(
        f"the path from {name} leaves the tape here: NumPy's result is a plain constant",
        "use the operation without `np.`, or drop `.numpy()`",
    )


@reason("cut-stop-gradient")
def _stop(name: str, f: dict[str, Any], places: Any) -> Words:
    """The path is cut by stop_gradient."""
    return Words(
        f"the path from {name} is cut here by stop_gradient", "remove stop_gradient if the gradient should flow"
    )


@reason("cut-cast")
def _cast(name: str, f: dict[str, Any], places: Any) -> Words:
    """The path runs through a cast to integers or bools; nothing flows through those."""
    return Words(f"the path from {name} is cut here by a cast to integers or bools", "stay in a floating dtype")


@reason("cut-assign")
def _assign(name: str, f: dict[str, Any], places: Any) -> Words:
    """The value reaches the target only through an assignment to a variable; assignments are not differentiated."""
    return Words(
        f"{name} reaches the target only through this assignment, which is not differentiated",
        "compute with a new name instead: `w1 = w - …`",
    )


@reason("cut-no-derivative")
def _no_derivative(name: str, f: dict[str, Any], places: Any) -> Words:
    """The path runs through an operation that has no derivative: a step function, a comparison, an index."""
    op = f.get("op", "an operation")
    return Words(f"the path from {name} runs through {op}, which has no derivative", "")


@reason("dtype")
def _dtype(name: str, f: dict[str, Any], places: Any) -> Words:
    """Source or target is not of a floating (or complex) dtype; only those carry gradients."""
    role = "the target" if f.get("role") == "target" else name
    message = f"{role} is {f.get('dtype')}: only floating tensors carry gradients"
    if f.get("dtype") == "string":
        return Words(message, "ask for the gradient of a tensor of numbers")
    return Words(
        message,
        "declare it with a decimal point (`10.0`), or cast it to a floating dtype before it is used",
    )
