"""The array functions that operations are written in: NumPy today.

Operations say `xp.exp(x)`, never `numpy.exp(x)`, so that another library of arrays can be put here without touching
them. This is the only switch; nothing else may be added to it.
"""

import numpy as xp

__all__ = ["xp"]
