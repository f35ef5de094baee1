"""Pages of the warnings: three about dtypes, one of optimizers."""

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
    "skipped-variable": Page(
        "an optimizer skips a variable",
        "The gradient of a variable is none, so the optimizer leaves the variable as it is and steps the others. It is "
        "told once for each variable. Often the variable is not used in the loss, or the path to it is cut: print its "
        "gradient to see the reason.",
        "no-gradients",
        "unconnected",
    ),
}
