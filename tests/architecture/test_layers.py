"""Who may import whom. The picture is in CONTRIBUTING.md; this is the list."""

import ast
from pathlib import Path

ROOT = Path(__file__).parents[2] / "gradcli"

#: layer → what of ours, and what of others', it may import
ALLOWED = {
    "engine": ({"engine"}, {"numpy"}),
    "lang": ({"lang", "grammar"}, {"lark"}),
    "data": ({"data"}, {"numpy", "safetensors"}),
    "nn": ({"nn", "engine"}, {"numpy"}),
    "runtime": ({"runtime", "lang", "engine", "nn", "data"}, {"numpy"}),
    "report": ({"report", "runtime", "engine", "nn", "lang"}, {"rich", "pygments", "numpy"}),
    "repl": ({"repl", "report", "runtime", "engine", "lang", "data"}, {"prompt_toolkit"}),
    "tf": ({"tf", "engine", "nn"}, {"numpy"}),
    "checking": ({"checking", "runtime", "engine", "data"}, {"numpy"}),
    "cli": ({"cli", "repl", "checking", "report", "runtime", "lang", "data"}, {"typer"}),
}
STANDARD = {
    "__future__", "bisect", "gzip", "stat", "warnings", "collections", "contextlib", "contextvars", "csv", "ctypes", "errno", "functools", "gc", "importlib", "inspect",
    "io", "itertools", "json", "logging", "multiprocessing", "pathlib", "textwrap", "math", "operator", "os", "pkgutil", "re", "readline", "sys", "threading", "types", "typing", "unicodedata", "shutil", "signal", "string", "time", "resource", "_thread", "zipfile", "zlib",
}  # fmt: skip
#: modules beside the layers: what each may import beyond the command
DOORS = {
    "pytest_plugin.py": {
        "__future__", "os", "collections.abc", "pathlib", "typing", "pytest", "gradcli.checking.programs", "gradcli.cli.check_program",
        "gradcli.cli.evaluate", "gradcli.cli.exits", "gradcli.cli.options", "gradcli.report.checks.record",
        "gradcli.report.plain_diagnostic",
    }
}  # fmt: skip
#: (file, module): the only places where a library may be imported although its layer has others
ONLY = {
    "rich": {"report/rich_view.py", "report/picture.py", "report/progress.py"},
    "ctypes": {"cli/limits.py"},
    "lark": {"lang/tables.py"},
    "typer": {"cli/app.py"},
    "safetensors": {"data/tensors.py"},
    "pygments": {"report/highlighting.py"},
    "prompt_toolkit": {"repl/terminal.py", "repl/history.py"},
}


def imports(path: Path) -> set[str]:
    tree = ast.parse(path.read_text())
    package = path.relative_to(ROOT).parts[:-1]
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            if node.level:
                base = ("gradcli", *package)[: len(package) + 2 - node.level]
                names = [node.module] if node.module else [alias.name for alias in node.names]
                found |= {".".join((*base, name)) for name in names}
            else:
                found.add(node.module or "")
    return found


def wrong(path: Path) -> list[str]:
    layer = path.relative_to(ROOT).parts[0]
    if layer.endswith(".py"):
        return sorted(imports(path) - DOORS.get(layer, {"gradcli.cli.main"}))
    ours, others = ALLOWED[layer]
    bad = []
    for name in imports(path):
        first, *rest = name.split(".")
        if first == "gradcli":
            if rest and rest[0] not in ours and name not in ("gradcli.__version__",):
                bad.append(name)
        elif (first not in STANDARD and first not in others) or (
            first in ONLY and str(path.relative_to(ROOT)) not in ONLY[first]
        ):
            bad.append(name)
    return bad


def test_every_import_goes_down():
    faults = {str(p.relative_to(ROOT)): wrong(p) for p in sorted(ROOT.rglob("*.py"))}
    assert {path: names for path, names in faults.items() if names} == {}


def test_an_import_that_goes_up_is_found(tmp_path, monkeypatch):
    monkeypatch.setattr(f"{__name__}.ROOT", tmp_path)
    (tmp_path / "engine").mkdir()
    bad = tmp_path / "engine" / "x.py"
    bad.write_text("from gradcli.runtime import session\nimport lark\nfrom ..report import plain\n")
    assert sorted(wrong(bad)) == ["gradcli.report", "gradcli.runtime", "lark"]


def test_every_layer_is_listed():
    folders = {p.name for p in ROOT.iterdir() if p.is_dir() and p.name != "__pycache__"}
    assert folders == set(ALLOWED)
