"""`tf.Module`: variables of its attributes, by name, its own first, then those of its submodules."""

from __future__ import annotations

from typing import Any

from gradcli.engine import Variable


class Module:
    """A named container of variables and other modules."""

    def __init__(self, name: str | None = None) -> None:
        self._name = name or type(self).__name__.lower()

    @property
    def name(self) -> str:
        """The name given, else the class's in lower case."""
        return getattr(self, "_name", type(self).__name__.lower())

    @property
    def variables(self) -> tuple[Variable, ...]:
        """All variables, each once."""
        found: dict[int, Variable] = {}
        for module in (self, *self.submodules):
            for leaf in _leaves(module):
                if isinstance(leaf, Variable):
                    found.setdefault(id(leaf), leaf)
        return tuple(found.values())

    @property
    def trainable_variables(self) -> tuple[Variable, ...]:
        """The variables that tapes watch by themselves."""
        return tuple(v for v in self.variables if v.trainable)

    @property
    def non_trainable_variables(self) -> tuple[Variable, ...]:
        """The others."""
        return tuple(v for v in self.variables if not v.trainable)

    @property
    def submodules(self) -> tuple[Module, ...]:
        """All modules below this one, breadth first, each once."""
        found: dict[int, Module] = {}
        queue: list[Module] = [self]
        for module in queue:
            for leaf in _leaves(module):
                if isinstance(leaf, Module) and id(leaf) not in found and leaf is not self:
                    found[id(leaf)] = leaf
                    queue.append(leaf)
        return tuple(found.values())


def _leaves(module: Module) -> list[Any]:
    leaves: list[Any] = []
    stack = [value for _, value in sorted(vars(module).items(), reverse=True)]
    while stack:
        value = stack.pop()
        if isinstance(value, (list, tuple)):
            stack.extend(reversed(value))
        elif isinstance(value, dict):
            stack.extend(value[key] for key in sorted(value, reverse=True, key=str))
        else:
            leaves.append(value)
    return leaves
