"""A plugin for pytest: with `--gradcli`, or `gradcli = true` in its configuration, every `*.tp` is a test.

Without either it collects nothing and imports nothing of gradcli: no suite changes because gradcli is installed.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from gradcli.cli.options import Parsed
    from gradcli.report.checks.record import ProgramRecord


#: options of `gradcli check` that mean something for one program
_TAKEN = ("set", "dtype", "seed", "strict", "quiet", "timeout", "max_memory", "numeric", "verify", "debug")
_OPTIONS = pytest.StashKey["Parsed"]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the flag and its two entries of the configuration."""
    parser.getgroup("gradcli").addoption(
        "--gradcli",
        action="store_true",
        default=False,
        help="run tensor programs (*.tp) as tests, as gradcli check does",
    )
    parser.addini("gradcli", "run tensor programs (*.tp) as tests", type="bool", default=False)
    parser.addini("gradcli_options", "options of gradcli check for the programs: --timeout 10 --strict", type="args")


def pytest_configure(config: pytest.Config) -> None:
    """Read `gradcli_options` if programs are asked for. Raises pytest.UsageError."""
    if config.getoption("gradcli") or config.getini("gradcli"):
        config.stash[_OPTIONS] = _options(config)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """A collector for a program, if programs are asked for."""
    if file_path.suffix != ".tp" or _OPTIONS not in parent.config.stash:
        return None
    return ProgramFile.from_parent(parent, path=file_path)


class ProgramFailed(Exception):
    """A program did not pass; the record says why."""

    def __init__(self, record: ProgramRecord) -> None:
        super().__init__(record.file)
        self.record = record


class ProgramFile(pytest.File):
    """A program file, which is one test."""

    def collect(self) -> Iterator[pytest.Item]:
        """The test."""
        yield Program.from_parent(self, name="program")


class Program(pytest.Item):
    """A program as a test: it fails as `gradcli check` would have a status above 0."""

    def runtest(self) -> None:
        """Run it. Raises ProgramFailed."""
        from gradcli.checking.programs import Named
        from gradcli.cli.check_program import check_program

        shown = os.path.relpath(self.path, self.config.invocation_params.dir)
        record = check_program(Named(str(self.path)), self.config.stash[_OPTIONS], shown)
        if record.printed:
            self.add_report_section("call", "printed", "\n".join(record.printed))
        if record.status:
            raise ProgramFailed(record)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """What `gradcli check` says of the program, in place of Python's traceback."""
        if not isinstance(excinfo.value, ProgramFailed):
            return super().repr_failure(excinfo, style)
        from gradcli.report.plain_diagnostic import diagnostic_text

        record = excinfo.value.record
        return "\n".join(
            diagnostic_text(found) for found in [*record.warnings, *(p.diagnostic for p in record.problems)]
        )

    def reportinfo(self) -> tuple[Path, None, str]:
        """File and name; there is no line, because the whole file is the test."""
        return self.path, None, self.nodeid.removesuffix("::program")


def _options(config: pytest.Config) -> Parsed:
    from gradcli.cli.evaluate import check_limits, overrides
    from gradcli.cli.exits import UsageError
    from gradcli.cli.options import parse_arguments

    try:
        options = parse_arguments("check", config.getini("gradcli_options"))
        check_limits(options)
        overrides(options)
        for name in options.values:
            if name not in _TAKEN:
                raise UsageError(f"--{name.replace('_', '-')} is for gradcli check itself")
        if options.arguments:
            raise UsageError(f"{options.arguments[0]} is no option")
    except UsageError as error:
        raise pytest.UsageError(f"gradcli_options: {error}") from None
    return options
