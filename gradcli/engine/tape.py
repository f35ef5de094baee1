"""`GradientTape`: records what is computed while it is open and touches something it watches, and gives gradients.

Its rules are those of TensorFlow's tape of the same name: a tape is good for one gradient unless it is persistent; a
non-scalar target stands for the sum of its entries; a gradient is None where no differentiable path leads to a source.
"""

from __future__ import annotations

from contextlib import contextmanager
from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np

from . import structure
from .dtypes import dtype_name, is_differentiable
from .errors import EngineError
from .passages import GRADIENT
from .pullback import pull_back
from .recording import Mark, current_state, include, next_index
from .tensor import Node, Shadow, Tensor, leaf
from .variable import Variable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType

_serial = count(1).__next__


class GradientTape:
    """A recording of operations.

    Persistent: any number of gradients may be taken; otherwise one. `watch_accessed_variables=False`: only what `watch`
    names is tracked. Use it as a context manager; it may be entered again to go on recording.
    """

    def __init__(self, persistent: bool = False, watch_accessed_variables: bool = True, name: str = "") -> None:
        self.persistent = persistent
        self.watch_accessed_variables = watch_accessed_variables
        self.name = name
        self.serial = _serial()
        self.paused = False
        self.open = False
        #: where the one gradient of a one-shot tape was taken; 0 while it is good
        self.used_site = 0
        self.used = False
        #: if a list, gets the operations that a gradient goes through, for who will `release` their values
        self.swept: list[Node] | None = None
        self.mark = Mark(self.serial, watch_accessed_variables, 0, 0)

    # -- the block -----------------------------------------------------------------------------------------------------

    def __enter__(self) -> GradientTape:
        state = current_state()
        if self.open:
            raise EngineError("not-recording", "still-open", tape=self.name)
        self._enter_in_journal(state)
        if self.used or not self.mark.opened_at:
            self._renew()
        self.mark.closed_at = 0
        self.used = False
        self.open = True
        state.tapes.append(self)
        state.refresh()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._close()

    def __del__(self) -> None:
        mark = getattr(self, "mark", None)
        if mark is not None:
            mark.alive = False

    def _close(self) -> None:
        if not self.open:
            return
        state = current_state()
        self._enter_in_journal(state)
        self.open = False
        self.mark.closed_at = next_index()
        if self in state.tapes:
            state.tapes.remove(self)
        state.refresh()

    def _enter_in_journal(self, state: Any) -> None:
        if state.journal is not None:
            state.journal.tape(self)

    def _renew(self) -> None:
        state = current_state()
        old = self.mark
        old.alive = False
        self.mark = Mark(self.serial, self.watch_accessed_variables, next_index(), state.site)

    # -- what is watched -----------------------------------------------------------------------------------------------

    def watch(self, sources: Any) -> None:
        """Track tensors or variables (any nesting) from here on. A dtype without gradients warns (`watched-dtype`)."""
        state = current_state()
        if not self.open:
            raise EngineError("not-recording", "watch", tape=self.name, used=self.used)
        for source in structure.flatten(sources):
            if not isinstance(source, (Tensor, Variable)):
                raise EngineError("not-a-tensor", "watch", op="watch", type=type(source).__name__)
            if not is_differentiable(source.value.dtype):
                self._warn("watched-dtype", source)
            if isinstance(source, Variable):
                source.watch(self.mark)
                self.mark.watched_at.setdefault(source.node, next_index())
                continue
            node = source.node
            if node is None:
                node = source.node = leaf(state.site)
            if node.rec is None or not node.rec.has(self.mark):
                self.mark.watched_at[node] = next_index()
                if is_differentiable(source.value.dtype):
                    node.rec = include(node.rec, frozenset((self.mark,)), state.recording)

    def watched_variables(self) -> tuple[Variable, ...]:
        """The variables watched so far, in order of their creation."""
        return tuple(self.mark.variables[node] for node in sorted(self.mark.variables, key=lambda node: node.index))

    def reset(self) -> None:
        """Forget everything recorded and watched."""
        if not self.open:
            raise EngineError("not-recording", "reset", tape=self.name, used=self.used)
        state = current_state()
        self._enter_in_journal(state)
        self.mark.reset_site = state.site
        self.mark.closed_at = next_index()
        self._renew()
        state.refresh()

    @contextmanager
    def stop_recording(self) -> Iterator[None]:
        """Do not record inside this block."""
        if not self.open or self.paused:
            raise EngineError("not-recording", "stop_recording", tape=self.name, used=self.used)
        state = current_state()
        span = [next_index(), 0]
        mark = self.mark
        mark.stops.append(span)
        self.paused = True
        state.refresh()
        try:
            yield
        finally:
            self.paused = False
            span[1] = next_index()
            if self.used and self.open is False:
                # a one-shot gradient inside the block ended the recording: the tape block goes on with a fresh one
                self.__enter__()
            state.refresh()

    # -- gradients -----------------------------------------------------------------------------------------------------

    def gradient(
        self, target: Any, sources: Any, output_gradients: Any = None, unconnected_gradients: str = "none"
    ) -> Any:
        """d(sum of `target`) / d`sources`, in the structure of `sources`; None where they are not connected.

        Each gradient has the shape and dtype of its source. `output_gradients` weighs the entries of the targets and
        has their structure. Raises `tape-used-up`, `not-a-tensor`, `wrong-arguments`, `shape-mismatch`,
        `dtype-mismatch`, `no-derivative`.
        """
        state = current_state()
        zero = unconnected(unconnected_gradients)
        targets = [checked(item, "target") for item in structure.flatten(target)]
        wanted = [checked(item, "source") for item in structure.flatten(sources)]
        self.refuse_second()
        self.check_dtypes(targets, wanted)
        upstream = seeds_of(targets, target, output_gradients)
        self.begin_query(state)
        record = state.recording is not None or state.thorough
        nodes = [node_of(item) for item in wanted]
        pairs = [
            (node_of(item), ct if record else ct.value)
            for item, ct in zip(targets, upstream)
            if ct.value.dtype.kind not in "US"  # a string target adds nothing, not even to itself
        ]
        with np.errstate(all="ignore"):
            found = pull_back(state, self.mark, pairs, nodes, 0, record, self.swept)
        results = [result(state, ct, source, zero) for ct, source in zip(found, wanted)]
        return structure.pack(sources, iter(results))

    def refuse_second(self) -> None:
        """Raise `tape-used-up` if a one-shot tape has given its gradient, `not-recording` if it never recorded."""
        if self.used and not self.persistent:
            raise EngineError("tape-used-up", "second-query", tape=self.name, used_site=self.used_site)
        if not self.mark.opened_at:
            raise EngineError("not-recording", "never-opened", tape=self.name, used=False)

    def begin_query(self, state: Any) -> None:
        """Count one query: a one-shot tape ends here, also its recording. Raises what `refuse_second` raises."""
        self.refuse_second()
        if not self.persistent:
            self._use_up(state.site)

    def check_dtypes(self, targets: list[Any], sources: list[Any]) -> None:
        """Warn of targets and sources whose dtype carries no gradient."""
        for code, items in (("target-dtype", targets), ("source-dtype", sources)):
            for item in items:
                if not is_differentiable(item.value.dtype):
                    self._warn(code, item)

    def _use_up(self, site: int) -> None:
        self._enter_in_journal(current_state())
        self.used = True
        self.used_site = site
        self._close()

    def _warn(self, code: str, source: Any) -> None:
        warn = current_state().warn
        if warn is not None:
            warn(code, dtype_name(source.value.dtype), source)


