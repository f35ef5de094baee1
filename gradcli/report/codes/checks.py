"""Pages of gradients that were compared with numeric differentiation."""

from __future__ import annotations

from . import Page

CHECKS = {
    "gradient-differs": Page(
        "a gradient is not the derivative",
        "The recorded operations were run again in float64 around the sources, and the slopes found there are not the "
        "gradient. The message says what the two have in common: a constant ratio, a sign, the transpose, all "
        "but one entry. Each numeric slope comes with an error bar. The usual cause is a function with a pullback of "
        "its own: the calls whose pullback is wrong are named. The exit status is 1.",
        "cannot-tell",
        "failed",
    ),
    "cannot-tell": Page(
        "a gradient cannot be checked here",
        "There is no one slope to compare with: the function has a kink or a jump at this point or next to it, "
        "its domain ends here, it is not finite, or rounding hides the slope. A kink is told with the slopes of both "
        "sides. This is no failure; move the source a little, and the rest is checked.",
        "gradient-differs",
        "kink",
        "precision",
    ),
}
