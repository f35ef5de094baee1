"""Pages of the notes beside a printed gradient."""

from __future__ import annotations

from . import Page

NOTES = {
    "kink": Page(
        "the function has a kink here",
        "The slopes from the left and from the right differ, so there is no derivative; a convention picks a "
        "value, the same as in TensorFlow (0 for relu and abs). The note counts the entries and gives both "
        "slopes. Where several kinks meet in a smooth function, the slope of the whole function is told as "
        "`math:`. If the kink is in the way, take a smooth stand-in: softplus for relu, sqrt(x * x + 1e-6) for "
        "abs.",
        "tie",
        "domain-edge",
    ),
    "tie": Page(
        "several entries tie",
        "A maximum of equal entries has no derivative. reduce_max and reduce_min split the gradient evenly "
        "among the tied entries, maximum and minimum give it all to the first argument, max_pool and top_k to "
        "the first entry. reduce_logsumexp is a smooth maximum, in which every entry has a share.",
        "kink",
    ),
    "domain-edge": Page(
        "at the edge of the domain",
        "On one side of this point the function is not defined: sqrt at 0, asin at 1, acosh at 1. The slope "
        "is that of the other side, often infinite. As in TensorFlow, sqrt gives 0 where the upstream is 0. "
        "Keep the argument off the edge by a small number, or take the edge out with `where`, on the argument "
        "too.",
        "kink",
        "non-finite",
    ),
    "non-finite": Page(
        "a NaN or an infinity arose here",
        "This is the first operation that made a number that is not finite out of finite ones, on the way "
        "forward or back, in an entry that has a say in the target: with its place, entry, operands, local "
        "slope and upstream. The usual case is `where` around a singular branch: a slope that is infinite, "
        "times an upstream of zero, is NaN. The printed value is TensorFlow's; `math:` is the one that the "
        "function has. A safe spelling is proposed after it was tried.",
        "domain-edge",
        "precision",
    ),
    "zero": Page(
        "why the gradient is zero",
        "A zero can be right and still look like a mistake. The note names the place where the last of the "
        "gradient was lost: a saturated clip or relu, a branch that was not taken, a factor of zero, "
        "contributions that cancel, a sum that is constant (softmax), or a function that is linear, so that "
        "its second derivative vanishes. If the zero hinders training, change what is at that place.",
        "unconnected",
        "kink",
    ),
    "sum-of-components": Page(
        "the gradient of a sum",
        "A gradient belongs to one number. For a target of several components, or several targets, it is the "
        "gradient of their sum. If each component's derivative is meant, ask for the Jacobian.",
        "tensorflow-differs",
    ),
    "tensorflow-differs": Page(
        "TensorFlow gives a wrong number",
        "In a few places TensorFlow returns a finite number that is not the derivative: cumprod with a zero, "
        "xlogy at 0, batch_jacobian over rows that depend on one another. The printed value is the right one, "
        "the note gives TensorFlow's.",
        "non-finite",
    ),
    "precision": Page(
        "digits lost to the number format",
        "A step overflowed, underflowed or subtracted nearly equal numbers, so that the printed value is "
        "wrong or a value on the way is. It was found by computing again in a wider format, whose value is "
        "told. Use a wider dtype, or a form that stays in range.",
        "non-finite",
    ),
    "complex-convention": Page(
        "gradients in complex numbers",
        "For a real target and a complex source z = x + iy the gradient is d/dx + i d/dy, as in TensorFlow: "
        "the direction of steepest ascent. JAX and some texts use its conjugate: write conj(g) to compare. For "
        "two real derivatives, declare the two parts as two variables.",
        "dtype",
    ),
    "repeated-derivative": Page(
        "the first derivative again",
        "Inside an outer tape the gradient of u was taken; then the outer tape is asked for the gradient of u "
        "too, not for that of the first derivative. The number is right, but it is not the second derivative. "
        "Ask the outer tape for the gradient of what the inner gradient gave.",
        "unconnected",
        "after-tape",
    ),
}
