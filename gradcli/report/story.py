"""`gradcli explain FILE` in words: for each gradient the value, the way to it line by line, and what to write instead.

A story is lines of pieces `(text, style)`; the terminal draws them in colour, a pipe gets the text alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gradcli.engine.settlement import math_of
from gradcli.runtime.explaining import shown
from gradcli.runtime.outcomes import NoGradient

from .catalogue import none_diagnostic, note_diagnostic
from .json_view import encode, where
from .plain import array_text

if TYPE_CHECKING:
    from gradcli.runtime.explaining import Explained, Leaf, Step
    from gradcli.runtime.outcomes import Place

    Line = list[tuple[str, str]]

#: lines of a program that are shown of one way
_LINES = 14
#: entries of a printed gradient
_ENTRIES = 40


def story_lines(told: Explained) -> list[Line]:
    """The story of one query."""
    times = f"  (ran {told.times} times; this is the last)" if told.times > 1 else ""
    here = told.place
    name, line = here.source.name, here.source.position(here.start)[0]
    lines: list[Line] = [[(_flat(here.text), "name"), (times, "info"), (f"  {name}:{line}", "place")]]
    for leaf in told.leaves:
        lines.extend(_leaf_lines(leaf, here))
    for noted in told.notes:
        lines.extend(_note_lines(noted, here))
    return lines


def _leaf_lines(leaf: Leaf, here: Place) -> list[Line]:
    head: Line = [(f"  {_flat(leaf.name)}  ", "name")]
    if type(leaf.result) is NoGradient:
        diagnostic = none_diagnostic(leaf.result)
        lines = [[*head, ("None  ", "none"), (diagnostic.message, ""), (f"  none[{diagnostic.code}]", "info")]]
        lines.extend(_way(leaf, here))
        places = [place for place in leaf.result.places if place is not None]
        if places and not any(step.cut for step in leaf.path):
            lines.extend(
                [("    see  ", "info"), (_flat(place.text), ""), (f"  {_at(place, here)}", "place")] for place in places
            )
        if diagnostic.hint:
            lines.append([("    write  ", "info"), (diagnostic.hint, "hint")])
        lines.extend(_bridge(leaf))
        return lines
    lines = [[*head, (_value(leaf.result.value), "value"), (f"  {leaf.result.dtype}", "info")]]
    math = math_of(leaf.result)
    if math is not None:
        lines.append([("    math  ", "info"), (_value(math.value), "value")])
    lines.extend(_way(leaf, here))
    return lines


def _bridge(leaf: Leaf) -> list[Line]:
    """What a None would be: identically zero, zero almost everywhere, or the value with the cut bridged."""
    bridge = leaf.bridged
    if bridge is None:
        return []
    if bridge.value is None:
        return [[("    connected  ", "info"), ("what it would be is unknown: a step on the way cannot be told", "")]]
    text = _value(shown(bridge.value).value)
    if not bridge.connected:
        return [[("    math  ", "info"), (text, "value"), ("  identically zero: the target does not depend on it", "")]]
    if bridge.stepped:
        why = (
            "  a step function is flat almost everywhere"
            if not _any(bridge.value)
            else "  what steps on the way add is 0"
        )
        return [[("    math  ", "info"), (text, "value"), (why, "")]]
    return [[("    connected  ", "info"), ("it would be ", ""), (text, "value")]]


def _way(leaf: Leaf, here: Place) -> list[Line]:
    """The lines of the program on the way from the source to the target, with the operations in each."""
    rows: list[tuple[str, Place | None, list[Step]]] = []
    for step in leaf.path:
        key = _at(step.place, here) if step.place is not None else ""
        if rows and rows[-1][0] == key:
            rows[-1][2].append(step)
        else:
            rows.append((key, step.place, [step]))
    kept = rows
    if len(rows) > _LINES:
        middle = next((i for i, row in enumerate(rows) if any(step.cut for step in row[2])), 0)
        first = rows[: _LINES // 2]
        last = rows[-_LINES // 2 :]
        kept = [*first, *([rows[middle]] if rows[middle] not in first and rows[middle] not in last else []), *last]
    lines: list[Line] = []
    left_out = len(rows) - len(kept)
    for i, (key, place, steps) in enumerate(kept):
        if left_out and i == _LINES // 2:
            lines.append([(f"    … {left_out} more lines of the way", "info")])
        names = ", ".join(dict.fromkeys(step.op.removesuffix("_discrete") for step in steps))
        text = _source_line(place) if place is not None else ""
        cut = any(step.cut for step in steps)
        arrow = "  ✂ " if cut else "  → "
        lines.append([(arrow, "none" if cut else "info"), (f"{key}  ", "place"), (text, ""), (f"  {names}", "info")])
    return lines


def _source_line(place: Place) -> str:
    text = place.source.text
    start = text.rfind("\n", 0, place.start) + 1
    end = text.find("\n", place.start)
    line = text[start : end if end >= 0 else len(text)].strip()
    return line if len(line) <= 100 else _flat(place.text)


def _note_lines(noted: Any, here: Place) -> list[Line]:
    diagnostic = note_diagnostic(noted)
    lines: list[Line] = [
        [(f"  {noted.code}  ", "note"), (diagnostic.message, ""), (f"  {_at(diagnostic.place, here)}", "place")]
    ]
    lines.extend([("    ", ""), (detail, "")] for detail in diagnostic.details)
    if diagnostic.hint:
        lines.append([("    write  ", "info"), (diagnostic.hint, "hint")])
    return lines


def _at(place: Place | None, here: Place) -> str:
    """`line 3`, with the name of the file if it is another one than that of `here`."""
    if place is None:
        return ""
    line, _ = place.source.position(place.start)
    return f"line {line}" if place.source is here.source else f"{place.source.name}:{line}"


def _flat(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 80 else text[:79] + "…"


def _any(value: Any) -> bool:
    import numpy as np

    return bool(np.any(np.asarray(value) != 0))


def _value(data: Any) -> str:
    if data.size <= _ENTRIES:
        return array_text(data, None if not data.shape else 8)
    import numpy as np

    flat = data.reshape(-1)
    few = ", ".join(array_text(x, 6) for x in flat[:4])
    size = f"min {array_text(np.min(flat), 6)}, max {array_text(np.max(flat), 6)}" if data.dtype.kind == "f" else ""
    return f"[{few}, …]  shape {list(data.shape)}  {size}"


def story_value(told: Explained) -> dict[str, Any]:
    """The story of one query for `--format json`."""
    sources = []
    for leaf in told.leaves:
        bridge = leaf.bridged
        entry: dict[str, Any] = {
            "source": _flat(leaf.name), "value": encode(leaf.result),
            "path": [{"op": step.op, "cut": step.cut, **where(step.place)} for step in leaf.path],
            "bridged": None if bridge is None or bridge.value is None else encode(shown(bridge.value)),
            "connected": None if bridge is None else bridge.connected,
        }  # fmt: skip
        sources.append(entry)
    notes = [
        {"code": d.code, "message": d.message, **where(d.place), "hint": d.hint}
        for d in map(note_diagnostic, told.notes)
    ]
    return {
        "label": _flat(told.place.text), **where(told.place), "times": told.times, "sources": sources, "notes": notes,
    }  # fmt: skip
