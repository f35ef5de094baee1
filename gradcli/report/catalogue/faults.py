"""The words of faults found before anything runs: syntax, names, options."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .words import Words, names

if TYPE_CHECKING:
    from collections.abc import Callable

FAULTS: dict[str, Callable[[dict[str, Any]], Words]] = {}


def fault(*kinds: str) -> Callable[[Callable[[dict[str, Any]], Words]], Callable[[dict[str, Any]], Words]]:
    """Enter the words of faults of these kinds."""

    def enter(words: Callable[[dict[str, Any]], Words]) -> Callable[[dict[str, Any]], Words]:
        for kind in kinds:
            FAULTS[kind] = words
        return words

    return enter


@fault("unknown-name", "dotted")
def _unknown(f: dict[str, Any]) -> Words:
    near = f.get("suggestions") or []
    return Words(f"unknown name {f['name']}", f"did you mean {names(near, 'or')}?" if near else "")


@fault("unknown-option")
def _option(f: dict[str, Any]) -> Words:
    return Words(f"unknown option {f['name']}", f"there are {names(f.get('allowed', ()))}")


@fault("option-twice")
def _option_twice(f: dict[str, Any]) -> Words:
    return Words(f"the option {f['name']} is given twice")


@fault("unexpected")
def _unexpected(f: dict[str, Any]) -> Words:
    found = str(f["found"])
    shown = found if found.startswith("the ") else f"`{found}`"
    expected = names(list(f.get("expected") or ())[:5], "or", quote=False)
    return Words(f"unexpected {shown}", "", f"expected {expected}" if expected else "")


@fault("unclosed-block")
def _unclosed_block(f: dict[str, Any]) -> Words:
    return Words("the text ends inside a block", "close it with `}`", "expected `}`")


@fault("unclosed-bracket")
def _unclosed_bracket(f: dict[str, Any]) -> Words:
    bracket = str(f["bracket"])[:1]
    closing = {"(": ")", "[": "]", "{": "}"}[bracket]
    return Words(f"`{bracket}` is not closed", f"close it with `{closing}`", f"expected `{closing}` before this")


@fault("unclosed-string")
def _unclosed_string(f: dict[str, Any]) -> Words:
    return Words("the string is not closed on its line", "end it with the quote it began with")


@fault("unmatched")
def _unmatched(f: dict[str, Any]) -> Words:
    return Words(f"`{f['found']}` closes nothing that is open")


@fault("bad-character")
def _bad_character(f: dict[str, Any]) -> Words:
    found = str(f["found"])
    shown = found if found.isprintable() else f"U+{ord(found):04X}"
    return Words(f"the character `{shown}` has no meaning here")


@fault("bad-number")
def _bad_number(f: dict[str, Any]) -> Words:
    return Words(f"{f['found']} is no number")


@fault("missing-operator")
def _missing_operator(f: dict[str, Any]) -> Words:
    left, right = f["left"], f["right"]
    if left == "print":
        return Words("print is a function", f"write `print({right})`")
    write = f"write `{left} * {right}` for a product" if str(left)[:1].isdigit() else ""
    what = "an operator or a comma" if f.get("comma") else "an operator"
    return Words(f"{what} is missing between `{left}` and `{right}`", write)


@fault("chained-comparison")
def _chained(f: dict[str, Any]) -> Words:
    return Words(
        "comparisons are not chained: each gives a bool tensor",
        f"write `a {f['first']} b and b {f['second']} c`; for masks `(a {f['first']} b) & (b {f['second']} c)`",
    )


@fault("is-something")
def _is(f: dict[str, Any]) -> Words:
    return Words("`is` asks only for none", "write `x is none`, `x is not none`, or `==` to compare values")


@fault("equals-for-comparison")
def _equals(f: dict[str, Any]) -> Words:
    return Words("`=` assigns; this is a condition", "write `==`, or `~=` for approximately equal")


@fault("colon-for-block")
def _colon(f: dict[str, Any]) -> Words:
    return Words(
        f"the block of `{f['keyword']}` is written in braces", f"write `{f['keyword']} … {{ … }}`, without `:`"
    )


@fault("python-import")
def _import(f: dict[str, Any]) -> Words:
    return Words(
        "a tensor program imports nothing",
        "delete the line: operations are there by their names, also as `tf.…` and `np.…`",
    )


@fault("python-with")
def _with(f: dict[str, Any]) -> Words:
    return Words("a tape is a block of its own", "write `tape t { … }` for `with tf.GradientTape() as t:`")


@fault("foreign-operator")
def _foreign(f: dict[str, Any]) -> Words:
    return Words(f"`{f['found']}` is no operator here", f"write `{f['write']}`")


@fault("foreign-word")
def _foreign_word(f: dict[str, Any]) -> Words:
    return Words(f"`{f['found']}` is no word of this language", f"write `{f['write']}`")


@fault("parameter-order")
def _parameter_order(f: dict[str, Any]) -> Words:
    return Words(
        f"the parameter {f['name']} has no default, but one before it has", "parameters with defaults come last"
    )


@fault("stray-else")
def _stray(f: dict[str, Any]) -> Words:
    return Words(f"`{f['found']}` follows no `if` block", "it comes after the `}` of an if: `if c { … } else { … }`")


@fault("outside-loop")
def _outside_loop(f: dict[str, Any]) -> Words:
    return Words(f"`{f['keyword']}` stands outside every loop")


@fault("outside-function")
def _outside_function(f: dict[str, Any]) -> Words:
    return Words("`return` stands outside every function")


@fault("positional-after-named")
def _positional(f: dict[str, Any]) -> Words:
    return Words("an argument without a name follows one with a name", "put it first, or give it a name")


@fault("duplicate-parameter")
def _duplicate(f: dict[str, Any]) -> Words:
    return Words(f"two parameters are called {f['name']}")


@fault("target")
def _target(f: dict[str, Any]) -> Words:
    return Words("this is nothing that a value can be assigned to", "on the left of `=` stands a name")


@fault("entry")
def _entry(f: dict[str, Any]) -> Words:
    return Words(
        f"a value cannot be assigned to {f['of']}", "tensors do not change; for a variable write `x.assign(…)`"
    )


@fault("nesting")
def _nesting(f: dict[str, Any]) -> Words:
    return Words(f"nested deeper than {f['limit']}", "give the inner parts names of their own")


@fault("expression-expected")
def _expression_expected(f: dict[str, Any]) -> Words:
    return Words("one expression is expected here")
