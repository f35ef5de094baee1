"""Gradients taken inside another tape: whether that tape is then asked for the same one again, not for a second."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gradcli.engine.tape import node_of

if TYPE_CHECKING:
    from gradcli.engine.asked import Asked
    from gradcli.engine.recording import Mark

    from .outcomes import Place

#: gradients that are remembered
_KEPT = 32


class FirstDerivatives:
    """The last gradients that were taken while a tape recorded: of which target, in which source, where."""

    def __init__(self) -> None:
        self._taken: list[tuple[Mark, int, int, Place]] = []

    def copy(self) -> FirstDerivatives:
        """The same, to be gone back to."""
        made = FirstDerivatives()
        made._taken = list(self._taken)
        return made

    def enter(self, asked: Asked, place: Place) -> None:
        """Remember a gradient of one target in one source."""
        if len(asked.targets) == 1 and len(asked.sources) == 1:
            self._taken.append((asked.mark, node_of(asked.targets[0]).index, asked.wanted[0].index, place))
            del self._taken[:-_KEPT]

    def taken_inside(self, asked: Asked) -> Place | None:
        """Where the same gradient was taken on a tape that opened later than this one, if it was."""
        if asked.kind != "gradient" or len(asked.targets) != 1 or len(asked.sources) != 1:
            return None
        target, source = node_of(asked.targets[0]).index, asked.wanted[0].index
        for mark, same_target, same_source, place in reversed(self._taken):
            if (same_target, same_source) == (target, source) and mark.opened_at > asked.mark.opened_at:
                return place
        return None
