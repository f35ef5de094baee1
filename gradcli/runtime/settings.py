"""What a run of programs needs to be told; the command line declares each flag once and fills this."""

from __future__ import annotations


class Settings:
    """`dtype`: the float default, overriding a file's own; `overrides`: declared name → expression text or `@file`.

    `thorough`: keep what `explain` needs to tell the whole story of each gradient.
    """

    __slots__ = ("dtype", "overrides", "seed", "thorough")

    def __init__(
        self, dtype: str | None = None, overrides: dict[str, str] | None = None, seed: int | None = None,
        thorough: bool = False,
    ) -> None:  # fmt: skip
        self.thorough = thorough
        self.dtype = dtype
        self.overrides = overrides or {}
        self.seed = seed
