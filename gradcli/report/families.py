"""Makes `engine/ops/families.py`, the family of each name of an operation: `python -m gradcli.report.families`."""

from __future__ import annotations

from pathlib import Path

from gradcli.engine import ops
from gradcli.engine.primitive import ALIASES, METHODS, NUMPY, REGISTRY

PATH = Path(str(ops.__file__)).parent / "families.py"


def text() -> str:
    """The text of the file."""
    lines = [
        '"""The family of each name; made by `python -m gradcli.report.families`, held current by a test."""', "",
        "# fmt: off", "FAMILIES: dict[str, dict[str, str]] = {",
    ]  # fmt: skip
    for kind, entries in (("name", REGISTRY), ("alias", ALIASES), ("numpy", NUMPY), ("method", METHODS)):
        lines.append(f'    "{kind}": {{')
        lines.extend(f'        "{name}": "{op.family}",' for name, op in sorted(entries.items()))
        lines.append("    },")
    return "\n".join([*lines, "}", ""])


if __name__ == "__main__":
    PATH.write_text(text(), encoding="utf-8")
