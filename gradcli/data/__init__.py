"""Files of numbers: .npy, .npz, .csv, .json, .safetensors, .idx. It knows no program and never runs a file."""

from .faults import DataError, TooLarge
from .reading import read_data
from .writing import check_writable, write_below, write_data

__all__ = ["DataError", "TooLarge", "check_writable", "read_data", "write_below", "write_data"]
