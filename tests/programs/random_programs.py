"""Random programs that are well typed by construction, and random damage to their text, for hypothesis."""

from hypothesis import strategies as st

NUMBERS = st.sampled_from(["0.5", "1.0", "-2.0", "3", "1e-3", "0.0", "2.5"])
UNARY = st.sampled_from(
    ["sin", "exp", "tanh", "sigmoid", "relu", "square", "softplus", "abs", "stop_gradient", "round"]
)
BINARY = st.sampled_from(["+", "-", "*", "/"])


@st.composite
def scalar(draw, names, depth=0):
    """A scalar float expression over the names given."""
    kind = draw(st.integers(0, 6 if depth < 4 else 1))
    if kind == 0 or (kind == 1 and not names):
        return draw(NUMBERS)
    if kind == 1:
        return draw(st.sampled_from(names))
    if kind == 2:
        return (
            f"{draw(UNARY)}({draw(scalar(names, depth + 1))} + 0.0 * {draw(st.sampled_from(names))})"
            if names
            else "1.0"
        )
    if kind == 3:
        return f"({draw(scalar(names, depth + 1))}) ** {draw(st.sampled_from(['2', '3.0', '2.0']))}"
    if kind == 4:
        return f"maximum({draw(scalar(names, depth + 1))}, {draw(st.sampled_from(names))})" if names else "2.0"
    op = draw(BINARY)
    right = draw(scalar(names, depth + 1))
    right = f"(2.5 + square({draw(st.sampled_from(names))}))" if op == "/" and names else right if op != "/" else "2.0"
    return f"({draw(scalar(names, depth + 1))} {op} {right})"


@st.composite
def programs(draw):
    """A whole program: declarations, functions, loops, tapes, gradients, asserts."""
    lines, names = [], []
    if draw(st.booleans()):
        lines.append("default float64")
    for i in range(draw(st.integers(1, 4))):
        kind = draw(st.sampled_from(["variable", "constant"]))
        option = draw(st.sampled_from(["", "", ", trainable=false"])) if kind == "variable" else ""
        lines.append(f"{kind} v{i} = {draw(st.sampled_from(['0.5', '1.0', '-2.0', '2.5']))}{option}")
        names.append(f"v{i}")
    if draw(st.booleans()):
        lines.append(f"def f(x, k=2.0) = {draw(scalar(['x', 'k']))} + x")
        lines.append(f"w = f({draw(st.sampled_from(names))})")
        names.append("w")
    taped = draw(st.booleans())
    body = [f"y{i} = {draw(scalar(names))} + {names[0]}" for i in range(draw(st.integers(1, 3)))]
    if draw(st.booleans()):
        body.append(f"for i in range({draw(st.integers(0, 5))}) {{ y0 = y0 * 0.5 + {draw(st.sampled_from(names))} }}")
    if draw(st.booleans()):
        body.append(f"if y0 > {draw(NUMBERS)} {{ y0 = -y0 }} else {{ y0 = y0 + 1.0 }}")
    if taped:
        persistent = draw(st.booleans())
        watch = draw(st.sampled_from(["", f"    watch {names[0]}\n"]))
        inner = "\n".join("    " + line for line in body)
        lines.append(f"tape t({'persistent=true' if persistent else ''}) {{\n{watch}{inner}\n}}")
    else:
        lines.extend(body)
    sources = draw(st.lists(st.sampled_from(names), min_size=1, max_size=3))
    shape = draw(st.sampled_from(["[{}]", "({},)", "list"]))
    joined = ", ".join(sources)
    target = f"[{joined}]" if shape == "[{}]" else f"({joined},)" if shape == "({},)" else sources[0]
    lines.append(f"g = gradient(y0, {target})")
    lines.append("g")
    lines.append(
        draw(st.sampled_from(["assert g ~= g", "assert y0 ~= y0, 'same'", 'print(y0, "text")', "{'a': g, 'b': [y0]}"]))
    )
    return "\n".join(lines) + "\n"


@st.composite
def damaged(draw):
    """A program with one to four random changes of its text."""
    text = draw(programs())
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, max(len(text) - 1, 0)))
        kind = draw(st.integers(0, 4))
        if kind == 0:
            text = text[:at] + text[at + draw(st.integers(1, 5)) :]
        elif kind == 1:
            text = text[:at] + draw(st.sampled_from(list("(){}[]=+-*/.,:;'\"#\n\\ ~@!$`é0x"))) + text[at:]
        elif kind == 2:
            other = draw(st.integers(0, max(len(text) - 1, 0)))
            text = text[:at] + text[other : other + draw(st.integers(1, 12))] + text[at:]
        elif kind == 3:
            word = draw(
                st.sampled_from(
                    ["tape", "watch", "none", "if", "else", "def", "return", "in", "1e400", "x[", "[[", "is"]
                )
            )
            text = text[:at] + f" {word} " + text[at:]
        else:
            text = text[:at]
    return text
