"""Where the record of a program is; apart from `recorded`, which needs NumPy."""


def record_path(program: str) -> str:
    """`a.expected.json` beside `a.tp`; another ending stays: `a.txt.expected.json`."""
    return program.removesuffix(".tp") + ".expected.json"
