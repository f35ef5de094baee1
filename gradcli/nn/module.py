"""Containers of variables: which ones they hold, in which order, under which paths. No layer is known here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gradcli.engine import EngineError, Variable, constant
from gradcli.engine.dtypes import dtype_name
from gradcli.engine.journal import entering
from gradcli.engine.recording import next_index

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator


def snake(name: str, digits: bool = True) -> str:
    """`BatchNormalization` → `batch_normalization`, as TensorFlow names modules; Keras does not cut behind `digits`."""
    letters = []
    for i, letter in enumerate(name):
        after = name[i + 1 : i + 2]
        if letter.isupper() and i and (name[i - 1].islower() or (digits and name[i - 1].isdigit()) or after.islower()):
            letters.append("_")
        letters.append(letter.lower())
    return "".join(letters)


class Module:
    """A named container of variables and other modules, also in lists, tuples and dicts of its attributes.

    Its variables come in the order in which its attributes were set, its own before those of its submodules, each once.
    `trainable = False` takes all below it out of `trainable_variables`; tapes go on watching them, as in Keras.
    """

    trainable = True
    _made = 0

    def __init__(self, name: str | None = None) -> None:
        self._name = name
        self._made = next_index()

    def __setattr__(self, name: str, value: Any) -> None:
        entering(self)
        object.__setattr__(self, name, value)

    def way_back(self) -> Callable[[], None]:
        """A function that gives it the attributes that it has now, and its random numbers their state."""
        random = getattr(self, "_random", None)
        return way_back_of(vars(self), None if random is None else random.bit_generator)

    @property
    def name(self) -> str:
        """The name given, else that of the class: `BatchNormalization` is `batch_normalization`."""
        return getattr(self, "_name", None) or snake(type(self).__name__)

    def attributes(self) -> Iterable[tuple[str, Any]]:
        """The attributes in which variables and modules are looked for, by name, in order."""
        return [(name, value) for name, value in vars(self).items() if not name.startswith("_")]

    def is_part(self, value: Any) -> bool:
        """Does this value count as a submodule?"""
        return isinstance(value, Module)

    @property
    def variables(self) -> Any:
        """All variables, each once, as a list."""
        return list(self.named_variables().values())

    @property
    def trainable_variables(self) -> Any:
        """The variables that are trainable, in modules that are."""
        return list(self.named_variables(trainable=True).values())

    @property
    def non_trainable_variables(self) -> Any:
        """The others."""
        trained = {id(v) for v in self.named_variables(trainable=True).values()}
        return [v for v in self.named_variables().values() if id(v) not in trained]

    @property
    def submodules(self) -> Any:
        """All modules below this one, each once: those of its attributes, then the ones below each of them."""
        return [module for _, module in self._below({id(self)})]

    def named_variables(self, trainable: bool = False) -> dict[str, Variable]:
        """Variables by path, such as `layers.0.kernel`; only what is trainable, if that is asked."""
        found: dict[str, Variable] = {}
        self._collect("", found, {id(self)}, set(), trainable)
        return found

    def _collect(
        self, path: str, found: dict[str, Variable], modules: set[int], variables: set[int], trainable: bool
    ) -> None:
        if trainable and not self.trainable:
            return
        parts = []
        for name, leaf in self._leaves():
            if isinstance(leaf, Variable):
                if id(leaf) not in variables and (leaf.trainable or not trainable):
                    variables.add(id(leaf))
                    found[path + name] = leaf
            elif self.is_part(leaf) and id(leaf) not in modules:
                modules.add(id(leaf))
                parts.append((name, leaf))
        for name, module in parts:
            module._collect(f"{path}{name}.", found, modules, variables, trainable)

    def _below(self, seen: set[int]) -> Iterator[tuple[str, Module]]:
        parts = []
        for name, leaf in self._leaves():
            if self.is_part(leaf) and id(leaf) not in seen:
                seen.add(id(leaf))
                parts.append((name, leaf))
        yield from parts
        for _, module in parts:
            yield from module._below(seen)

    def _leaves(self) -> Iterator[tuple[str, Any]]:
        stack = [(name, value) for name, value in self.attributes()]
        stack.reverse()
        while stack:
            name, value = stack.pop()
            if isinstance(value, (list, tuple)):
                stack.extend((f"{name}.{i}", value[i]) for i in range(len(value) - 1, -1, -1))
            elif isinstance(value, dict):
                stack.extend((f"{name}.{key}", value[key]) for key in reversed(self._keys(value)))
            else:
                yield name, value

    def _keys(self, value: dict[Any, Any]) -> list[Any]:
        return list(value)

    @property
    def weights(self) -> Any:
        """The variables, under Keras's name."""
        return self.variables

    def get_weights(self) -> list[Any]:
        """Copies of the arrays of all variables, in their order."""
        return [np.array(v.value) for v in self.named_variables().values()]

    def count_params(self) -> int:
        """How many numbers the variables hold."""
        return sum(v.size for v in self.named_variables().values())

    def set_weights(self, weights: Any) -> None:
        """Set every variable from a list in their order, or from a dict by path.

        Raises `bad-value` with each path that is missing, not known, or of another shape or dtype; then nothing is set.
        """
        own = self.named_variables()
        values = weights
        if not isinstance(values, dict):
            values = list(values)
            if len(values) != len(own):
                raise EngineError(
                    "bad-value", "weights-count", op=self.name, wanted=len(own), given=len(values), known=list(own)
                )
            values = dict(zip(own, values))
        wrong: list[tuple[str, str, Any, Any]] = []
        found = {}
        for path, variable in own.items():
            if path not in values:
                wrong.append(("missing", path, _spec(variable), None))
                continue
            value = values[path]
            data = found[path] = constant(getattr(value, "value", value), _literal_dtype(value, variable.dtype))
            if data.shape != variable.shape or data.dtype != variable.dtype:
                wrong.append(("differs", path, _spec(variable), _spec(data)))
        wrong.extend(("unknown", path, None, None) for path in values if path not in own)
        if wrong:
            raise EngineError("bad-value", "weights", op=self.name, wrong=wrong)
        for path, data in found.items():
            own[path].assign(data)


def way_back_of(attributes: dict[Any, Any], random: Any = None) -> Callable[[], None]:
    """A function that puts attributes back as they are now; the lists, dicts and sets among them are copied for it."""
    kept = {name: (value, _copy(value)) for name, value in attributes.items()}
    state = None if random is None else random.state

    def back() -> None:
        attributes.clear()
        for name, (value, copy) in kept.items():
            attributes[name] = value
            if isinstance(value, list):
                value[:] = copy
            elif isinstance(value, (dict, set)):
                value.clear()
                value.update(copy)
        if random is not None:
            random.state = state

    return back


def _copy(value: Any) -> Any:
    return value.copy() if isinstance(value, (list, dict, set)) else value


def _spec(value: Any) -> tuple[str, tuple[int, ...]]:
    return dtype_name(value.dtype), value.shape


def _literal_dtype(value: Any, dtype: Any) -> Any:
    """Numbers and lists of them take the variable's dtype; arrays keep their own, which is then compared."""
    return None if hasattr(value, "dtype") else dtype
