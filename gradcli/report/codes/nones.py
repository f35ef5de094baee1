"""Pages of the reasons why a gradient is None."""

from __future__ import annotations

from . import Page

NONES = {
    "not-watched": Page(
        "the source was never watched",
        "A tape tracks trainable variables by itself, and anything else only if it is told to. A constant, or "
        "a tensor that was made outside the tape, is to it a plain number, and the gradient in it is None. "
        "Watch it inside the tape, before it is used, or declare it as a variable.",
        "not-trainable",
        "watched-late",
        "before-tape",
    ),
    "not-trainable": Page(
        "the variable is not trainable",
        "A variable declared with trainable=false is not tracked when it is read: frozen weights, counters "
        "and moving averages are meant to have no gradient. If you want one all the same, watch the variable "
        "inside the tape.",
        "not-watched",
        "access-not-watched",
    ),
    "access-not-watched": Page(
        "the tape watches nothing by itself",
        "The tape was opened with watch_accessed_variables=false. Such a tape tracks nothing by itself, so "
        "that you can name the few values that matter. Name this one: write `watch` for it at the top of the "
        "block.",
        "not-watched",
        "not-trainable",
    ),
    "before-tape": Page(
        "computed before the tape opened",
        "A tape records from the moment it opens. What was computed before is to it a constant, even if it "
        "came from a variable. Move the computation into the block, or watch the tensor there.",
        "after-tape",
        "watched-late",
        "not-watched",
    ),
    "rebound": Page(
        "the name means something else now",
        "`x = x + 1` makes a new tensor and gives it the name; the variable still exists, but the name has "
        "left it. Change a variable with assign, assign_add or assign_sub, or use another name for the "
        "result.",
        "before-tape",
        "cut-assign",
    ),
    "watched-late": Page(
        "watched only after it was used",
        "A tape does not look back: what was computed before `watch` was not recorded. Put `watch` at the top "
        "of the block, above the first line that uses the value.",
        "not-watched",
        "before-tape",
    ),
    "tape-reset": Page(
        "the tape was reset in between",
        "`reset` makes a tape forget what it has recorded and watched, also the steps to this target. Compute "
        "the target after the reset, or take the gradient before it.",
        "recording-stopped",
        "after-tape",
    ),
    "recording-stopped": Page(
        "a step that was not recorded",
        "Inside stop_recording nothing is recorded, so the path from the source ends at the first step there. "
        "Move the step out of the block if the gradient should pass it.",
        "tape-reset",
        "after-tape",
    ),
    "after-tape": Page(
        "computed after the tape had closed",
        "The last step to the target ran behind the closing brace, where nothing records. Move that line into "
        "the block. This also answers a second derivative whose first one was taken behind the tape.",
        "before-tape",
        "recording-stopped",
    ),
    "unconnected": Page(
        "the target does not depend on it",
        "The source is tracked, but no step leads from it to the target. The derivative is zero, identically; "
        'None guards against a wiring mistake. Ask for zeros with unconnected_gradients="zero". The second '
        "derivative of a linear function is None for the same reason: its first derivative is a constant.",
        "not-watched",
        "fresh-source",
    ),
    "fresh-source": Page(
        "a source computed in the call itself",
        "`gradient(y, v[0])` makes a new tensor v[0] while it asks; nothing was computed from it. Keep the "
        "entry in a name inside the tape, compute with that name, and ask for it; or ask for the gradient in "
        "v and take its entry.",
        "unconnected",
        "before-tape",
    ),
    "cut-outside": Page(
        "the path left the tape through NumPy",
        "`.numpy()` and everything with `np.` in front compute outside the tape: the number is right, and its "
        "past is lost. What comes after still has gradients, which hides the cut. Use the operation without "
        "`np.`, or drop `.numpy()`.",
        "cut-stop-gradient",
        "cut-cast",
    ),
    "cut-stop-gradient": Page(
        "the path was cut on purpose",
        "stop_gradient passes the value on and lets no gradient back. It is right for targets of a moving "
        "average or for straight-through estimators; where the gradient should flow, remove it.",
        "cut-outside",
    ),
    "cut-cast": Page(
        "the path ran through integers",
        "A cast to integers or bools is a step function: its derivative is zero almost everywhere, and no "
        "gradient passes. A cast back to a float does not mend it. Stay in a floating dtype.",
        "cut-no-derivative",
        "dtype",
    ),
    "cut-assign": Page(
        "the path ran through an assignment",
        "assign changes what a variable holds, and that is not recorded: a read sees only the value. To "
        "differentiate an update, as in learning to learn, compute the new value under a new name.",
        "rebound",
        "cut-outside",
    ),
    "cut-no-derivative": Page(
        "the path met a step function",
        "argmax, floor, round and comparisons are constant but for jumps, so nothing flows back through them. "
        "Use a smooth stand-in (softmax for argmax), or pass the slope straight through with stop_gradient.",
        "cut-cast",
    ),
    "dtype": Page(
        "not a floating number",
        "Only floating (and complex) tensors carry gradients. A whole number without a decimal point makes an "
        "int32 tensor, which is the usual way to come here. Write 3.0, or cast the value before it is used.",
        "watched-dtype",
        "target-dtype",
        "source-dtype",
    ),
}
