"""The pages of operations, layers, losses and optimizers: what `gradcli ops` shows and docs/operations.md holds.

They are made of the registry and of `gradcli.nn.names` alone.
"""

from __future__ import annotations

from typing import Any

from gradcli.engine.primitive import REGISTRY, Primitive, all_names, lookup
from gradcli.lang.suggest import nearest
from gradcli.nn import names as modules

_KINDS = {"fc": "float, complex", "f": "float", "iufc": "number", "iuf": "real number", "iu": "integer", "b": "bool",
          "biufc": "number, bool", "biufcUS": "any"}  # fmt: skip


def signature(op: Primitive) -> str:
    """`reduce_sum(x, axis=none, keepdims=false)`."""
    parts = [name if name not in op.defaults else f"{name}={_default(op.defaults[name])}" for name in op.names]
    return f"{op.name}({', '.join(parts)})"


def _default(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {None: "none", True: "true", False: "false"}[value]
    return repr(value)


def _sentences(lines: list[str]) -> str:
    """What a docstring says before its formulas and examples."""
    end = next((i for i, line in enumerate(lines) if line.startswith(("d/d", ">>> "))), len(lines))
    return " ".join(line for line in lines[:end] if line)


def _examples(lines: list[str]) -> list[list[str]]:
    """Pairs of a program and what it prints."""
    starts = [i for i, line in enumerate(lines) if line.startswith(">>> ")]
    return [[lines[i].removeprefix(">>> "), lines[i + 1] if i + 1 < len(lines) else ""] for i in starts]


def page(op: Primitive) -> dict[str, Any]:
    """The facts of an operation, by the keys that `gradcli ops --format json` promises."""
    lines = [line.strip() for line in op.doc.strip().splitlines()]
    derivative = {}
    for line in lines:
        if line.startswith("d/d"):
            operand, _, formula = line.removeprefix("d/d").partition(":")
            derivative[operand] = formula.strip()
    kink = op.kink
    return {
        "name": op.name,
        "aliases": sorted({*op.aliases, *([op.numpy] if op.numpy and op.numpy != op.name else [])}),
        "family": op.family,
        "signature": signature(op),
        "differentiable": op.differentiable and not op.underivable,
        "derivative": derivative,
        "domain": ", ".join(dict.fromkeys(_KINDS.get(kinds, kinds) for kinds in op.accepts)),
        "kinks": f"{kink.code}: {kink.convention}; one-sided slopes {kink.slopes}" if kink is not None else "",
        "doc": _sentences(lines),
        "example": _examples(lines),
    }


def module_page(name: str) -> dict[str, Any]:
    """The facts of a layer, loss, initializer or optimizer, by the same keys."""
    made = modules.find(name)
    lines = [line.strip() for line in (made.__doc__ or "").strip().splitlines()]
    names, defaults = modules.parameters(made)
    family = modules.PLACES[name][0]
    parts = [key if key not in defaults else f"{key}={_default(defaults[key])}" for key in names]
    return {
        "name": name,
        "aliases": sorted(alias for alias, of in modules.ALIASES.items() if of == name),
        "family": family,
        "signature": f"{name}({', '.join(parts)})",
        "differentiable": family in ("layers", "losses"),
        "derivative": {},
        "domain": "whole numbers" if name == "Embedding" else "float",
        "kinks": "",
        "doc": _sentences(lines),
        "example": _examples(lines),
    }


def operation_pages() -> list[dict[str, Any]]:
    """Every operation, by family and name."""
    return [page(op) for op in sorted(REGISTRY.values(), key=lambda op: (op.family, op.name))]


def module_pages() -> list[dict[str, Any]]:
    """Every layer, initializer, loss and optimizer, in the order in which they are listed."""
    return [module_page(name) for name in modules.PLACES]


def pages() -> list[dict[str, Any]]:
    """All of them: operations by family and name, then layers, initializers, losses and optimizers."""
    return [*operation_pages(), *module_pages()]


def find(word: str) -> list[dict[str, Any]]:
    """What has that name, or what has the word in its name, family or sentence."""
    op = lookup(word)
    if op is not None:
        return [page(op)]
    plain = word.rpartition(".")[2] if word.startswith(("tf.keras.", "keras.")) else word
    name = modules.ALIASES.get(plain, plain)
    if name in modules.PLACES:
        return [module_page(name)]
    needle = word.lower()
    return [p for p in pages() if needle in p["name"].lower() or needle in p["family"] or needle in p["doc"].lower()]


def near(word: str) -> list[str]:
    """The names nearest to one that is none."""
    return nearest(word, (*all_names(), *modules.PLACES))


def page_text(facts: dict[str, Any]) -> str:
    """One operation's page as plain text."""
    lines = [facts["signature"], "  " + facts["doc"]]
    lines.extend(f"  d/d{operand}: {formula}" for operand, formula in facts["derivative"].items())
    if not facts["differentiable"]:
        lines.append("  no gradient flows through it")
    lines.append(f"  dtypes: {facts['domain']}")
    if facts["kinks"]:
        lines.append(f"  {facts['kinks']}")
    if facts["aliases"]:
        lines.append(f"  also: {', '.join(facts['aliases'])}")
    for code, printed in facts["example"]:
        lines.extend((f"  > {code}", f"    {printed}"))
    return "\n".join(lines)


def listing(found: list[dict[str, Any]]) -> str:
    """Names by family, each with its sentence."""
    lines, family = [], None
    for facts in found:
        if facts["family"] != family:
            family = facts["family"]
            lines.append(family)
        first = facts["doc"].split(". ")[0].rstrip(".")
        lines.append(f"  {facts['name']:<28} {first}")
    return "\n".join(lines)


def markdown() -> str:
    """docs/operations.md."""
    operations, layers = operation_pages(), module_pages()
    found = [*operations, *layers]
    count = sum(facts["differentiable"] for facts in operations)
    made = (
        "Made from the registry by `python -m gradcli.report.operations`; a test holds it current. "
        f"{len(operations)} operations, {count} of them differentiable; {len(layers)} layers, initializers, losses and "
        "optimizers."
    )
    lines = ["# Operations", "", made]
    family = None
    for facts in found:
        if facts["family"] != family:
            family = facts["family"]
            lines += ["", f"## {family}"]
        lines += ["", f"### `{facts['signature']}`", "", facts["doc"], ""]
        lines += [f"- d/d{operand}: `{formula}`" for operand, formula in facts["derivative"].items()]
        if facts["kinks"]:
            lines.append(f"- {facts['kinks']}")
        if facts["aliases"]:
            lines.append("- also " + ", ".join(f"`{alias}`" for alias in facts["aliases"]))
        for code, printed in facts["example"]:
            lines.append(f"- `{code}` prints `{printed}`")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    with open("docs/operations.md", "w", encoding="utf-8") as file:
        file.write(markdown())