def gradient_of(state: Any, mark: Mark, target: Any, source: Any) -> Tensor | None:
    """The gradient of a target, recorded by whoever records now; None if it is not connected."""
    seed = Tensor(np.ones(target.value.shape, target.value.dtype)[()])
    with np.errstate(all="ignore"):
        (found,) = pull_back(state, mark, [(node_of(target), seed)], [node_of(source)], 0, True)
    return found  # type: ignore[no-any-return]


def unconnected(mode: str) -> bool:
    """Are None gradients replaced by zeros? Raises `bad-value` for any word but `none` and `zero`."""
    if mode == "none":
        return False
    if mode == "zero":
        return True
    raise EngineError("bad-value", "unconnected-gradients", given=mode)


def checked(item: Any, role: str) -> Any:
    """A target or source as it is, if it is a tensor or variable. Raises `not-a-tensor`."""
    if isinstance(item, (Tensor, Variable)):
        return item
    raise EngineError("not-a-tensor", role, op="gradient", type=type(item).__name__)


def node_of(item: Any) -> Node:
    """The identity of a tensor or variable."""
    if item.node is None:
        item.node = leaf(current_state().site)
    node: Node = item.node
    return node


def seeds_of(targets: list[Any], target: Any, output_gradients: Any) -> list[Tensor]:
    """A cotangent for each target: ones, or what the caller gave, held against shape and dtype."""
    if output_gradients is None:
        return [Tensor(np.ones(item.value.shape, item.value.dtype)[()]) for item in targets]
    if len(targets) == 1 and not isinstance(target, (list, tuple, dict)):
        given = [output_gradients]
    else:
        given = structure.flatten(output_gradients)
        if type(target) is dict and type(output_gradients) is dict and set(target) != set(output_gradients):
            raise EngineError("wrong-arguments", "output-gradients", given=len(given), wanted=len(targets))
    if len(given) != len(targets):
        raise EngineError("wrong-arguments", "output-gradients", given=len(given), wanted=len(targets))
    from .dtypes import weak
    from .operands import holds_tensor, operand

    seeds = []
    for item, ct in zip(targets, given):
        if isinstance(ct, (Tensor, Variable)):
            ct = operand(GRADIENT, ct)
            if ct.dtype != item.value.dtype:
                raise EngineError(
                    "dtype-mismatch", "output-gradients", op="gradient",
                    dtypes=(dtype_name(item.value.dtype), dtype_name(ct.dtype)),
                )  # fmt: skip
        elif isinstance(ct, (np.ndarray, np.generic)):
            ct = Tensor(ct.astype(item.value.dtype)[()])
        elif isinstance(ct, (int, float, complex, list, tuple)):
            ct = operand(GRADIENT, ct) if holds_tensor(ct) else Tensor(weak(ct, item.value.dtype, "gradient"))
        else:
            raise EngineError("not-a-tensor", "output-gradients", op="gradient", type=type(ct).__name__)
        if ct.shape != item.value.shape:
            raise EngineError("shape-mismatch", "output-gradients", op="gradient", shapes=(item.value.shape, ct.shape))
        seeds.append(conjugated(ct))
    return seeds


