"""One reader for each kind of file. OSError: it cannot be opened; DataError: it is not understood."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any

import numpy as np

from .faults import DataError
from .files import check_room, opened, size_of

if TYPE_CHECKING:
    from .tables import Layout

#: `digits.idx`, and as MNIST's own files are called: `train-images-idx3-ubyte.gz`, `t10k-labels.idx1-ubyte`
_IDX = re.compile(r"[.-]idx\d*(-[a-z]+)?(\.gz)?$")
_KINDS = (".npy", ".npz", ".csv", ".csv.gz", ".json", ".safetensors", ".idx", ".idx.gz")


def read_data(path: str, float_dtype: Any, dtype: Any = None, layout: Layout | None = None) -> Any:
    """An array, a `Table` for .csv, or a dict of arrays for .npz, .json and .safetensors.

    Numbers in text are read in `float_dtype`; with `dtype` all of the file is given in that one. `layout` is how a .csv
    file is written. A large .npy, .idx or .safetensors file is mapped: the pages that are looked at are read. Raises
    OSError, and DataError, which is a ValueError; TooLarge before anything of too large a file was read.
    """
    kind = _kind(path)
    if kind is None:
        with opened(path):
            pass
        ending = os.path.splitext(path)[1]
        said = f"files that end in '{ending}' are not read" if ending else "its name has no ending that says what it is"
        raise DataError(said, f"known are {', '.join(_KINDS)}")
    with opened(path) as file:
        if size_of(file) == 0:
            raise DataError("it is empty")
    if kind == "csv":
        from .tables import Layout, read_csv

        return read_csv(path, float_dtype if dtype is None else np.dtype(dtype), layout or Layout())
    if layout is not None:
        raise DataError("how a table is written is asked of .csv files alone", "dtype= is for every file")
    found = _READERS[kind](path, float_dtype)
    return found if dtype is None else _cast(found, np.dtype(dtype), "it")


def _kind(path: str) -> str | None:
    name = os.path.basename(path).lower()
    if _IDX.search(name):
        return "idx"
    ending = os.path.splitext(name.removesuffix(".gz") if name.endswith(".csv.gz") else name)[1][1:]
    return ending if ending == "csv" or ending in _READERS else None


def _cast(found: Any, dtype: np.dtype[Any], what: str) -> Any:
    if isinstance(found, dict):
        return {name: _cast(data, dtype, f"entry '{name}'") for name, data in found.items()}
    if found.dtype == dtype or (dtype.kind == "U" and found.dtype.kind == "U"):
        return found
    if "U" in (found.dtype.kind, dtype.kind) or (found.dtype.kind == "c" and dtype.kind != "c"):
        raise DataError(f"{what} holds {_name(found.dtype)}, which does not become {_name(dtype)}")
    check_room(found.size * dtype.itemsize)
    with np.errstate(all="ignore"):
        return found.astype(dtype)


def _name(dtype: np.dtype[Any]) -> str:
    return "string" if dtype.kind == "U" else dtype.name


def _npy(path: str, _: Any) -> Any:
    from .arrays import read_npy

    return read_npy(path)


def _npz(path: str, _: Any) -> Any:
    from .arrays import read_npz

    return read_npz(path)


def _idx(path: str, _: Any) -> Any:
    from .arrays import read_idx

    return read_idx(path)


def _json(path: str, float_dtype: Any) -> Any:
    from .documents import read_json

    return read_json(path, float_dtype)


def _safetensors(path: str, _: Any) -> Any:
    from .tensors import read_safetensors

    return read_safetensors(path)


_READERS: dict[str, Any] = {"npy": _npy, "npz": _npz, "idx": _idx, "json": _json, "safetensors": _safetensors}
