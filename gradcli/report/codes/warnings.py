"""Pages of the three dtype warnings."""

from __future__ import annotations

from . import Page

WARNINGS = {
    "watched-dtype": Page(
        "an integer is watched",
        "A tape was told to watch a tensor that is not floating. It cannot carry a gradient, and the gradient "
        "in it will be None. TensorFlow says: the dtype of the watched tensor must be floating. Declare it "
        "with a decimal point.",
        "dtype",
        "source-dtype",
    ),
    "target-dtype": Page(
        "the target is an integer",
        "The gradient of an integer, bool or string is asked for. It has none. Often a cast or a comparison "
        "stands last: ask for the gradient of what went into it.",
        "dtype",
        "cut-cast",
    ),
    "source-dtype": Page(
        "the source is an integer",
        "The gradient in an integer, bool or string is asked for. It has none. Declare the source with a "
        "decimal point, or with a dtype: `variable n: float64 = 3`.",
        "dtype",
        "watched-dtype",
    ),
}
