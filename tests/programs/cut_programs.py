"""Random programs whose path from source to target is cut at a known line in a known way.

A program is a chain of steps from a source to a target, among lines that lead elsewhere; one way of cutting, at one line.
"""

import random

UNARY = (
    "sin({})",
    "cos({})",
    "exp(0.1 * {})",
    "tanh({})",
    "{} * {}",
    "{} ** 2",
    "sqrt({} * {} + 1.0)",
    "-{}",
    "{} / 3.0",
)
MIXED = ("{} + {}", "{} * {}", "{} - {}", "maximum({}, {} + 5.0)", "where({} < 100.0, {}, 0.0)", "stack([{}, {}])[0]")
DECOYS = ("np.sin({})", "stop_gradient({})", "floor({})", "cast(cast({}, int32), float32)", "{}.numpy() * 2.0")

#: how a step is cut, by the code of the reason
STEPS = {
    "cut-outside": ("np.cos({})", "{}.numpy() * 1.5", "np.maximum({}, 0.1)", "np.mean({})"),
    "cut-stop-gradient": ("stop_gradient({})", "stop_gradient({} * 2.0) + 1.0"),
    "cut-cast": ("cast(cast({}, int32), float32)", "cast(cast({} * 10.0, int64), float32) * 0.5"),
    "cut-no-derivative": (
        "floor({})",
        "round({} * 3.0)",
        "cast(argmax(stack([{}, 0.5])), float32)",
        "cast({} > 0.0, float32)",
    ),
}
SOURCES = ("not-watched", "not-trainable", "access-not-watched", "before-tape", "rebound", "dtype")
TAPES = ("watched-late", "tape-reset", "recording-stopped", "after-tape", "unconnected", "cut-assign", "fresh-source")
KINDS = (*STEPS, *SOURCES, *TAPES)


class Writer:
    """Lines of a program, counted from 1."""

    def __init__(self, rng):
        self.rng = rng
        self.lines = []
        self.others = ["o"]
        self.count = 0

    def put(self, line):
        self.lines.append(line)
        return len(self.lines)

    def name(self):
        self.count += 1
        return f"{self.rng.choice('abpqrst')}{self.count}"

    def step(self, before, pattern=None, indent="    "):
        """A line that computes something from `before`; returns its name and its line."""
        rng = self.rng
        if pattern is None and rng.random() < 0.4:
            pattern = rng.choice(MIXED)
            operands = [before, rng.choice(self.others)] if rng.random() < 0.5 else [before, before]
            if "where" in pattern or "maximum" in pattern:
                operands = [before, before]
        else:
            pattern = pattern or rng.choice(UNARY)
            operands = [before] * pattern.count("{}")
        made = self.name()
        return made, self.put(f"{indent}{made} = {pattern.format(*operands)}")

    def noise(self, known, indent="    "):
        """A line that leads nowhere: perhaps a cut of its own."""
        if self.rng.random() < 0.4:
            made = self.name()
            self.put(f"{indent}{made} = {self.rng.choice(DECOYS).format(self.rng.choice([known, 'o']))}")
        if self.rng.random() < 0.3:
            made = self.name()
            self.put(f"{indent}{made} = {self.rng.choice(self.others)} * 1.25")
            self.others.append(made)


def cut_program(seed):
    """(text, code, line): the reason that the last line must give, and a place of it."""
    rng = random.Random(seed)
    kind = KINDS[seed % len(KINDS)]
    w = Writer(rng)
    w.put("variable o = 0.75")
    for _ in range(rng.randrange(3)):
        w.put(f"constant k{len(w.lines)} = {rng.random():.3f}")
    build = {"rebound": _rebound, "before-tape": _before, "dtype": _dtype}.get(kind)
    if kind in STEPS:
        return _cut_step(w, kind)
    if build is not None:
        return build(w)
    if kind in SOURCES:
        return _source(w, kind)
    return _taped(w, kind)


def _finish(w, code, line, target, source="x"):
    w.put(f"t.gradient({target}, {source})")
    return "\n".join(w.lines) + "\n", code, line


