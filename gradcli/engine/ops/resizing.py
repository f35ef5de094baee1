"""Images in another size: image.resize."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import EngineError
from ..primitive import Case
from ..registrars import composite
from .axes import shape_of
from .windows import images


def _weights(have: int, want: int, method: str) -> Any:
    """Each new row as a mean of old ones; centres of entries fall on centres, edges are repeated."""
    at = (np.arange(want) + 0.5) * have / max(want, 1) - 0.5
    found = np.zeros((want, have))
    rows = np.arange(want)
    if method == "nearest":
        found[rows, np.clip(np.floor(at + 0.5).astype(int), 0, have - 1)] = 1.0
        return found
    low = np.floor(at)
    part = at - low
    np.add.at(found, (rows, np.clip(low.astype(int), 0, have - 1)), 1 - part)
    np.add.at(found, (rows, np.clip(low.astype(int) + 1, 0, have - 1)), part)
    return found


@composite(
    arity=1,
    tf="image.resize",
    accepts="real",
    cases=(Case((1, 2, 2, 1), size=[4, 3], method="nearest"),),
)
def resize(x: Any, size: Any, method: Any = "bilinear") -> Any:
    """Images in another height and width, "bilinear" or "nearest". Bilinear results are float32, as in TensorFlow.

    d/dx: the upstream by the same weights back
    >>> resize([[[[1.0], [2.0]]]], [1, 4])
    [[[[1.0], [1.25], [1.75], [2.0]]]]
    """
    from .einsum import contract
    from .selection import cast

    images(x, "image.resize")
    wanted = shape_of(size, "image.resize")
    if len(wanted) != 2 or min(wanted) < 1:
        raise EngineError("bad-value", "shape", op="image.resize", given=str(list(wanted)))
    kind = str(method).lower()
    if kind not in ("bilinear", "nearest"):
        raise EngineError("bad-value", "choice", op="image.resize", given=str(method), known=("bilinear", "nearest"))
    if kind == "bilinear":
        x = cast(x, "float32")
    down = _weights(x.shape[1], wanted[0], kind).astype(x.dtype)
    across = _weights(x.shape[2], wanted[1], kind).astype(x.dtype)
    return contract([contract([x, down], "nhwc,yh->nywc"), across], "nywc,xw->nyxc")
