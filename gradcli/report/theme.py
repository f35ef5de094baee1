"""Colours, by what a piece of text is; the only place that names any."""

STYLES = {
    "name": "bold cyan",
    "value": "bold",
    "info": "dim",
    "place": "dim",
    "none": "magenta",
    "hint": "green",
    "error": "bold red",
    "assert": "bold red",
    "check": "bold yellow",
    "warning": "bold yellow",
    "note": "bold blue",
    "marks": "red",
}
