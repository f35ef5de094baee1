"""The .safetensors format: the library checks a file and writes one; what is large is mapped, not read."""

from __future__ import annotations

from typing import Any

import numpy as np

from .arrays import at
from .faults import DataError
from .files import check_room, opened, size_of

_DTYPES = {
    "F16": "<f2", "F32": "<f4", "F64": "<f8", "I8": "<i1", "I16": "<i2", "I32": "<i4", "I64": "<i8", "U8": "<u1",
    "U16": "<u2", "U32": "<u4", "U64": "<u8", "BOOL": "|b1", "C64": "<c8",
}  # fmt: skip
_INSTALL = "pip install 'gradcli[safetensors]'"


def read_safetensors(path: str) -> dict[str, Any]:
    """The arrays of a .safetensors file by their names. Raises OSError and DataError."""
    import json

    with opened(path) as file:
        check_room(size_of(file), mapped=True)  # the library maps all of it
        _check(path)
        length = int.from_bytes(file.read(8), "little")
        # the library has found the header whole, its positions in order and the file as long as they say
        header = json.loads(file.read(length))
        found = {}
        for name, entry in header.items():
            if name == "__metadata__":
                continue
            what = f"entry '{name}'"
            if entry["dtype"] not in _DTYPES:
                raise DataError(f"{what} is of {entry['dtype']}, which NumPy does not have", "save it as F32 or F64")
            dtype = np.dtype(_DTYPES[entry["dtype"]])
            found[name] = at(file, 8 + length + entry["data_offsets"][0], tuple(entry["shape"]), dtype, what)
        return found


def _check(path: str) -> None:
    try:
        from safetensors import SafetensorError, safe_open
    except ImportError:
        raise DataError("reading it needs the package safetensors", _INSTALL) from None
    try:
        with safe_open(path, framework="np"):
            pass
    except (SafetensorError, TypeError, ValueError) as error:
        text = str(error).partition(":")[2].strip() or str(error)
        raise DataError(f"it is not a .safetensors file, or it is damaged ({text[:80]})") from None


def safetensors_bytes(arrays: dict[str, Any]) -> bytes:
    """A .safetensors file of arrays. Raises DataError for a dtype that the format does not have."""
    try:
        from safetensors.numpy import save
    except ImportError:
        raise DataError("writing it needs the package safetensors", _INSTALL) from None
    for name, data in arrays.items():
        if np.asarray(data).dtype.name == "complex128":
            raise DataError(f"'{name}' is complex128, which .safetensors does not have", "save it as .npz")
    # the library writes the bytes as they lie in memory
    return bytes(save({name: np.array(data, order="C") for name, data in arrays.items()}))
