"""How results and diagnostics look on a terminal. Rich is imported here and nowhere else; user text never is markup."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from gradcli.engine import Tensor, Variable
from gradcli.engine.dtypes import dtype_name
from gradcli.runtime.outcomes import NoGradient

from .catalogue import none_diagnostic
from .excerpt import cells, pieces
from .grid import grid_lines, summary
from .plain import value_text
from .theme import STYLES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gradcli.runtime.outcomes import Place, Shown

    from .diagnostic import Diagnostic


#: columns that the words of a None need beside their places; with fewer the places go below
_NARROW = 34
#: columns of source that are shown on a wide terminal, and those beside them: the number, `…` at both ends
_WIDEST = 169
_MARGIN = 9


def make_console(file: Any, color: bool, width: int | None = None) -> Console:
    """A console that colours as told, whatever it writes to, and takes no text for markup."""
    return Console(
        file=file, force_terminal=color, no_color=not color, color_system="standard" if color else None, markup=False,
        emoji=False, highlight=False, width=width, soft_wrap=False,
    )  # fmt: skip


def _place(place: Place) -> Text:
    line, _ = place.source.position(place.start)
    return Text(f"{place.source.name}:{line}", STYLES["place"], no_wrap=True)


def _lines(places: Iterable[Place]) -> list[Text]:
    """The places, a line of a file only once."""
    return list({text.plain: text for text in map(_place, places)}.values())


def _line(left: Text, place: Place) -> Table:
    table = Table.grid(expand=True, padding=(0, 1))
    table.add_column(ratio=1, overflow="fold")
    table.add_column(justify="right", no_wrap=True)
    table.add_row(left, _place(place))
    return table


class RichView:
    """Draws shown values and diagnostics on a console."""

    def __init__(self, console: Console, precision: int | None, full: bool) -> None:
        self.console = console
        self.precision = precision
        self.full = full

    def show(self, shown: Shown) -> None:
        """A value under its label: a gradient as a row for each source, a matrix as a grid."""
        label = shown.label if shown.label is not None else " ".join(shown.place.text.split())
        rows = (
            self._rows(shown.value, shown.labels)
            if shown.query or isinstance(shown.value, (list, tuple, dict))
            else None
        )
        if rows is None or (rows == [] or not self._is_tabular(shown.value)):
            self._one(label, shown)
            return
        self.console.print(_line(Text(label, STYLES["name"]), shown.place))
        widest = min(24, max(cells(name) for name, _ in rows))
        for name, value in rows:
            self._row(name, value, widest)

    def _is_tabular(self, value: Any) -> bool:
        leaves = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else [value]
        return any(isinstance(leaf, (Tensor, Variable, NoGradient, list, tuple, dict)) for leaf in leaves)

    def _rows(self, value: Any, labels: Any, path: str = "") -> list[tuple[str, Any]]:
        if isinstance(value, dict):
            rows = []
            for key, item in value.items():
                rows.extend(self._rows(item, None, f"{path}.{key}" if path else str(key)))
            return rows
        if isinstance(value, (list, tuple)) and value:
            rows = []
            for i, item in enumerate(value):
                named = labels[i] if isinstance(labels, list) and len(labels) == len(value) else None
                name = named if isinstance(named, str) else f"{path}[{i}]"
                rows.extend(self._rows(item, named, name))
            return rows
        return [(path or (labels if isinstance(labels, str) else ""), value)]

    def _one(self, label: str, shown: Shown) -> None:
        value = shown.value
        if isinstance(value, NoGradient):
            self.console.print(_line(Text(label, STYLES["name"]), shown.place))
            self._row(value.name, value, cells(value.name))
            return
        if isinstance(value, (Tensor, Variable)) and value.value.ndim > 0:
            info = f"{dtype_name(value.dtype)}  {self._shape(value)}"
            self.console.print(
                _line(Text.assemble((label, STYLES["name"]), "   ", (info, STYLES["info"])), shown.place)
            )
            self._grid(value.value, "  ")
            return
        text = Text.assemble((label, STYLES["name"]), "   ", (value_text(value, self.precision), STYLES["value"]))
        if isinstance(value, (Tensor, Variable)):
            text.append(f"   {dtype_name(value.dtype)}  {self._shape(value)}", STYLES["info"])
        self.console.print(_line(text, shown.place))

    def _shape(self, value: Any) -> str:
        return "(" + ", ".join(map(str, value.value.shape)) + ")"

    def _grid(self, data: Any, indent: str) -> None:
        for line in grid_lines(data, self.precision, self.full, self.console.width - len(indent) - 1):
            self.console.print(Text(indent + line, STYLES["value"]), soft_wrap=True)
        if not self.full and data.size > 100 and data.dtype.kind in "iuf":
            self.console.print(Text(indent + summary(data), STYLES["info"]))

    def _row(self, name: str, value: Any, widest: int) -> None:
        padded = name + " " * (max(4, widest) - cells(name))
        head = Text.assemble("  ", (padded, STYLES["name"]), "   ")
        if isinstance(value, NoGradient):
            diagnostic = none_diagnostic(value)
            head.append("None  ", STYLES["none"])
            table = Table.grid(expand=True, padding=(0, 2))
            table.add_column(no_wrap=True)
            table.add_column(ratio=1, overflow="fold")
            table.add_column(justify="right", no_wrap=True)
            body = Text(diagnostic.message)
            if diagnostic.hint:
                body.append("\n" + diagnostic.hint, STYLES["hint"])
            places = Text("\n").join(_lines(value.places[:2]))
            widest = max((line.cell_len for line in places.split()), default=0)
            if self.console.width - head.cell_len - widest < _NARROW:
                table.add_row(head, Text("\n").join([body, places]), "")
            else:
                table.add_row(head, body, places)
            self.console.print(table)
            return
        if isinstance(value, (Tensor, Variable)):
            info = f"{dtype_name(value.dtype)}  {self._shape(value)}"
            if value.value.ndim > 1 or value.value.size > 8:
                self.console.print(Text.assemble(head, (info, STYLES["info"])))
                self._grid(value.value, "    ")
                return
            text = value_text(value, self.precision or (None if not value.value.shape else 8))
            self.console.print(Text.assemble(head, (f"{text:<6}  ", STYLES["value"]), (info, STYLES["info"])))
            return
        self.console.print(Text.assemble(head, (value_text(value, self.precision, True), STYLES["value"])))

    def lines(self, lines: list[list[tuple[str, str]]]) -> None:
        """Lines of pieces with their styles; one that is too wide goes on below, six columns in."""
        for line in lines:
            text = Text.assemble(*((piece, STYLES.get(style, "")) for piece, style in line))
            if text.cell_len <= self.console.width:
                self.console.print(text)
                continue
            for i, row in enumerate(text.wrap(self.console, max(self.console.width - 6, 12))):
                row.rstrip()
                self.console.print(Text.assemble("      " if i else "", row), soft_wrap=True)

    def diagnostic(self, diagnostic: Diagnostic) -> None:
        """A diagnostic: its head, the source line with the piece underlined, what to write instead."""
        style = STYLES.get(diagnostic.severity, "")
        head = Text.assemble((f"{diagnostic.severity}[{diagnostic.code}]", style), " ", diagnostic.message)
        place, hint = diagnostic.place, diagnostic.hint
        if place is None:
            self._hanging(head)
        else:
            self._head(head, place)
            hint = self._excerpt(place, diagnostic.label, hint)
        for other, words in diagnostic.labels:
            self._head(Text(f"  {words}", STYLES["info"]), other)
            self._excerpt(other, "", "")
        for detail in diagnostic.details:
            self._hanging(Text("   " + detail))
        if hint:
            self._hanging(Text("   hint: " + hint, STYLES["hint"]))

    def _head(self, words: Text, place: Place) -> None:
        """The words and their place: on one line if both fit, else the place on its own."""
        line, column = place.source.position(place.start)
        where = Text(f"{place.source.name}:{line}:{column}", STYLES["place"])
        if words.cell_len + 2 + where.cell_len <= self.console.width:
            self.console.print(Text.assemble(words, "  ", where))
            return
        self._hanging(words)
        self.console.print(Text.assemble("   ", where), soft_wrap=True)

    def _hanging(self, text: Text) -> None:
        """A text in as many lines as it needs, each but the first three columns in."""
        if text.cell_len <= self.console.width:
            self.console.print(text)
            return
        for i, line in enumerate(text.wrap(self.console, max(self.console.width - 3, 12))):
            line.rstrip()
            self.console.print(Text.assemble("   " if i else "", line), soft_wrap=True)

    def _excerpt(self, place: Place, label: str, hint: str) -> str:
        """The source line and the marks under the piece, with label and hint behind them where they fit; the hint is
        handed back if it is not said yet."""
        line, text, start, end = pieces(place, max(min(self.console.width, _WIDEST) - _MARGIN, 8))
        end = min(end, max(start + 1, cells(text)))
        self.console.print(Text.assemble((f"{line:>4} │ ", STYLES["place"]), text), soft_wrap=True)
        marks = Text.assemble((f"{'':>4} │ ", STYLES["place"]), " " * start, ("^" * (end - start), STYLES["marks"]))
        if label:
            marks.append(f" {label}")
            if hint and marks.cell_len + 2 + len(hint) <= self.console.width:
                marks.append(f"; {hint}", STYLES["hint"])
                hint = ""
        self.console.print(marks, soft_wrap=True)
        return hint
