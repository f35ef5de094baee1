"""Where a law is not held against an operation, and why: the only table of such cases, and it holds no stale ones."""

#: law → operation → reason
EXEMPT = {
    "transposes": {
        "cofactors": "forward mode transposes its pullback, whose derivative is the third one of a determinant: not here",
    },
    "second_order": {
        "cofactors": "the third derivative of a determinant at a singular matrix is not here",
    },
}

#: operations that a gradient passes only to raise `no-derivative`; see test_linear_algebra
UNDERIVABLE = {"lu", "lu_matrix", "logm", "logm_matrix", "cofactor_pullback"}
