"""Writing named arrays, atomically: a file is there whole or not at all."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from .files import obstacle, whole

WRITERS = (".npz", ".json")


def check_writable(path: str) -> str | None:
    """Why a file of this name cannot be written; None if nothing speaks against it yet."""
    ending = os.path.splitext(path)[1].lower()
    if ending not in WRITERS:
        return f"the name must end in {' or '.join(WRITERS)}"
    return obstacle(path)


def write_data(path: str, arrays: dict[str, Any]) -> None:
    """Write named arrays as .npz or .json. Raises OSError; then nothing was changed."""
    with whole(os.path.realpath(path)) as file:
        if path.lower().endswith(".npz"):
            np.savez(file, **arrays)
        else:
            file.write(_json(arrays).encode())


def _json(arrays: dict[str, Any]) -> str:
    import json

    document = {
        name: {"dtype": data.dtype.name, "shape": list(data.shape), "data": _entries(data.tolist())}
        for name, data in ((name, np.asarray(value)) for name, value in arrays.items())
    }
    return json.dumps(document, allow_nan=False) + "\n"


def _entries(value: Any) -> Any:
    if isinstance(value, list):
        return [_entries(item) for item in value]
    if isinstance(value, complex):
        return [_entries(value.real), _entries(value.imag)]
    if isinstance(value, float) and (value != value or value in (np.inf, -np.inf)):
        return "nan" if value != value else "inf" if value > 0 else "-inf"
    return value
