"""The mathematical value of a whole answer that is not finite, row by row, and the first operation to blame."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .limits import settled
from .provenance import Fault, first_fault
from .pullback import pull_back

if TYPE_CHECKING:
    from .asked import Asked, Seeds


def mend(asked: Asked) -> tuple[list[Any], Fault | None, list[Any]]:
    """The answers with their mathematical values where they are not finite, the first operation to blame, and cones.

    A cone is `(position of the source, entry, slope from the left, slope from the right)`.

    Raises CannotReplay.
    """
    if not asked.in_rows:
        fault = first_fault(asked.mark, asked.seeds, asked.wanted)
        cones: list[Any] = []
        return settled(asked.mark, asked.seeds, asked.wanted, asked.answers, fault, cones), fault, cones
    better: list[Any] = [None if answer is None else np.array(answer) for answer in asked.answers]
    first: Fault | None = None
    found_cones: list[Any] = []
    for i, index in asked.faulty_rows():
        seeds = asked.row(index)
        fault = first_fault(asked.mark, seeds, asked.wanted)
        first = first or fault
        pulled = _pulled(asked, seeds)
        if pulled is not None and pulled[i] is not None:
            better[i][index] = asked.piece(
                index, settled(asked.mark, seeds, asked.wanted, pulled, fault, found_cones)[i]
            )
    return [None if answer is None else answer[()] for answer in better], first, found_cones


def _pulled(asked: Asked, seeds: Seeds) -> list[Any] | None:
    with np.errstate(all="ignore"):
        return pull_back(asked.state, asked.mark, seeds, asked.wanted)
