"""What a run of programs needs to be told; the command line declares each flag once and fills this."""

from __future__ import annotations


class Settings:
    """`dtype`: the float default, overriding a file's own; `overrides`: declared name → expression text or `@file`.

    `thorough`: keep what `explain` needs to tell the whole story of each gradient.
    `checks`: compare each answer with numeric derivatives, in full (`numeric`) or along one direction (`verify`).
    """

    __slots__ = ("checks", "dtype", "overrides", "seed", "thorough")

    def __init__(
        self, dtype: str | None = None, overrides: dict[str, str] | None = None, seed: int | None = None,
        thorough: bool = False, checks: str = "",
    ) -> None:  # fmt: skip
        self.checks = checks
        self.thorough = thorough
        self.dtype = dtype
        self.overrides = overrides or {}
        self.seed = seed
