"""Running the command line in this process, with captured streams."""

import io
import json
import sys

from gradcli.cli.main import guarded


class Result:
    def __init__(self, status, out, err):
        self.status = status
        self.out = out
        self.err = err

    @property
    def document(self):
        return json.loads(self.out)


class _Text(io.TextIOWrapper):
    def __init__(self, data: bytes = b""):
        super().__init__(io.BytesIO(data), encoding="utf-8", write_through=True)

    def text(self) -> str:
        return self.buffer.getvalue().decode()


def gradcli(*argv: str, stdin: bytes = b"") -> Result:
    """Run `gradcli argv…`; neither stream is a terminal."""
    kept = sys.stdin, sys.stdout, sys.stderr
    sys.stdin, sys.stdout, sys.stderr = _Text(stdin), _Text(), _Text()
    try:
        status = guarded(list(argv))
        return Result(status, sys.stdout.text(), sys.stderr.text())
    finally:
        sys.stdin, sys.stdout, sys.stderr = kept


def evaluate(code: str, *argv: str) -> Result:
    """`gradcli eval -e code`."""
    return gradcli("eval", "-e", code, *argv)
