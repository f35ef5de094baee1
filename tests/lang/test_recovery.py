"""One slip in a program of many lines gives one fault, none the consequence of another, and hides no fault behind it."""

import pytest

from gradcli.lang.faults import FaultError
from gradcli.lang.lexer import Lexer
from gradcli.lang.parser import parse
from gradcli.lang.tables import load

LEXER = Lexer(load())
PROGRAMS = {
    "tapes": """default float64
variable x = [1.0, 2.0], name="x"
constant k: int32 = 3   # the exponent
tape outer(persistent=true) {
    watch x, k
    tape inner { y = reduce_sum(x ** k) + f(x, axis=-1) }
    g = inner.gradient(y, {"x": x, "k": [k, none]})
    outer.stop_recording {
        z = tf.cast(g["x"][0, 1:], tf.float32)
    }
}
gradient(y, [x, k], unconnected_gradients="zero")
assert y ~= 9.0, "not nine"
""",
    "control flow": """def f(x, k=2) {
    s = 0.0
    for i, (a, b) in enumerate(zip(x, range(k))) {
        if a > 1 and not b { continue } elif a == 0 {
            s += a * (b - 1) / 2
        } else {
            s = s - a if b is none else s @ a
        }
    }
    while s < 3 { s = s + 1 }
    return s, [g(i) for i in x if i]
}
h = lambda x: f''(x) ** 2
print(h(2.0), -x[::2, ...])
""",
    "modules": """module Affine(n) {
    variable w = ones([n, 1])
    variable b = zeros([1])

    def call(x) = tanh(
        x @ w + b,
    )
}
layer = Affine(3)
tape t { loss = mean((layer(x) - y) ** 2) }
opt = SGD(0.1, momentum=0.9); opt.apply(t.gradient(loss, layer.variables), layer.variables)
d = {
    "a": 1,
    "b": [1, 2, 3],
}
""",
}
SLIPS = {
    "a token is missing": lambda before, token, after: before + after,
    "a token is doubled": lambda before, token, after: before + token + token + after,
    "a token stands twice": lambda before, token, after: f"{before}{token} {token}{after}",
    "a ) too many": lambda before, token, after: f"{before}){token}{after}",
    "a ( too many": lambda before, token, after: f"{before}({token}{after}",
    "a ] too many": lambda before, token, after: f"{before}]{token}{after}",
    "a } too many": lambda before, token, after: f"{before}}}{token}{after}",
    "a quote": lambda before, token, after: f'{before}"{token}{after}',
    "an = too many": lambda before, token, after: f"{before} = {token}{after}",
    "a foreign character": lambda before, token, after: f"{before} $ {token}{after}",
    "a name too many": lambda before, token, after: f"{before} oops {token}{after}",
    "a number for a token": lambda before, token, after: f"{before} {token if token == '}' else 7} {after}",
}


LATER = "zz = = 1"


def faults(text):
    try:
        parse(text)
    except FaultError as error:
        return error.faults
    return []


def slips(name, slip):
    """The program with that slip at each of its tokens in turn."""
    text = PROGRAMS[name]
    tokens = LEXER.read(text)
    for start, end in zip(tokens.starts[:-1], tokens.ends[:-1]):
        yield SLIPS[slip](text[:start], text[start:end], text[end:])


@pytest.mark.parametrize("slip", SLIPS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_one_slip_gives_one_fault(name, slip):
    assert faults(PROGRAMS[name]) == []
    counts = [len(faults(text)) for text in slips(name, slip)]
    assert max(counts) == 1
    assert sum(counts) > len(counts) / 2  # most slips are faults; a doubled line end is none


@pytest.mark.parametrize("slip", SLIPS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_later_slip_is_found_all_the_same(name, slip):
    for text in slips(name, slip):
        if faults(text) and not text.endswith(", \n"):  # a line that goes on in the later one
            assert LATER.rindex("=") in [fault.start - len(text) for fault in faults(text + LATER)], text
