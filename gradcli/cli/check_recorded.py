"""`--record` and what it wrote: a program's results beside those of its record, in the words of a failed check."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gradcli.checking.recorded import Broken, Pair, pairs, read_record, record_text, write_record
from gradcli.report.catalogue import programs as words
from gradcli.report.checks.record import Problem
from gradcli.report.encoded import encoded_text, same_type
from gradcli.report.json_view import real_entry
from gradcli.report.numbers import real_text

from . import exits

if TYPE_CHECKING:
    from .check_program import Collector

_SEVERITY = {"notes": "note", "warnings": "warning"}


def accept(collector: Collector) -> None:
    """Write the record, if the program passed and there is something to write."""
    found = _found(collector)
    if collector.status != exits.OK:
        return
    if not any(found.values()):
        try:
            if read_record(collector.recorded_at) is None:
                return
        except Broken:
            pass
    try:
        write_record(collector.recorded_at, record_text(found))
    except OSError as error:
        collector.raise_to(exits.USAGE)
        collector.diagnostic(words.unwritten_diagnostic(collector.recorded_at, error.strerror or str(error)))
        return
    collector.record.recorded = len(found["results"])


def compare(collector: Collector) -> None:
    """Compare with the record: each thing recorded is a check, and so is each thing that was not."""
    if collector.status >= exits.USAGE:
        return  # what did not come is no news where the program did not reach its end
    try:
        old = read_record(collector.recorded_at)
    except Broken as error:
        collector.raise_to(exits.USAGE)
        collector.diagnostic(words.record_diagnostic(collector.recorded_at, error.kind, error.reason))
        return
    for pair in pairs(old, _found(collector)) if old is not None else ():
        collector.checked(pair.same)
        if not pair.same:
            collector.record.problems.append(_problem(collector, pair))
        if collector.kept is not None:
            collector.kept.asserts.append(_entry(collector, pair))


def _found(collector: Collector) -> dict[str, list[Any]]:
    """What the program did, as a record has it."""
    results = collector.kept.results if collector.kept is not None else []
    found: dict[str, list[Any]] = {
        "results": [{"label": entry["label"], "line": entry["line"], "value": entry["value"]} for entry in results]
    }
    for section, kind in (("notes", "Noted"), ("warnings", "Warned")):
        found[section] = [
            {"code": code, "label": " ".join(place.text.split()), "line": place.source.position(place.start)[0]}
            for code, place in collector.notices[kind]
        ]
    return found


def _place(collector: Collector, pair: Pair) -> Any:
    if pair.new is None:
        return None
    if pair.section == "results":
        return collector.places[pair.position]
    return collector.notices["Noted" if pair.section == "notes" else "Warned"][pair.position][1]


def _problem(collector: Collector, pair: Pair) -> Problem:
    place, any_ = _place(collector, pair), pair.new or pair.old
    what = any_["label"]
    if pair.section != "results":
        what = words.recorded_text(_SEVERITY[pair.section], any_["code"], what)
    if pair.new is None:
        return Problem(words.gone_diagnostic(collector.record.file, what, any_["line"]))
    if pair.old is None:
        return Problem(words.new_diagnostic(place, what))
    typed = not same_type(pair.old["value"], pair.new["value"])
    old, new = (encoded_text(entry["value"], typed=typed) for entry in (pair.old, pair.new))
    difference = ""
    if pair.largest is not None and pair.relative is not None:
        difference = words.difference_text(real_text(pair.largest, 6), real_text(pair.relative, 3), pair.where)
    return Problem(words.moved_diagnostic(place, what, old, new, difference), new, old)


def _entry(collector: Collector, pair: Pair) -> dict[str, Any]:
    """The comparison as an assert of the document: left is what came, right what was recorded."""
    place, any_ = _place(collector, pair), pair.new or pair.old
    line, column = (any_["line"], None) if place is None else place.source.position(place.start)
    message = "" if pair.same else _problem(collector, pair).diagnostic.message
    sides = pair.section == "results"
    return {
        "file": collector.record.file, "line": line, "column": column, "ok": pair.same, "label": any_["label"],
        "message": message, "left": pair.new["value"] if sides and pair.new is not None else None,
        "right": pair.old["value"] if sides and pair.old is not None else None,
        "max_abs": None if pair.largest is None else real_entry(pair.largest),
        "max_rel": None if pair.relative is None else real_entry(pair.relative),
    }  # fmt: skip
