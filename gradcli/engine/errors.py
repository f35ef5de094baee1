"""What the engine raises: facts, never sentences. The words for them live in `gradcli.report.catalogue`."""

from __future__ import annotations


class EngineError(Exception):
    """An operation or a tape was used wrongly.

    `code` is the documented slug (`shape-mismatch`, `dtype-mismatch`, `tape-used-up`, …), `kind` tells apart the ways
    to get there, `facts` holds what a message needs: `op`, `shapes`, `dtypes`, `axis`, `rank` and the like.
    `site` is where the fault lies when that is not the operation being run.
    """

    def __init__(self, code: str, kind: str, *, site: int = 0, **facts: object) -> None:
        super().__init__(code, kind)
        self.code = code
        self.kind = kind
        self.site = site
        self.facts = facts

    def __str__(self) -> str:
        facts = ", ".join(f"{name}={value!r}" for name, value in self.facts.items())
        return f"{self.code} ({self.kind}): {facts}" if facts else f"{self.code} ({self.kind})"