def conjugated(ct: Tensor) -> Tensor:
    """From TensorFlow's gradient d/dx + i d/dy of a complex tensor to a cotangent of the sweep, and back."""
    if ct.value.dtype.kind != "c":
        return ct
    from .ops.complexes import conj

    found: Tensor = conj(ct)
    return found


def result(state: Any, ct: Any, source: Any, zero: bool, conjugate: bool = True) -> Tensor | None:
    """A gradient as the user gets it: a new tensor with a node of its own, or None, or zeros.

    Inside, cotangents of complex tensors are the conjugates of what TensorFlow hands out; tangents are not.
    """
    if ct is None:
        if not zero:
            return None
        ct = np.zeros(source.value.shape, source.value.dtype)[()]
        return Tensor(ct, _made(state, None))
    if type(ct) is Tensor:
        if conjugate and np.iscomplexobj(ct.value):
            found = conjugated(ct)
            return Tensor(found.value + 0, found.node)
        node = ct.node
        if node is not None and node.rec is not None:
            return ct
        return Tensor(ct.value, _made(state, node))
    if conjugate and np.iscomplexobj(ct):
        ct = np.conj(ct) + 0  # 1 + 0i, not 1 - 0i
    if type(ct) is np.ndarray and not ct.flags.owndata:
        ct = ct.copy()
    return Tensor(ct, _made(state, None))


def _made(state: Any, node: Node | None) -> Shadow:
    from .history import shadow

    return shadow(state, GRADIENT, (node,))
