"""Hand-derived gradients as programs, each in its right version and in versions with one wrong line.

`derived/NAME.tp` is the right version. Below a line that can be got wrong stand comments `#! KIND: replacement`: the same
program with that one line replaced is wrong in the way that KIND tells.
"""

import re
from dataclasses import dataclass
from pathlib import Path

DERIVED = Path(__file__).parent / "derived"

#: how a derivation is got wrong; what each does to the gradient of a source is checked in `test_derived.py`
KINDS = ("missing-mean", "sign", "transpose", "factor", "wrong-entry", "other")

_WRONG = re.compile(r" *#! ([\w-]+): (.*)")


@dataclass(frozen=True)
class Variant:
    """The text of a program; `kind` is "right", or what is wrong in the line numbered `line` (from 1)."""

    name: str
    kind: str
    text: str
    line: int = 0

    @property
    def label(self) -> str:
        return f"{self.name}-{self.kind}" + (f"-{self.line}" if self.line else "")


def variants(path: Path) -> list[Variant]:
    """The right version of a program, then each wrong one. Raises ValueError where a `#!` comment is malformed."""
    lines = path.read_text(encoding="utf-8").splitlines()
    found = [Variant(path.stem, "right", "\n".join(lines) + "\n")]
    place = -1
    for number, line in enumerate(lines):
        if not line.lstrip().startswith("#!"):
            place = number
            continue
        wrong = _WRONG.fullmatch(line)
        if wrong is None or wrong[1] not in KINDS or place < 0:
            raise ValueError(f"{path.name}:{number + 1}: {line}")
        indent = lines[place][: len(lines[place]) - len(lines[place].lstrip())]
        text = "\n".join([*lines[:place], indent + wrong[2].strip(), *lines[place + 1 :]]) + "\n"
        found.append(Variant(path.stem, wrong[1], text, place + 1))
    return found


def all_variants() -> list[Variant]:
    return [variant for path in sorted(DERIVED.glob("*.tp")) for variant in variants(path)]
