"""`gradcli grad EXPR NAME=VALUE…`: the derivative of one expression."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Any

from . import limits
from .evaluate import Clock, check_save, checks_asked, chosen_format, conclude, run_limited
from .exits import UsageError
from .options import parse_arguments
from .printer import Printer
from .streams import text_of

if TYPE_CHECKING:
    from .options import Parsed


def run(argv: list[str]) -> int:
    """Run the command; returns the exit status."""
    options = parse_arguments("grad", argv)
    if not options.arguments:
        raise UsageError("grad needs an expression and values: gradcli grad 'x**2' x=3")
    expression, *rest = map(text_of, options.arguments)
    values = _assignments(rest)
    names = _wanted(options, values)
    order = int(options.get("order", 1))
    timeout, memory = limits.seconds(options.get("timeout")), limits.size(options.get("max_memory"))
    check_save(options)
    kind = _kind(options, order)
    printer = Printer(options, chosen_format(options), derivative_only=True)
    from gradcli.lang.faults import FaultError
    from gradcli.lang.parser import parse
    from gradcli.lang.source import Source
    from gradcli.runtime.outcomes import faulted

    source = Source("<expression>", expression)
    started = perf_counter()
    try:
        program: Any = parse(expression)
    except FaultError as error:
        for outcome in faulted(source, error.faults):
            printer.emit(outcome)
        return printer.finish()
    parsed = perf_counter() - started
    if len(program.body) != 1 or type(program.body[0]).__name__ != "ExprStatement":
        raise UsageError("grad takes one expression; for a program use gradcli eval -e '…'")
    from gradcli.runtime.derivative import derive
    from gradcli.runtime.session import Session
    from gradcli.runtime.settings import Settings

    settings = Settings(options.get("dtype") or "float64", None, options.get("seed"), checks=checks_asked(options))
    session = Session(printer.emit, settings)
    started = perf_counter()
    run_limited(
        printer, source, timeout, memory, lambda: derive(session, source, program, values, names, order, kind)
    )  # fmt: skip
    clock = Clock() if options.get("time") else None
    if clock is not None:
        clock.add(parsed, perf_counter() - started, session.backward_seconds)
    return conclude(printer, options, session.named_values(), clock)


def _kind(options: Parsed, order: int) -> str:
    kinds = [name for name in ("jacobian", "hessian") if options.get(name)]
    if len(kinds) > 1 or (kinds and order != 1):
        raise UsageError("--order, --jacobian and --hessian exclude one another")
    return kinds[0] if kinds else "gradient"


def _assignments(words: list[str]) -> dict[str, str]:
    values: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name.strip().isidentifier() or not value.strip():
            raise UsageError(f"after the expression come values, NAME=VALUE, not {word}")
        if name.strip() in values:
            raise UsageError(f"{name.strip()} is given twice")
        values[name.strip()] = value.strip()
    if not values:
        raise UsageError("no name to differentiate by: give it a value, as in gradcli grad 'x**2' x=3")
    return values


def _wanted(options: Parsed, values: dict[str, str]) -> list[str]:
    text = options.get("wrt")
    if text is None:
        return list(values)
    names = [name.strip() for name in text.split(",") if name.strip()]
    for name in names:
        if name not in values:
            raise UsageError(f"--wrt {name}: it has no value; write {name}=…")
    if not names:
        raise UsageError("--wrt takes names: --wrt x,y")
    return names
