"""Pages of the errors that stop a program."""

from __future__ import annotations

from . import Page

ERRORS = {
    "syntax": Page(
        "the text is no program",
        "The parser met something that cannot stand there. The message says what was expected in words, and "
        "reading goes on with the next statement, so that one run tells every error. Blocks stand in braces; "
        "Python's `def f(x):` is `def f(x) { … }` here.",
        "unknown-name",
        program="syntax-missing-brace",
    ),
    "unknown-name": Page(
        "a name that nothing defines",
        "Names are checked before anything runs. The nearest known names are offered. Operations answer to "
        "TensorFlow's and NumPy's names, with or without `tf.`; `gradcli ops WORD` finds them.",
        "unknown-option",
        "not-available",
    ),
    "unknown-option": Page(
        "an option that does not exist",
        "A declaration takes trainable, name, dtype and shape, a tape persistent and "
        "watch_accessed_variables. The message names the options and the nearest one.",
        "wrong-arguments",
    ),
    "wrong-arguments": Page(
        "a call with the wrong arguments",
        "Too many, too few, an unknown keyword, one given twice, or one of the wrong kind. The message names "
        "what the operation takes; `gradcli ops NAME` shows its signature.",
        "unknown-option",
        "bad-value",
    ),
    "shape-mismatch": Page(
        "shapes that do not fit",
        "Shapes are compared from the right: each pair of lengths must be equal, or one of them 1. For a "
        "matrix product the inner lengths must agree. The message gives both shapes and where the operands "
        "came from.",
        "bad-axis",
        "index-out-of-range",
    ),
    "dtype-mismatch": Page(
        "dtypes are never mixed silently",
        "Two tensors of different dtypes meet, or a float literal meets an integer tensor. The message names "
        "both, where they were declared, and the cast to write. Literals take the dtype of the tensor beside "
        "them.",
        "dtype",
    ),
    "bad-axis": Page(
        "there is no such axis",
        "An axis counts from 0, or from -1 backwards, and must be less than the number of axes: a vector has "
        "one axis, a number none. A list of axes names each only once.",
        "shape-mismatch",
    ),
    "bad-value": Page(
        "a value that is not possible here",
        "A division of numbers by zero, a negative count, a word that is none of the choices, a list whose "
        "rows have different lengths. The message says what is possible.",
        "wrong-arguments",
    ),
    "index-out-of-range": Page(
        "there is no such entry",
        "An index must lie within the length of its axis; negative ones count from the end. The message gives "
        "the length.",
        "bad-axis",
    ),
    "singular-matrix": Page(
        "the matrix has no inverse",
        "Rows depend on one another, or a pivot is zero: inverse, solution, Cholesky factor or derivative do "
        "not exist. det and its gradient (the cofactors) exist all the same; pinv and lstsq take every "
        "matrix.",
        "no-derivative",
    ),
    "tape-used-up": Page(
        "the tape has given its one gradient",
        "A tape is good for one query, because it lets go of what it recorded as it answers. Ask for all "
        "sources in one query, or open it with persistent=true.",
        "not-recording",
    ),
    "not-recording": Page(
        "no tape is open here",
        "watch, reset and stop_recording need a tape that is recording. In a program that opens tapes, put "
        "them inside a block; for a named tape write `t.watch(x)`.",
        "tape-used-up",
    ),
    "no-derivative": Page(
        "an operation without a derivative",
        "The value can be computed, but its derivative is not known here, and None or zero would be a lie. "
        "The message names the operation and its line; ask for the gradient before it, or write it with other "
        "operations.",
        "cut-no-derivative",
    ),
    "not-a-tensor": Page(
        "a tensor was expected",
        "A number that no tensor was part of, a text, a list or a None stands where a tensor must: a plain "
        "number depends on nothing, so it has no gradient. Make it a variable or a constant.",
        "unconnected",
    ),
    "cannot-assign": Page(
        "what cannot be changed in place",
        "Tensors do not change. `x[0] = 5` and `+=` on a variable are refused, because they would hide a new "
        "tensor behind an old name. Use assign, assign_add, or tensor_scatter_nd_update.",
        "rebound",
    ),
    "data-file": Page(
        "a data file cannot be read or saved",
        "The file is missing or holds something else: text in a numeric column, rows of different lengths, "
        "pickled objects, less than its header says. A path is relative to the program's file. The message names row "
        "and column. `save` writes below the working directory only, whole or not at all.",
        "bad-value",
    ),
    "limit-reached": Page(
        "a limit was reached",
        "A recursion without an end, brackets too deep, --timeout or --max-memory. The exit status is 4, and "
        "what was printed before stays.",
        "bad-value",
    ),
    "program-file": Page(
        "a program file cannot be read",
        "The file named on the command line is missing, is a folder, may not be read, or is not text in UTF-8. "
        "The path is relative to the current folder. The other files of the command still run; the exit status "
        "is 2. To read a program from a pipe, write `-`.",
        "data-file",
        program=None,
    ),
    "recorded-values": Page(
        "recorded values cannot be used",
        "FILE.expected.json beside a program holds what `gradcli check --record` kept of it. The file is damaged, was "
        "written by a newer version, or cannot be read or written. The program's own asserts still count; the exit "
        "status is 2. Write the file anew with --record, or remove it.",
        "failed",
        "program-file",
        program=None,
    ),
    "process-ended": Page(
        "a program's process has ended",
        "With -j each program runs in one of several processes, and this one ended before its program did: a signal, "
        "often from a system that is out of memory, or an end by itself. The other programs still run; the exit status "
        "is 3.",
        "limit-reached",
        program=None,
    ),
    "bug": Page(
        "a mistake in gradcli",
        "An exception that gradcli has no words for. The other programs of `gradcli check` still run; the exit status "
        "is 70. Please report it with the program and what --debug shows.",
        "process-ended",
        program=None,
    ),
    "no-gradients": Page(
        "no variable has a gradient",
        "An optimizer was given nothing but nones, so there is no step to take. The message gives the reason of each. "
        "Most often the loss was computed outside the tape, or from other variables than those named.",
        "unconnected",
        "skipped-variable",
    ),
    "not-available": Page(
        "not in this version yet",
        "A layer or an optimizer that Keras has and this version does not. Write it out with what there is; `gradcli "
        "ops` lists it.",
        "unknown-name",
    ),
}
