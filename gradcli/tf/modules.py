"""`tf.Module`: the attributes in the order of their names, and only other `tf.Module`s below; answers are tuples."""

from __future__ import annotations

from typing import Any

from gradcli.nn.module import Module as PlainModule


class Module(PlainModule):
    """A named container of variables and other modules."""

    def attributes(self) -> Any:
        """All attributes, by name."""
        return sorted(vars(self).items())

    def is_part(self, value: Any) -> bool:
        """A layer of Keras is none."""
        return isinstance(value, Module)

    def _keys(self, value: dict[Any, Any]) -> list[Any]:
        return sorted(value, key=str)

    @property
    def variables(self) -> Any:
        """All variables, each once."""
        return tuple(super().variables)

    @property
    def trainable_variables(self) -> Any:
        """The variables that tapes watch by themselves."""
        return tuple(super().trainable_variables)

    @property
    def non_trainable_variables(self) -> Any:
        """The others."""
        return tuple(super().non_trainable_variables)

    @property
    def submodules(self) -> Any:
        """All modules below this one, each once."""
        return tuple(super().submodules)
