"""Arrays in JSON: nested lists, or an object of dtype, shape and data, which keeps an array as it is."""

from __future__ import annotations

from typing import Any

import numpy as np

from .arrays import NUMBERS
from .faults import DataError
from .text import read_text

_WORDS = {"nan": np.nan, "inf": np.inf, "-inf": -np.inf}


def read_json(path: str, float_dtype: Any) -> Any:
    """The array, or the arrays by name, in a JSON file; floats in `float_dtype`. Raises OSError and DataError."""
    import json

    text = read_text(path, 4)
    try:
        if not text.strip():
            raise DataError("it is empty")
        return _value(json.loads(text, object_pairs_hook=_once), float_dtype, "the file")
    except DataError:
        raise
    except json.JSONDecodeError as error:
        raise DataError(f"it is not JSON: line {error.lineno}, column {error.colno}: {error.msg}") from None
    except RecursionError:
        raise DataError("it is nested too deeply") from None
    except ValueError:
        raise DataError("a number in it has too many digits") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise DataError(f"it has two entries '{name}'", "give each its own name")
        found[name] = value
    return found


def _value(value: Any, float_dtype: Any, where: str) -> Any:
    """Numbers and nested lists of them are arrays; an object is a dict, or an array with its dtype and shape."""
    if isinstance(value, dict):
        if set(value) >= {"dtype", "shape", "data"}:
            return _described(value, where)
        return {key: _value(item, float_dtype, f"entry '{key}'") for key, item in value.items()}
    data = _plain(value, where)
    return data.astype(float_dtype) if data.dtype.kind == "f" else data


def _described(value: dict[str, Any], where: str) -> Any:
    try:
        name, shape = value["dtype"], tuple(value["shape"])
        if name not in NUMBERS or not all(type(n) is int and n >= 0 for n in shape):
            raise ValueError
        dtype = np.dtype(name)
        data = _plain(value["data"], where)
        if dtype.kind in "biu":
            # NumPy has no dtype for small and very large whole numbers together, and makes floats of them
            exact = data if data.dtype.kind in "biu" else np.array(value["data"], object)
            if any(type(number) not in (int, bool) for number in exact.ravel().tolist()):
                raise ValueError
            return np.array(exact.tolist(), dtype).reshape(shape)
        if dtype.kind == "c":
            pairs = data.astype(dtype.type(0).real.dtype).reshape((*shape, 2))
            return np.ascontiguousarray(pairs).view(dtype).reshape(shape)
        return data.astype(dtype).reshape(shape)
    except DataError:
        raise
    except (TypeError, ValueError, OverflowError):
        raise DataError(f"{where}: dtype, shape and data do not fit") from None


def _plain(value: Any, where: str) -> Any:
    def entry(item: Any) -> Any:
        if isinstance(item, list):
            return [entry(part) for part in item]
        if isinstance(item, str) and item in _WORDS:
            return _WORDS[item]
        if item is None or isinstance(item, (str, dict)):
            raise DataError(f"{where} holds {item!r}, not numbers"[:200])
        return item

    try:
        data = np.array(entry(value))
    except DataError:
        raise
    except ValueError:
        raise DataError(f"{where}: the rows have different lengths") from None
    except OverflowError:
        raise DataError(f"{where}: a number is too large") from None
    if data.dtype.kind not in "biufc":
        raise DataError(f"{where}: a number is too large, or rows have different lengths")
    if data.dtype.kind in "iu" and data.size and data.min() >= -(2**31) and data.max() < 2**31:
        data = data.astype(np.int32)
    return data if data.size else data.astype(np.float64)


def json_text(content: Any) -> str:
    """An array, or arrays by name, as JSON that `read_json` reads back to the same."""
    import json

    described = {name: _description(data) for name, data in content.items()} if isinstance(content, dict) else None
    return json.dumps(_description(content) if described is None else described, allow_nan=False) + "\n"


def _description(value: Any) -> dict[str, Any]:
    data = np.asarray(value)
    return {"dtype": data.dtype.name, "shape": list(data.shape), "data": _entries(data.tolist())}


def _entries(value: Any) -> Any:
    if isinstance(value, list):
        return [_entries(item) for item in value]
    if isinstance(value, complex):
        return [_entries(value.real), _entries(value.imag)]
    if isinstance(value, float) and (value != value or value in (np.inf, -np.inf)):
        return "nan" if value != value else "inf" if value > 0 else "-inf"
    return value
