"""What a rival is: operands, parameters, and a function that gives the value and the gradients for ones upstream."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

#: entries along an axis; the tests divide it, so that they take no time
SIDE = [1000]
#: the side of a matrix, and the batch, height, width and channels of images
MATRIX = [512]
IMAGE = [(32, 32, 32, 16)]


class Rival:
    """`operands(rng)` makes them, `params` go by name; `by_hand(*operands)` gives `(value, gradients)`.

    The gradients are those of the operands with a floating dtype, in order.
    """

    def __init__(
        self, operands: Callable[[np.random.Generator], list[Any]], by_hand: Callable[..., Any],
        params: Callable[[], dict[str, Any]] | dict[str, Any] | None = None, spread: bool = False,
    ) -> None:  # fmt: skip
        self.operands = operands
        self.by_hand = by_hand
        self._params = params or {}
        #: the operation takes its operands as one list
        self.spread = spread

    @property
    def params(self) -> dict[str, Any]:
        """The parameters for the sizes that are set now."""
        return self._params() if callable(self._params) else self._params


def uniform(low: float = 0.2, high: float = 0.8, count: int = 1, shape: Any = None) -> Any:
    """Operands of random numbers between two bounds, a square of 10⁶ entries unless `shape` says otherwise."""

    def make(rng: np.random.Generator) -> list[Any]:
        size = (SIDE[0], SIDE[0]) if shape is None else shape() if callable(shape) else shape
        return [rng.uniform(low, high, size) for _ in range(count)]

    return make


def matrices(count: int = 1, regular: bool = False) -> Any:
    """Square matrices; `regular` ones have a heavy diagonal."""

    def make(rng: np.random.Generator) -> list[Any]:
        n = MATRIX[0]
        made = [rng.standard_normal((n, n)) for _ in range(count)]
        return [m + n * np.eye(n) for m in made] if regular else made

    return make
