"""What the first answer needs, imported in the background once the prompt is on the screen."""

from __future__ import annotations

import threading


class WarmUp:
    """A thread that imports: first the language, for the next key; then the engine and what prints.

    Main thread and this one must not import the same modules at once (Python would hand out half of one): ask
    `language` or `all` before touching any.
    """

    def __init__(self, rich: bool) -> None:
        self._rich = rich
        self._language = threading.Event()
        self._thread: threading.Thread | None = None
        self.done = False

    def start(self) -> None:
        """Begin, if it has not begun."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, daemon=True)
            self._thread.start()

    def language(self) -> None:
        """Wait until the language can be read."""
        self.start()
        self._language.wait()

    def all(self) -> None:
        """Wait until a line can run."""
        self.start()
        assert self._thread is not None
        self._thread.join()

    def _run(self) -> None:
        try:
            _import_language()
        finally:
            self._language.set()
        _import_engine(self._rich)
        self.done = True


def _import_language() -> None:
    from gradcli.lang.parser import parse
    from gradcli.report import highlighting

    parse("variable x = 1.0; tape { y = x }")
    del highlighting


def _import_engine(rich: bool) -> None:
    """Run a small program to its printed end, and an error: what both need is imported, and nothing is seen of them."""
    import io

    from gradcli.engine.primitive import all_names
    from gradcli.lang.source import Source
    from gradcli.report.catalogue import diagnose
    from gradcli.runtime.session import Session

    from . import completion, hints, inspection, settings, workbench

    del hints, inspection, settings, workbench
    held: list[object] = []
    session = Session(held.append)
    session.run(Source("<warm-up>", "variable x = 3.0; y = sin(x) * x^2; gradient(y, [x, pi]); nothing"))
    session.run(Source("<warm-up>", "variable x = 3.0; gradient(sin(x) * x^2, [x, constant(1.0)])"))
    completion.complete("si", session)
    all_names()
    if rich:
        from gradcli.report.rich_view import RichView, make_console

        view = RichView(make_console(io.StringIO(), True, 80), None, False)
    for outcome in held:
        diagnostic = diagnose(outcome) if type(outcome).__name__ != "Shown" else None
        if rich and diagnostic is None:
            view.show(outcome)  # type: ignore[arg-type]
        elif rich:
            view.diagnostic(diagnostic)  # type: ignore[arg-type]
