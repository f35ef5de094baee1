"""Files of numbers: .npy, .npz, .csv, .json. It knows no program, and never runs what a file holds (no pickle)."""

from .reading import read_data
from .writing import check_writable, write_data

__all__ = ["check_writable", "read_data", "write_data"]
