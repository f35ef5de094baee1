"""The parser's tables: made from the grammar by Lark, kept beside it as plain data, and run by `parser`.

    python -m gradcli.lang.tables        write grammar/parser_tables.json anew

If the grammar beside the tables is another one than they were made from, they are made again in memory; Lark is
imported only then.
"""

from __future__ import annotations

import json
import os
import zlib
from typing import Any

import gradcli.grammar

FOLDER = os.path.dirname(os.path.abspath(gradcli.grammar.__file__ or ""))
GRAMMAR = os.path.join(FOLDER, "tensor_program.lark")
TABLES = os.path.join(FOLDER, "parser_tables.json")


def grammar_text() -> str:
    """The grammar's text."""
    with open(GRAMMAR, encoding="utf-8") as file:
        return file.read()


def fingerprint(text: str) -> str:
    """What tells one grammar from another."""
    data = text.encode()
    return f"{zlib.crc32(data):08x}-{len(data)}"


def load() -> dict[str, Any]:
    """The tables of the grammar as it is now."""
    text = grammar_text()
    try:
        with open(TABLES, encoding="utf-8") as file:
            tables: dict[str, Any] = json.load(file)
        if tables["fingerprint"] == fingerprint(text):
            return tables
    except (OSError, ValueError, KeyError, TypeError):
        pass
    return build(text)


def lark_parser(text: str, **options: Any) -> Any:
    """Lark's own parser of the grammar."""
    from lark import Lark

    return Lark(text, parser="lalr", start="start", keep_all_tokens=True, **options)


def build(text: str) -> dict[str, Any]:
    """Make the tables. States are numbered in the order of a walk from the first, so that a build can be repeated.

    `states[s][terminal]` is a state to shift to, or -(rule + 1) to reduce; `gotos[s][nonterminal]` a state; a rule is
    [nonterminal, length, name of the node].
    """
    from lark.parsers.lalr_analysis import Shift

    lark = lark_parser(text)
    table = lark.parser.parser._parse_table
    first, last = table.start_states["start"], table.end_states["start"]
    rules: list[list[Any]] = []
    known: dict[Any, int] = {}
    for rule in lark.rules:
        known[rule] = len(rules)
        rules.append([str(rule.origin.name), len(rule.expansion), str(rule.alias or rule.origin.name)])
    order, queue = {first: 0}, [first]
    for state in queue:
        for _, (action, argument) in sorted(table.states[state].items()):
            if action is Shift and argument not in order:
                order[argument] = len(order)
                queue.append(argument)
    states: list[dict[str, int]] = []
    gotos: list[dict[str, int]] = []
    nonterminals = {rule[0] for rule in rules}
    for state in queue:
        actions, jumps = {}, {}
        for symbol, (action, argument) in sorted(table.states[state].items()):
            if symbol in nonterminals:
                jumps[symbol] = order[argument]
            else:
                actions[symbol] = order[argument] if action is Shift else -(known[argument] + 1)
        states.append(actions)
        gotos.append(jumps)
    terminals = [[t.name, type(t.pattern).__name__ == "PatternStr", t.pattern.value] for t in lark.terminals]
    return {
        "fingerprint": fingerprint(text), "end": order.get(last, -1), "rules": rules, "states": states, "gotos": gotos,
        "terminals": sorted(terminals), "ignored": sorted(lark.ignore_tokens),
    }  # fmt: skip


def write() -> None:
    """Write the tables beside the grammar."""
    with open(TABLES, "w", encoding="utf-8") as file:
        json.dump(build(grammar_text()), file, separators=(",", ":"), sort_keys=True)
        file.write("\n")


if __name__ == "__main__":
    write()
