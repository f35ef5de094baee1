"""Tables of numbers as text: .csv, packed by gzip (.csv.gz) or not. What is wrong is told by row and column."""

from __future__ import annotations

import itertools
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from .cells import EMPTY, number_in
from .faults import DataError
from .text import lines, read_text

if TYPE_CHECKING:
    from collections.abc import Iterator


class Table:
    """A matrix, a row for each row of a file, and the names of its columns; none where the file has no header."""

    __slots__ = ("names", "values")

    def __init__(self, values: Any, names: tuple[str, ...]) -> None:
        self.values = values
        self.names = names


class Layout:
    """How a table is written: which `columns` are wanted (a name or position, or a list of them; None: all), the
    `delimiter` (None: found; a blank: any number of blanks), whether there is a `header` (None: if not all of the first
    row are numbers), how many lines to `skip`, what a `comment` begins with, what to put for a `missing` number.
    """

    __slots__ = ("columns", "comment", "delimiter", "header", "missing", "skip")

    def __init__(
        self, columns: Any = None, delimiter: str | None = None, header: bool | None = None, skip: int = 0,
        comment: str | None = "#", missing: float | None = None,
    ) -> None:  # fmt: skip
        self.columns = columns
        self.delimiter = delimiter
        self.header = header
        self.skip = skip
        self.comment = comment
        self.missing = missing


def read_csv(path: str, dtype: np.dtype[Any], layout: Layout) -> Any:
    """The table in a file in a dtype; a vector if one column was asked for. Raises OSError and DataError."""
    import csv

    text = read_text(path)
    try:
        return _Reader(text, dtype, layout).read()
    except csv.Error as error:
        raise DataError(f"it is no table: {error}") from None


