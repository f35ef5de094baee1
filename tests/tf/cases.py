"""The recorded TensorFlow cases: run one on `gradcli.tf`, and say in what it differs from the record."""

import json
import logging
import math
import types
from pathlib import Path

import numpy as np

import gradcli.tf as tf

RECORD = json.loads((Path(__file__).parents[1] / "reference" / "tensorflow_cases.json").read_text())
CASES = {case["id"]: case for case in RECORD["cases"]}
#: relative to the largest entry
TOLERANCE = {"float64": 1e-9, "complex128": 1e-9, "float32": 2e-6, "complex64": 2e-6, "float16": 2e-3}
#: where the right value is 0, what is computed is rounding, which depends on the processor
ROUNDING = 1e-14
ARRAYS = {"tensor", "variable", "keras_variable", "ndarray"}
#: the topics in which the messages are part of what was recorded
WITH_MESSAGES = {"seed", "dtype", "watch"}


class Raised:
    """An exception as a result; the recorded helpers make it by this name."""

    def __init__(self, error):
        self.error = error


def plain(value):
    """A number as the record writes it."""
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, (str, bytes)):
        return value.decode() if isinstance(value, bytes) else str(value)
    if isinstance(value, (complex, np.complexfloating)):
        return [plain(value.real), plain(value.imag)]
    if isinstance(value, (int, np.integer)):
        return int(value)
    number = float(value)
    return number if math.isfinite(number) else "nan" if math.isnan(number) else "inf" if number > 0 else "-inf"


def nested(array):
    return plain(array[()]) if array.ndim == 0 else [nested(row) for row in array]


def leaves(value):
    return [leaf for item in value for leaf in leaves(item)] if isinstance(value, list) else [value]


def numbers_differ(got, want, dtype):
    got, want = leaves(got), leaves(want)
    if len(got) != len(want):
        return True
    sizes = [abs(x) for x in want if isinstance(x, (int, float)) and not isinstance(x, bool)]
    allowed = TOLERANCE.get(dtype, 0.0) * max(sizes, default=0.0) + (ROUNDING if dtype in TOLERANCE else 0.0)
    return any(
        a != b if isinstance(a, (str, bool)) or isinstance(b, (str, bool)) else abs(a - b) > allowed
        for a, b in zip(got, want)
    )


def difference(got, want, path="result"):
    """None where a result is what was recorded, else where and how it is not."""
    kind = want["kind"]
    if kind == "repr":
        return None
    if kind == "raises":
        return None if isinstance(got, Raised) and not _stray(got.error, want) else f"{path}: {got!r} is not raised"
    if isinstance(got, Raised):
        return f"{path}: raises {got.error!r}"
    if kind == "none":
        return None if got is None else f"{path}: {got!r} is not None"
    if kind in ("list", "tuple", "dict"):
        mine = {str(k): v for k, v in got.items()} if isinstance(got, dict) else got
        items = want["items"]
        if not isinstance(mine, (list, tuple, dict)) or len(mine) != len(items):
            return f"{path}: {got!r} has another structure"
        keys = items if kind == "dict" else range(len(items))
        return next((d for k in keys if (d := difference(mine[k], items[k], f"{path}.{k}"))), None)
    if kind == "indexed_slices":
        want, kind = want["dense"], "tensor"
    if kind in ARRAYS:
        if not hasattr(got, "shape"):
            return f"{path}: {got!r} is no tensor"
        array = np.asarray(got.numpy() if hasattr(got, "numpy") else got)
        name = getattr(got.dtype, "name", str(got.dtype))
        if kind != "ndarray" and name != want["dtype"]:
            return f"{path}: {name} is not {want['dtype']}"
        if list(array.shape) != want["shape"]:
            return f"{path}: shape {array.shape} is not {want['shape']}"
        if numbers_differ(nested(array), want["value"], want["dtype"]):
            return f"{path}: {nested(array)} is not {want['value']}"
        return None
    return _python_value(got, want["value"], path)


def _stray(error, want):
    """An exception that only says that gradcli lacks something, where TensorFlow raised another one."""
    name = type(error).__name__
    return name in ("AttributeError", "NameError", "ModuleNotFoundError") and name not in (
        want["class"],
        *want["bases"],
    )


def _python_value(got, want, path):
    if isinstance(got, (list, tuple)):
        got = [plain(item) for item in got]
    elif hasattr(got, "numpy"):
        got = nested(np.asarray(got.numpy()))
    else:
        got = plain(got)
    if isinstance(want, str) and isinstance(got, str):
        return None  # texts and class names are TensorFlow's own
    return f"{path}: {got} is not {want}" if numbers_differ(got, want, "float32") else None


class Messages(logging.Handler):
    """The dtype messages logged, without their place."""

    def __init__(self):
        super().__init__(1)
        self.texts = set()

    def emit(self, record):
        text = record.getMessage()
        if text.startswith("The dtype of"):
            self.texts.add(_essence(text))


def _essence(text):
    head, _, dtype = text.partition(" got ")
    return f"{head} got {dtype.rpartition(' got ')[2].removeprefix('tf.')}"


def run(case):
    """None if the case gives what TensorFlow gave, else the difference."""
    names = {"tf": tf, "_tf": tf, "np": np, "math": math, "Raised": Raised, "f32": tf.float32, "f64": tf.float64}
    names |= {"keras": getattr(tf, "keras", None), **RECORD["module_constants"]}
    log = Messages()
    logger = logging.getLogger("gradcli")
    logger.addHandler(log)
    try:
        for helper in RECORD["helpers"].values():
            exec(helper, names)
        exec(case["source"], names)
        functions = [value for value in names.values() if isinstance(value, types.FunctionType)]
        got = names.get("_", functions[-1])()
    except Exception as error:
        return None if case.get("raises") and not _stray(error, case["raises"]) else f"raises {error!r}"
    finally:
        logger.removeHandler(log)
    if case.get("raises"):
        return f"{got!r}, where TensorFlow raises {case['raises']['class']}"
    found = difference(got, case["outputs"])
    if found is None and case["topic"] in WITH_MESSAGES:
        recorded = [*case["warnings"], *case["verbose_messages"]]
        want = {_essence(text) for text in recorded if text.startswith("The dtype of") and "primal" not in text}
        found = None if log.texts == want else f"messages {log.texts} are not {want}"
    return found
