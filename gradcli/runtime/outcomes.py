"""What a program does that a user may want to see, as values. The report turns them into words.

A `Place` is a piece of a source; the runtime hands places to the engine as opaque numbers (sites) and back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gradcli.engine import Reason
    from gradcli.lang.source import Source


class Place:
    """`source.text[start:end]`."""

    __slots__ = ("end", "source", "start")

    def __init__(self, source: Source, start: int, end: int) -> None:
        self.source = source
        self.start = start
        self.end = end

    @property
    def text(self) -> str:
        """The piece of text."""
        return self.source.text[self.start : self.end]


class Outcome:
    """Something that happened at a place."""

    __slots__ = ("place",)

    def __init__(self, place: Place) -> None:
        self.place = place


class Shown(Outcome):
    """A value printed by a bare expression or `print`; `labels` are the texts of a gradient's sources, nested alike.

    `label` overrides the text of the expression; `query` is true for the direct result of a gradient call.
    """

    __slots__ = ("expected", "label", "labels", "query", "value")

    def __init__(
        self, place: Place, value: Any, labels: Any = None, query: bool = False, label: str | None = None
    ) -> None:
        super().__init__(place)
        self.value = value
        self.labels = labels
        self.query = query
        self.label = label
        #: the line says that these nones come
        self.expected = False


class Asserted(Outcome):
    """An assert that ran; `left`, `right` are its sides if it compared, the differences are None if not computed."""

    __slots__ = ("compared", "left", "max_abs", "max_rel", "message", "ok", "right", "where", "why")

    def __init__(self, place: Place, ok: bool, message: str | None) -> None:
        super().__init__(place)
        self.ok = ok
        self.message = message
        self.compared: str | None = None
        self.left: Any = None
        self.right: Any = None
        self.max_abs: float | None = None
        self.max_rel: float | None = None
        self.where: str | None = None
        self.why: str | None = None


class Checked(Asserted):
    """A gradient that was compared with numeric differentiation; not ok if it differs.

    `check` is what the engine found, `names` the texts of the sources, `diagnoses` what the differences have in common,
    `culprits` the calls of functions whose own pullback is wrong, as pairs of a place and what the engine says.
    `left` is the number of the gradient that is furthest off, `right` the numeric one. `reference` is the file that it
    was compared with instead of numeric slopes; `places` are those behind the site numbers of the diagnoses.
    """

    __slots__ = ("check", "culprits", "diagnoses", "facts", "names", "places", "reference", "target")

    def __init__(self, place: Place, check: Any, target: str, names: list[str]) -> None:
        super().__init__(place, check.verdict != "differs", None)
        self.check = check
        self.target = target
        self.names = names
        self.diagnoses: list[Any] = []
        self.culprits: list[tuple[Place, Any]] = []
        self.places: list[Any] = []
        self.reference = ""
        #: what else there is to say where nothing could be compared
        self.facts: dict[str, Any] = {}
        self.max_rel = check.max_rel
        worst = check.worst
        if worst is not None:
            self.compared = "~="
            self.left, self.right = worst[1].gradient, worst[1].slope.value
            self.max_abs = abs(self.left - self.right)

    @property
    def verdict(self) -> str:
        """`agrees`, `differs` or `cannot tell`."""
        found: str = self.check.verdict
        return found

    @property
    def code(self) -> str:
        """The code of what is said of it."""
        return {"differs": "gradient-differs", "cannot tell": "cannot-tell"}.get(self.verdict, self.verdict)


class Warned(Outcome):
    """A warning: `watched-dtype`, `target-dtype`, `source-dtype`, or `skipped-variable`."""

    __slots__ = ("code", "declared", "facts")

    def __init__(self, place: Place, code: str, declared: Place | None, **facts: Any) -> None:
        super().__init__(place)
        self.code = code
        self.declared = declared
        self.facts = facts


class Noted(Outcome):
    """A note about a gradient that was shown: `kink`, `tie`, `sum-of-components`, …"""

    __slots__ = ("code", "facts")

    def __init__(self, place: Place, code: str, **facts: Any) -> None:
        super().__init__(place)
        self.code = code
        self.facts = facts


class Failed(Outcome):
    """An error: the documented `code`, the `kind` that tells how it came about, and facts for the message.

    `others` are further places: `(place, role)` pairs such as the declaration of an operand.
    """

    __slots__ = ("code", "facts", "kind", "others")

    def __init__(
        self, place: Place, code: str, kind: str, facts: dict[str, Any], others: tuple[tuple[Place, str], ...] = ()
    ) -> None:
        super().__init__(place)
        self.code = code
        self.kind = kind
        self.facts = facts
        self.others = others


class NoGradient:
    """The value of a gradient that is none: it compares as `none` and carries its reason and the reason's places."""

    __slots__ = ("name", "places", "reason")

    def __init__(self, reason: Reason, places: tuple[Place, ...], name: str) -> None:
        self.reason = reason
        self.places = places
        self.name = name

    def __bool__(self) -> bool:
        return False


class ProgramError(Exception):
    """Raised inside a running program to stop it; the session turns it into a `Failed` outcome."""

    def __init__(
        self, place: Place, code: str, kind: str, others: tuple[tuple[Place, str], ...] = (), **facts: Any
    ) -> None:
        super().__init__(code, kind)
        self.place = place
        self.code = code
        self.kind = kind
        self.others = others
        self.facts = facts


def faulted(source: Source, faults: list[Any]) -> list[Failed]:
    """The outcomes of a source that did not parse or whose names are unknown."""
    return [Failed(Place(source, f.start, f.end), f.code, f.kind, dict(f.details)) for f in faults]
