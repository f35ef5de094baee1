"""Rewrite the recorded outputs of the examples: python -m tests.golden.record. Look at the difference before you commit."""

from tests.golden.examples import FORMATS, PROGRAMS, RECORDS, output, record_path


def main() -> None:
    wanted = set()
    for program in PROGRAMS:
        for form in FORMATS:
            path = record_path(program, form)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(output(program, form), encoding="utf-8")
            wanted.add(path)
    for path in RECORDS.rglob("*.txt"):
        if path not in wanted:
            path.unlink()


if __name__ == "__main__":
    main()
