"""One reader for each kind of file. OSError: it cannot be opened; ValueError: it is not understood."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

_NUMBERS = "biufc"


def read_data(path: str, float_dtype: Any) -> Any:
    """An array, or a dict of arrays for .npz. Numbers in text are read in `float_dtype`."""
    ending = os.path.splitext(path)[1].lower()
    reader = READERS.get(ending)
    if os.path.isdir(path):
        raise IsADirectoryError(21, "Is a directory", path)
    if reader is None:
        if not os.path.exists(path):
            raise FileNotFoundError(2, "No such file or directory", path)
        raise ValueError(f"files that end in '{ending}' are not read; known are {', '.join(READERS)}")
    return reader(path, float_dtype)


def _checked(data: Any, what: str) -> Any:
    if not isinstance(data, np.ndarray) or data.dtype.kind not in _NUMBERS + "U":
        raise ValueError(f"{what} holds {getattr(data, 'dtype', type(data).__name__)}, not numbers")
    if data.dtype.byteorder not in "=|" and not data.dtype.isnative:
        data = data.astype(data.dtype.newbyteorder("="))
    return data


def _npy(path: str, float_dtype: Any) -> Any:
    try:
        data = np.load(path, allow_pickle=False)
    except (ValueError, EOFError) as error:
        text = str(error)
        if "allow_pickle" in text or "Object arrays" in text:
            raise ValueError("it holds Python objects (a pickle), which are never loaded") from None
        raise ValueError(text.splitlines()[0] if text else "it is not a .npy file") from None
    if not isinstance(data, np.ndarray):
        raise ValueError("it is an .npz archive under another name")
    return _checked(data, "the file")


def _npz(path: str, float_dtype: Any) -> Any:
    import zipfile

    try:
        with np.load(path, allow_pickle=False) as archive:
            if not hasattr(archive, "files"):
                raise ValueError("it is not an .npz archive")
            return {name: _checked(archive[name], f"entry '{name}'") for name in archive.files}
    except (zipfile.BadZipFile, EOFError, TypeError, AttributeError):
        raise ValueError("it is not an .npz archive") from None
    except ValueError as error:
        if "allow_pickle" in str(error) or "Object arrays" in str(error):
            raise ValueError("it holds Python objects (a pickle), which are never loaded") from None
        raise


def _csv(path: str, float_dtype: Any) -> Any:
    import csv

    with open(path, encoding="utf-8-sig", newline="") as file:
        try:
            text = file.read()
        except UnicodeDecodeError:
            raise ValueError("it is not UTF-8 text") from None
    first = text.lstrip("\r\n").partition("\n")[0]
    delimiter = next((d for d in (",", ";", "\t") if d in first), ",")
    rows = [(number, row) for number, row in enumerate(csv.reader(text.splitlines(), delimiter=delimiter), 1)]
    rows = [
        (number, row)
        for number, row in rows
        if any(cell.strip() for cell in row) and not row[0].lstrip().startswith("#")
    ]
    if rows and not all(_is_number(cell) for cell in rows[0][1]):
        rows = rows[1:]  # a header
    if not rows:
        raise ValueError("it holds no rows of numbers")
    width = len(rows[0][1])
    table = []
    for number, row in rows:
        if len(row) != width:
            raise ValueError(f"row {number} has {len(row)} columns, the first has {width}")
        values = []
        for column, cell in enumerate(row, 1):
            try:
                values.append(float(cell) if cell.strip() else float("nan"))
            except ValueError:
                raise ValueError(f"row {number}, column {column}: '{cell.strip()[:40]}' is not a number") from None
        table.append(values)
    return np.array(table, float_dtype)


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return not cell.strip()
    return True


def _json(path: str, float_dtype: Any) -> Any:
    import json

    with open(path, encoding="utf-8-sig") as file:
        try:
            return _json_value(json.load(file), float_dtype, "the file")
        except UnicodeDecodeError:
            raise ValueError("it is not UTF-8 text") from None
        except json.JSONDecodeError as error:
            raise ValueError(f"it is not JSON: line {error.lineno}, column {error.colno}: {error.msg}") from None
        except RecursionError:
            raise ValueError("it is nested too deeply") from None


def _json_value(value: Any, float_dtype: Any, where: str) -> Any:
    """Numbers and nested lists of them are arrays; an object is a dict, or an array with its dtype and shape."""
    if isinstance(value, dict):
        if set(value) >= {"dtype", "shape", "data"}:
            try:
                return _checked(_plain(value["data"], where).astype(value["dtype"]).reshape(value["shape"]), where)
            except (TypeError, ValueError):
                raise ValueError(f"{where}: dtype, shape and data do not fit") from None
        return {key: _json_value(item, float_dtype, f"entry '{key}'") for key, item in value.items()}
    data = _plain(value, where)
    return data.astype(float_dtype) if data.dtype.kind == "f" else data


def _plain(value: Any, where: str) -> Any:
    words = {"nan": np.nan, "inf": np.inf, "-inf": -np.inf}

    def entry(item: Any) -> Any:
        if isinstance(item, list):
            return [entry(part) for part in item]
        if isinstance(item, str) and item in words:
            return words[item]
        if item is None or isinstance(item, (str, dict)):
            raise ValueError(f"{where} holds {item!r}, not numbers"[:200])
        return item

    try:
        data = np.array(entry(value))
    except ValueError as error:
        if "holds" in str(error):
            raise
        raise ValueError(f"{where}: the rows have different lengths") from None
    except OverflowError:
        raise ValueError(f"{where}: a number is too large") from None
    if data.dtype.kind in "iu" and data.size and data.min() >= -(2**31) and data.max() < 2**31:
        data = data.astype(np.int32)
    return _checked(data if data.size else data.astype(np.float64), where)


def _safetensors(path: str, float_dtype: Any) -> Any:
    try:
        from safetensors import SafetensorError
        from safetensors.numpy import load_file
    except ImportError:
        raise ValueError("to read it, install gradcli[safetensors]") from None
    with open(path, "rb"):
        pass  # the library's words for a file that cannot be opened are its own
    try:
        return {name: _checked(data, f"entry '{name}'") for name, data in load_file(path).items()}
    except (SafetensorError, KeyError, TypeError) as error:
        text = str(error).splitlines()[0] if str(error) else ""
        raise ValueError(f"it is not a .safetensors file of numbers that NumPy has: {text}") from None


READERS = {".npy": _npy, ".npz": _npz, ".csv": _csv, ".json": _json, ".safetensors": _safetensors}
