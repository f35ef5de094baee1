"""Where a law is not held against an operation, and why: the only table of such cases, and it holds no stale ones."""

#: law → operation → reason
EXEMPT: dict[str, dict[str, str]] = {}

#: operations that a gradient passes only to raise `no-derivative`; see test_linear_algebra
UNDERIVABLE = {"lu", "lu_matrix", "logm", "logm_matrix"}
