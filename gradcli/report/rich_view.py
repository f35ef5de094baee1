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
from .excerpt import pieces
from .grid import grid_lines, summary
from .plain import value_text
from .theme import STYLES

if TYPE_CHECKING:
    from gradcli.runtime.outcomes import Place, Shown

    from .diagnostic import Diagnostic


def make_console(file: Any, color: bool, width: int | None = None) -> Console:
    """A console that colours as told, whatever it writes to, and takes no text for markup."""
    return Console(
        file=file, force_terminal=color, no_color=not color, color_system="standard" if color else None, markup=False,
        emoji=False, highlight=False, width=width, soft_wrap=False,
    )  # fmt: skip


def _place(place: Place) -> Text:
    line, _ = place.source.position(place.start)
    return Text(f"{place.source.name}:{line}", STYLES["place"], no_wrap=True)


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
        for name, value in rows:
            self._row(name, value)

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
            self._row(value.name, value)
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

    def _row(self, name: str, value: Any) -> None:
        width = max(4, min(24, len(name)))
        head = Text.assemble("  ", (f"{name:<{width}}", STYLES["name"]), "   ")
        if isinstance(value, NoGradient):
            diagnostic = none_diagnostic(value)
            head.append("None    ", STYLES["none"])
            table = Table.grid(expand=True, padding=(0, 1))
            table.add_column(no_wrap=True)
            table.add_column(ratio=1, overflow="fold")
            table.add_column(justify="right", no_wrap=True)
            body = Text(diagnostic.message)
            if diagnostic.hint:
                body.append("\n" + diagnostic.hint, STYLES["hint"])
            places = Text("\n").join([_place(place) for place in value.places[:2]])
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

    def diagnostic(self, diagnostic: Diagnostic) -> None:
        """A diagnostic: its head, the source line with the piece underlined, what to write instead."""
        style = STYLES.get(diagnostic.severity, "")
        head = Text.assemble((f"{diagnostic.severity}[{diagnostic.code}]", style), " ", diagnostic.message)
        place = diagnostic.place
        if place is not None:
            line, column = place.source.position(place.start)
            head.append(f"  {place.source.name}:{line}:{column}", STYLES["place"])
        self.console.print(head)
        if place is not None:
            self._excerpt(place, diagnostic.label, diagnostic.hint)
        for other, words in diagnostic.labels:
            line, column = other.source.position(other.start)
            self.console.print(Text(f"  {words}  {other.source.name}:{line}:{column}", STYLES["info"]))
            self._excerpt(other, "", "")
        for detail in diagnostic.details:
            self.console.print(Text("   " + detail))
        if diagnostic.hint and (place is None or not diagnostic.label):
            self.console.print(Text("   hint: " + diagnostic.hint, STYLES["hint"]))

    def _excerpt(self, place: Place, label: str, hint: str) -> None:
        line, text, start, end = pieces(place)
        number = f"{line:>4} │ "
        self.console.print(Text.assemble((number, STYLES["place"]), text), soft_wrap=True)
        marks = Text.assemble((f"{'':>4} │ ", STYLES["place"]), " " * start, ("^" * (end - start), STYLES["marks"]))
        if label:
            marks.append(f" {label}")
            if hint:
                marks.append(f"; {hint}", STYLES["hint"])
        self.console.print(marks, soft_wrap=True)
