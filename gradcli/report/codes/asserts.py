"""The page of an assert that failed."""

from __future__ import annotations

from . import Page

ASSERTS = {
    "failed": Page(
        "an assert does not hold",
        "The message gives both sides, by how much they differ most, and where. The program goes on, and the exit "
        "status is 1. Computed numbers are rounded, so compare them with `~=`, which asks for as many digits as "
        "the dtype holds, or with isclose and a tolerance of your own. An `# expect:` comment whose diagnostic did "
        "not come is a failed assert too, and in `gradcli check` a value that is not what --record kept.",
        "precision",
        "kink",
    ),
}