class _Reader:
    def __init__(self, text: str, dtype: np.dtype[Any], layout: Layout) -> None:
        self.text = text
        self.dtype = dtype
        self.layout = layout
        self.comment = layout.comment or None
        self.names: tuple[str, ...] = ()
        self.delimiter = layout.delimiter or self._found_delimiter()
        rows = self._rows()
        number, first = next(rows, (0, []))
        headed = layout.header
        if headed is None:
            headed = bool(first) and not all(cell in EMPTY or number_in(cell) is not None for cell in first)
        self.above = layout.skip
        if headed and first:
            self.names = tuple(first)
            self._check_names(number)
            self.above = number
            number, first = next(rows, (0, []))
        if not first:
            raise DataError("it holds no rows of numbers" if text.strip() else "it is empty")
        self.width = len(first)
        if self.names and len(self.names) != self.width:
            raise DataError(
                f"row {number} has {_columns(self.width)}, the header has {len(self.names)}",
                "give every column its name, or read it with header=false and skip=1",
            )
        self.single = isinstance(layout.columns, (str, int)) and not isinstance(layout.columns, bool)
        self.wanted = self._wanted()

    def _found_delimiter(self) -> str:
        for number, line in enumerate(lines(self.text), 1):
            if number > self.layout.skip and line.strip() and not self._is_comment(line):
                return next((d for d in (",", ";", "\t") if d in line), ",")
        return ","

    def _is_comment(self, line: str) -> bool:
        return self.comment is not None and line.lstrip().startswith(self.comment)

    def _rows(self) -> Iterator[tuple[int, list[str]]]:
        """The rows with the numbers of their lines in the file, without blank ones, comments and skipped ones."""
        import csv

        source = itertools.islice(lines(self.text), self.layout.skip, None)
        if self.delimiter == " ":
            for number, line in enumerate(source, self.layout.skip + 1):
                if line.strip() and not self._is_comment(line):
                    yield number, line.split()
            return
        reader = csv.reader(source, delimiter=self.delimiter)
        for row in reader:
            if row and not (len(row) == 1 and not row[0].strip()) and not self._is_comment(row[0]):
                yield reader.line_num + self.layout.skip, [cell.strip() for cell in row]

    def _check_names(self, number: int) -> None:
        seen = set()
        for name in self.names:
            if name and name in seen:
                raise DataError(
                    f"row {number}, the header, has two columns '{name}'",
                    "give each its own name, or read it with header=false and skip=1",
                )
            seen.add(name)

    def _wanted(self) -> list[int]:
        columns = self.layout.columns
        if columns is None:
            return list(range(self.width))
        chosen = [columns] if self.single else list(columns)
        if not chosen:
            raise DataError("columns=[] asks for none", "name at least one column")
        return [self._position(column) for column in chosen]

    def _position(self, column: Any) -> int:
        if isinstance(column, str):
            if not self.names:
                raise DataError(f"it has no header, so no column '{column}'", "choose by position: columns=[0, 2]")
            if column not in self.names:
                raise DataError(f"it has no column '{column}'", "", column, self.names)
            return self.names.index(column)
        if not -self.width <= column < self.width:
            raise DataError(f"it has no column {column}: there are {_columns(self.width)}, from 0 on")
        return int(column) % self.width

    def read(self) -> Any:
        values = self._fast()
        if values is None:
            values = self._careful()
        if self.single:
            return values[:, 0]
        return Table(values, tuple(self.names[i] for i in self.wanted) if self.names else ())

    def _fast(self) -> Any:
        """The table by NumPy's own reader; None where it stumbles, or is laxer than we are."""
        if self.dtype.kind not in "fiu":
            return None
        start = sum(map(len, itertools.islice(lines(self.text), self.above)))
        source = self.text[start:].split("\n")
        delimiter = None if self.delimiter == " " else self.delimiter
        if self.comment is not None and self.text.find(self.comment, start) >= 0:
            source = [line for line in source if not self._is_comment(line)]
        chosen = self.layout.columns is not None
        if chosen:
            # with chosen columns NumPy does not look at the lengths of rows
            if delimiter is None or self.text.find('"', start) >= 0:
                return None
            source = [line for line in source if line and not line.isspace()]
            if any(line.count(delimiter) != self.width - 1 for line in source):
                return None
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                return np.loadtxt(
                    source, self.dtype, comments=None, delimiter=delimiter, ndmin=2, quotechar='"',
                    usecols=self.wanted if chosen else None,
                )  # fmt: skip
        except (ValueError, OverflowError, Warning):
            return None

    def _careful(self) -> Any:
        """The table cell by cell. Raises DataError with row and column."""
        rows = self._rows()
        if self.names:
            next(rows)
        table = []
        for number, row in rows:
            if len(row) != self.width:
                raise DataError(
                    f"row {number} has {_columns(len(row))}, the first has {self.width}",
                    "a cell with the delimiter in it stands in double quotes",
                )
            table.append([self._cell(row, number, column) for column in self.wanted])
        try:
            return np.array(table, self.dtype)
        except OverflowError:
            raise DataError(f"a number does not fit into {self.dtype.name}") from None

    def _cell(self, row: list[str], number: int, column: int) -> Any:
        cell = row[column]
        if self.dtype.kind == "U":
            return cell
        where = f"row {number}, column {column + 1}" + (f" ({self.names[column]})" if self.names else "")
        if cell in EMPTY:
            if self.layout.missing is None:
                what = "is empty" if not cell else f"is {cell}"
                raise DataError(f"{where} {what}", "write missing=nan, or the number to put there")
            return self.layout.missing
        value = number_in(cell, self.dtype.kind)
        if value is None:
            kind = "a whole number" if self.dtype.kind in "iu" and number_in(cell) is not None else "a number"
            raise DataError(f"{where}: '{cell[:40]}' is not {kind}", self._advice(row, column))
        if self.dtype.kind in "iu" and not np.iinfo(self.dtype).min <= value <= np.iinfo(self.dtype).max:
            raise DataError(f"{where}: {cell[:40]} does not fit into {self.dtype.name}")
        return value

    def _advice(self, row: list[str], column: int) -> str:
        if self.layout.columns is not None or self.width == 1:
            return "take it out of columns=, or read it alone with dtype=string"
        fit = [i for i, cell in enumerate(row) if cell in EMPTY or number_in(cell) is not None]
        names = [f'"{self.names[i]}"' if self.names else str(i) for i in fit]
        return f"choose the columns of numbers: columns=[{', '.join(names)}]" if 0 < len(fit) <= 12 else ""


def _columns(count: int) -> str:
    return f"{count} column{'s' * (count != 1)}"
