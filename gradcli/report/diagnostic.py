"""One kind of message: a severity and code, what is wrong, where, what else to look at, and what to write instead."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gradcli.runtime.outcomes import Place


class Diagnostic:
    """`severity` is error, warning, none, note or assert; `labels` are further places, each with a few words.

    `message` must stand alone if only one thing can be shown; `hint` says what to write instead, `details` are lines
    that are shown when there is room.
    """

    __slots__ = ("code", "details", "hint", "label", "labels", "message", "place", "severity")

    def __init__(
        self, severity: str, code: str, message: str, place: Place | None, *, label: str = "", hint: str = "",
        labels: tuple[tuple[Place, str], ...] = (), details: tuple[str, ...] = (),
    ) -> None:  # fmt: skip
        self.severity = severity
        self.code = code
        self.message = message
        self.place = place
        self.label = label
        self.hint = hint
        self.labels = labels
        self.details = details
