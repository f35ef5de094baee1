"""What `:set` changes, an entry each. The two that change values are statements, and so are saved and taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gradcli.lang.suggest import nearest

if TYPE_CHECKING:
    from collections.abc import Callable

    from .workbench import Workbench


class Setting:
    """One setting: the values it may have in words, how to read one (None if it is none), to get and to set it."""

    __slots__ = ("choices", "get", "help", "put", "values")

    def __init__(
        self, help: str, values: str, choices: tuple[str, ...], get: Callable[[Workbench], Any],
        put: Callable[[Workbench, str], bool],
    ) -> None:  # fmt: skip
        self.help = help
        self.values = values
        #: what completion offers
        self.choices = choices
        self.get = get
        #: change it; False if the text is no value of it
        self.put = put


def change(bench: Workbench, name: str, value: str) -> str | None:
    """Change a setting; what is wrong, if something is."""
    setting = SETTINGS.get(name)
    if setting is None:
        near = nearest(name, SETTINGS)
        return f"there is no setting {name}; " + (f"did you mean {near[0]}?" if near else f"there are {_listed()}")
    if not value or not setting.put(bench, value):
        return f"{name} is {setting.values}" + (f", not {value}" if value else "")
    return None


def _listed() -> str:
    *names, last = SETTINGS
    return f"{', '.join(names)} and {last}"


def _dtype(bench: Workbench) -> str:
    from gradcli.engine.dtypes import dtype_name

    return dtype_name(bench.session.state.float_dtype)


def _set_dtype(bench: Workbench, value: str) -> bool:
    if value not in _FLOATS:
        return False
    bench.run(f"default {value}")
    return True


def _set_seed(bench: Workbench, value: str) -> bool:
    if not (value.isascii() and value.isdigit() and len(value) <= 18):
        return False
    bench.run(f"set_seed({value})")
    return True


def _set_precision(bench: Workbench, value: str) -> bool:
    if value == "all":
        bench.screen.set_display("precision", None)
        return True
    if not (value.isascii() and value.isdigit() and 1 <= int(value[:6]) <= 1000):
        return False
    bench.screen.set_display("precision", int(value))
    return True


def _switch(name: str, help: str) -> Setting:
    def put(bench: Workbench, value: str) -> bool:
        if value not in ("on", "off"):
            return False
        bench.screen.set_display(name, value == "on")
        return True

    return Setting(help, "on or off", ("on", "off"), lambda b: "on" if b.screen.display()[name] else "off", put)


_FLOATS = ("float16", "float32", "float64")
SETTINGS = {
    "dtype": Setting("the dtype of float literals", "float16, float32 or float64", _FLOATS, _dtype, _set_dtype),
    "seed": Setting(
        "start the random numbers anew from a seed", "a whole number from 0", (), lambda b: "", _set_seed,
    ),
    "precision": Setting(
        "significant digits of printed numbers", "a number from 1 to 1000, or all", ("all",),
        lambda b: b.screen.display()["precision"] or "all", _set_precision,
    ),
    "full": _switch("full", "no … in big arrays"),
    "math": _switch("math", "the mathematical value where arithmetic gives another"),
    "quiet": _switch("quiet", "no notes, warnings and reasons"),
}  # fmt: skip