def _steps(w, before, least=1):
    for _ in range(w.rng.randrange(least, 5)):
        w.noise(before)
        before, _line = w.step(before)
    return before


def _cut_step(w, kind):
    w.put("variable x = 0.8")
    w.put("tape t(persistent=true) {")
    before = _steps(w, "x", 0)
    cut, line = w.step(before, w.rng.choice(STEPS[kind]))
    target = _steps(w, cut, 0)
    if w.rng.random() < 0.3:  # a second cut behind the first does not count
        target, _line = w.step(target, "stop_gradient({})")
    target, _line = w.step(target, "{} * 2.0")
    w.put("}")
    return _finish(w, kind, line, target)


def _source(w, kind):
    declaration = {
        "not-watched": "constant x = 0.8", "not-trainable": "variable x = 0.8, trainable=false",
        "access-not-watched": "variable x = 0.8",
    }  # fmt: skip
    line = w.put(declaration[kind])
    accessed = ", watch_accessed_variables=false" if kind == "access-not-watched" else ""
    w.put(f"tape t(persistent=true{accessed}) {{")
    target = _steps(w, "x")
    if w.rng.random() < 0.3:
        target, _line = w.step(target, "stop_gradient({})")
    w.put("}")
    return _finish(w, kind, line, target)


def _before(w):
    w.put("variable v = 0.4")
    line = w.put("x = v * 2.0")
    w.put("tape t(persistent=true) {")
    target = _steps(w, "x")
    w.put("}")
    return _finish(w, "before-tape", line, target)


def _rebound(w):
    w.put("variable x = 0.4")
    line = w.put("x = x + 0.3")
    w.put("tape t(persistent=true) {")
    target = _steps(w, "x")
    w.put("}")
    return _finish(w, "rebound", line, target)


def _dtype(w):
    line = w.put("variable x = 3")
    w.put("tape t(persistent=true) {")
    n, _line = w.step("x", "{} * 2")
    target, _line = w.step(n, "cast({}, float32) * 1.5")
    w.put("}")
    return _finish(w, "dtype", line, target)


def _taped(w, kind):
    rng = w.rng
    constant = kind == "watched-late"
    declared = w.put(
        "constant x = 0.8" if constant else "variable x = 0.8" if kind != "fresh-source" else "variable x = [0.8, 0.3]"
    )
    if kind == "cut-assign":
        w.put("variable held = 0.0")
    w.put("tape t(persistent=true) {")
    if kind == "fresh-source":
        target, _line = w.step("x", "reduce_sum({} * {})")
        target = _steps(w, target, 0)
        w.put("}")
        line = len(w.lines) + 1
        return _finish(w, kind, line, target, "x[0]")
    if kind == "unconnected":
        w.put("    u = x * 1.0")
        target = _steps(w, "o")
        w.put("}")
        return _finish(w, kind, declared, target)
    if kind == "watched-late":
        first, line = w.step("x", rng.choice(UNARY))  # with a variable beside it, it would be recorded
        target = _steps(w, first, 0)
        w.put("    watch x")
        w.put("}")
        return _finish(w, kind, line, target)
    before = _steps(w, "x", 0)
    if kind == "cut-assign":
        line = w.put(f"    held.assign({before} * 1.0)")
        target, _line = w.step("held", "{} * {}")
        target = _steps(w, target, 0)
        w.put("}")
        return _finish(w, kind, line, target)
    if kind == "tape-reset":
        target, _line = w.step(before, "{} * 3.0")
        line = w.put("    t.reset()")
        w.put("    z = x * 2.0")
        w.put("}")
        return _finish(w, kind, line, target)
    if kind == "recording-stopped":
        w.put("    stop_recording {")
        cut, line = w.step(before, "{} * 3.0", "        ")
        w.put("    }")
        target, _line = w.step(cut, "sin({})") if rng.random() < 0.5 else (cut, 0)
        w.put("}")
        return _finish(w, kind, line, target)
    w.put("}")
    target, line = w.step(before, "{} * 3.0", "")  # of several lines behind a tape the last is named
    return _finish(w, "after-tape", line, target)
