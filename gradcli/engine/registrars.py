"""The decorators with which `ops/` enters operations, named by kind; each asks only for what is particular.

    @elementwise(lambda ct, y, x: ct * cos(x))            y[i] depends on x[i] (after broadcasting) alone
    @primitive(lambda ct, y, x, axis: …)                  anything else; one rule an operand
    @zero_derivative()                                    the derivative is zero wherever it exists (sign)
    @blocked("cut-no-derivative")                         no gradient flows (argmax, floor); the code says why
    @underivable(of="lu")                                 a gradient that comes here is an error; takes [x]
    @creation()                                           no tensor operand (zeros, arange)
    @composite(arity=1)                                   made of other operations (fill, cast)

A rule has the signature `(ct, y, *xs, **params)` and returns the contribution to its operand; None stands for an
operand that no gradient reaches. It says nothing of broadcasting, casting or accumulation: the sweep does that on the
edge. It counts axes from the right, so that leading axes of a batch of cotangents pass through. An argument whose name
begins with `_` is not kept for it: of `_x` it may ask shape, dtype, ndim and size, nothing else.

The docstring of an entry is its page: a sentence, `d/dx: formula` for each operand, `>>>` examples in the language.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .calling import make_call
from .namespace import xp
from .primitive import KINDS, Case, Differs, Kink, Primitive, register
from .tensor import Tensor

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Rule = Callable[..., Any]
    Function = Callable[..., Any]

_REAL = (-2.0, 2.0)


def _enter(
    forward: Function,
    *,
    rules: Sequence[Rule | None] = (),
    arity: int | None = None,
    name: str | None = None,
    tf: str = "",
    numpy: str | None = None,
    method: str | None = None,
    accepts: str | tuple[str, ...] = "float",
    domain: tuple[float, ...] | Sequence[tuple[float, ...]] = _REAL,
    cases: Sequence[Case] = (),
    kink: Kink | None = None,
    tensorflow: Differs | None = None,
    prepare: Callable[..., dict[str, Any]] | None = None,
    batchable: bool = True,
    jvp: Rule | None = None,
    blocked: str | None = None,
    elementwise: bool = False,
    plain: tuple[bool, bool] | None = None,
    anew: Callable[..., dict[str, Any]] | None = None,
    composite: bool = False,
) -> Function:
    op = Primitive(name or forward.__name__, forward)
    code = forward.__code__
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    defaults = forward.__defaults__ or ()
    op.names = names
    op.defaults = dict(zip(names[code.co_argcount - len(defaults) : code.co_argcount], defaults))
    op.defaults.update(forward.__kwdefaults__ or {})
    op.arity = arity if arity is not None else len(rules)
    op.rules = tuple(rules)
    op.family = forward.__module__.rpartition(".")[2]
    op.aliases = tuple(tf.split())
    op.numpy = numpy
    op.method = method
    words = (accepts,) if isinstance(accepts, str) else accepts
    op.accepts = tuple(KINDS[word] for word in words)
    op.literal_float = op.accepts[0] in ("f", "fc")
    op.blocked = blocked
    op.decides = op.family == "comparison" and elementwise
    op.batchable = batchable
    op.elementwise = elementwise
    op.plain = plain or (op.family in ("arithmetic", "comparison", "selection"),) * 2
    op.composite = composite
    op.prepare = prepare
    op.anew = anew
    op.jvp = jvp
    op.kink = kink
    op.tensorflow = tensorflow
    op.cases = tuple(cases)
    count = max(op.arity, 1)
    op.domain = (domain,) * count if isinstance(domain[0], (int, float)) else tuple(domain)  # type: ignore[assignment,arg-type]
    _infer_kept(op)
    op.summary = (forward.__doc__ or "").strip().partition("\n")[0]
    op.call = make_call(op)
    register(op)
    call = op.call
    call.__name__ = call.__qualname__ = op.name
    call.__doc__ = forward.__doc__
    call.__module__ = forward.__module__
    call.op = op  # type: ignore[attr-defined]
    return call


def _infer_kept(op: Primitive) -> None:
    """Which values the rules read, and those who look for kinks: those whose parameter does not begin with `_`."""
    count = op.arity if op.arity >= 0 else 1
    kept, keeps_y = [False] * count, False
    for rule in op.rules:
        if rule is None:
            continue
        code = rule.__code__
        names = code.co_varnames[1 : code.co_argcount]
        keeps_y = keeps_y or not names[0].startswith("_")
        for i, name in enumerate(names[1 : 1 + count]):
            kept[i] = kept[i] or not name.startswith("_")
    if op.kink is not None:
        code = op.kink.where.__code__
        for i, name in enumerate(code.co_varnames[1 : min(1 + count, code.co_argcount)]):
            kept[i] = kept[i] or not name.startswith("_")
    op.keeps_x, op.keeps_y = tuple(kept), keeps_y


def elementwise(*rules: Rule | None, **entry: Any) -> Callable[[Function], Function]:
    """An operation of entries: operands broadcast, `y[i]` depends on the operands' entries at i alone."""
    return lambda forward: _enter(forward, rules=rules, elementwise=True, **entry)


def primitive(*rules: Rule | None, **entry: Any) -> Callable[[Function], Function]:
    """Any operation with a rule for each operand; `arity=-1` for one rule over a list of operands."""
    return lambda forward: _enter(forward, rules=rules, **entry)


def zero_derivative(of_complex: Rule | None = None, **entry: Any) -> Callable[[Function], Function]:
    """An operation whose derivative is zero wherever it exists; its gradient is zeros, not None.

    `of_complex` is the rule for complex operands, where it is another one.
    """

    def zero(ct: Any, _y: Any, _x: Any) -> Any:
        zeros = xp.zeros_like(getattr(ct, "value", ct))
        return Tensor(zeros) if type(ct) is Tensor else zeros

    def either(ct: Any, y: Any, x: Any) -> Any:
        return of_complex(ct, y, x) if of_complex is not None and x.dtype.kind == "c" else zero(ct, y, x)

    return lambda forward: _enter(forward, rules=(either if of_complex else zero,), elementwise=True, **entry)


def blocked(code: str, arity: int = 1, **entry: Any) -> Callable[[Function], Function]:
    """An operation through which no gradient flows; `code` is the reason that a None tells."""
    return lambda forward: _enter(forward, rules=(None,) * arity, arity=arity, blocked=code, **entry)


def underivable(of: str, **entry: Any) -> Callable[[Function], Function]:
    """An operation whose derivative is not here: a gradient that comes to it raises `no-derivative`, naming `of`."""

    def rule(ct: Any, _y: Any, _x: Any) -> Any:
        raise AssertionError("the sweep refuses before it asks for a rule")

    def enter(forward: Function) -> Function:
        call = _enter(forward, rules=(rule,), arity=-1, **entry)
        call.op.underivable = of  # type: ignore[attr-defined]
        return call

    return enter


def creation(**entry: Any) -> Callable[[Function], Function]:
    """An operation without tensor operands."""
    return lambda forward: _enter(forward, arity=0, blocked="not-watched", accepts="any", **entry)


def composite(arity: int, derivable: bool = True, **entry: Any) -> Callable[[Function], Function]:
    """A function of operations that is documented and called as one; what it is made of is what tapes record."""

    def enter(forward: Function) -> Function:
        call = _enter(forward, arity=arity, composite=True, **entry)
        call.op.underivable = "" if derivable else call.op.name  # type: ignore[attr-defined]
        return call

    return enter
