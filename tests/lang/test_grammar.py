"""The grammar is sound, its tables are current, and our loop over them parses what Lark's own parser parses."""

import json
import re
from itertools import pairwise

import pytest
from lark import Lark, Token, Tree
from lark.lexer import Lexer as LarkLexer

from gradcli.lang import ast, tables
from gradcli.lang.builder import ACTIONS, POSITIONED
from gradcli.lang.lexer import Lexer
from gradcli.lang.parser import Parser, parse
from tests.lang.programs import EXPRESSIONS, PROGRAMS

TEXT = tables.grammar_text()
OURS = Lexer(tables.load())


class OurTokens(LarkLexer):
    """Our lexer behind Lark's interface."""

    def __init__(self, _configuration):
        pass

    def lex(self, text):
        tokens = OURS.read(getattr(text, "text", text))
        for kind, value, start, end in zip(tokens.types, tokens.values, tokens.starts, tokens.ends):
            if kind != "$END":
                yield Token(kind, value, start_pos=start, end_pos=end)


RULES = sorted(set(re.findall(r"^([a-z_]+):", TEXT, re.M)))
LARK = Lark(TEXT, parser="lalr", start=RULES, keep_all_tokens=True, lexer=OurTokens, propagate_positions=True)


def built(tree):
    """What our builder makes of Lark's tree: (value, start, end)."""
    done, stack = [], [(tree, False)]
    while stack:
        item, ready = stack.pop()
        if isinstance(item, Token):
            done.append((item.value, item.start_pos, item.end_pos))
        elif not ready:
            stack.append((item, True))
            stack.extend((child, False) for child in reversed(item.children))
        else:
            count = len(item.children)
            parts = done[len(done) - count :]
            del done[len(done) - count :]
            start, end = (parts[0][1], parts[-1][2]) if parts else (0, 0)
            places = {"at": [part[1] for part in parts]} if item.data in POSITIONED else {}
            value = ACTIONS[item.data](start, end, *(part[0] for part in parts), **places)
            done.append((value, start, end))
    return done[0]


def with_places(value):
    """The tree as nested tuples, with places."""
    if isinstance(value, ast.Node):
        fields = [with_places(getattr(value, name)) for name in type(value).__slots__ if hasattr(value, name)]
        return (type(value).__name__, value.start, value.end, *fields)
    if isinstance(value, (list, tuple)):
        return [with_places(item) for item in value]
    return value


def test_lark_finds_nothing_ambiguous():
    Lark(TEXT, parser="lalr", lexer="contextual", strict=True)


def test_the_strict_check_is_on():
    """Lark skips its check for colliding terminals silently where its helper library is missing."""
    pytest.importorskip("interegular")
    clashing = "start: A B | B\nA: /[a-c]/\nB: /[b-d]/\n"
    with pytest.raises(Exception, match="Collision"):
        Lark(clashing, parser="lalr", lexer="basic", strict=True)


def test_tables_are_current():
    with open(tables.TABLES, encoding="utf-8") as file:
        kept = json.load(file)
    assert kept == json.loads(json.dumps(tables.build(TEXT)))


def test_tables_are_made_again_for_another_grammar(tmp_path, monkeypatch):
    changed = tmp_path / "changed.lark"
    changed.write_text(TEXT.replace('WHILE: "while"', 'WHILE: "as_long_as"'), encoding="utf-8")
    monkeypatch.setattr(tables, "GRAMMAR", str(changed))
    program = Parser(tables.load()).parse("as_long_as x { break }")
    assert type(program.body[0]) is ast.While


@pytest.mark.parametrize("damage", ["", "{", "{}", "[]"])
def test_unreadable_tables_are_made_again(tmp_path, monkeypatch, damage):
    broken = tmp_path / "tables.json"
    broken.write_text(damage)
    monkeypatch.setattr(tables, "TABLES", str(broken))
    assert ast.dump(Parser(tables.load()).parse("x = 1")) == ast.dump(parse("x = 1"))


def test_every_rule_has_a_comment_above_it():
    lines = TEXT.splitlines()
    bare = [line for above, line in pairwise(lines) if re.match(r"[a-z_]+:", line) and above[:3] != "// "]
    assert bare == []


def test_every_rule_is_the_nonterminal_of_a_rule():
    assert set(RULES) == {str(rule.origin.name) for rule in LARK.rules}


def rule_examples():
    found = []
    for comment, rule in re.findall(r"^// (.*)\n([a-z_]+):", TEXT, re.M):
        found += [(rule, example) for example in re.split(r"\s{3,}", comment)]
    found += [("statement", example) for example in re.findall(r"-> \w+ +// (.*)", TEXT)]
    return found


@pytest.mark.parametrize("rule, example", rule_examples())
def test_examples_in_the_grammar_are_of_their_rule(rule, example):
    text = example.replace("…", "y = x")
    if text.startswith("{"):  # whether a brace opens a block or a dict is told by what precedes it
        rule, text = ("statement", f"tape {text}") if rule == "block" else ("atom", f"({text})")
    LARK.parse(text, start=rule)


@pytest.mark.parametrize("text", PROGRAMS)
def test_our_loop_equals_larks(text):
    program, *_ = built(LARK.parse(text, start="start"))
    ours = parse(text)
    assert ast.dump(ours) == ast.dump(program)
    assert with_places(ours.body) == with_places(program.body)


def test_lark_is_asked_for_a_tree():
    assert isinstance(LARK.parse("x", start="start"), Tree)


def test_programs_exercise_every_alternative(monkeypatch):
    made = tables.load()
    parser, used = Parser(made), set()

    def recorder(number, action):
        def record(*arguments, **places):
            used.add(number)
            return action(*arguments, **places)

        return record

    parser.rules = [
        (origin, length, recorder(number, action), False, positioned)
        for number, (origin, length, action, _, positioned) in enumerate(parser.rules)
    ]
    for text in PROGRAMS:
        parser.parse(text)
    missing = [rule for number, rule in enumerate(made["rules"]) if number not in used]
    assert missing == []


def test_every_action_is_used_by_the_grammar():
    assert set(ACTIONS) == {name for _, _, name in tables.load()["rules"]}


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_an_expression_is_one_statement(text):
    statement = parse(text).body[0]
    assert type(statement) is ast.ExprStatement
