"""Reading files of numbers: .npy, .npz, .csv. It knows no program, and never runs what a file holds (no pickle)."""

from .reading import read_data

__all__ = ["read_data"]
