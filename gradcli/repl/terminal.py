"""The prompt on a terminal: several lines, history and its search, completion, colours, the hint at the bottom."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from prompt_toolkit import PromptSession
from prompt_toolkit.application import get_app
from prompt_toolkit.completion import Completer, Completion
from prompt_toolkit.enums import DEFAULT_BUFFER
from prompt_toolkit.filters import Condition, has_focus
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.layout.processors import TabsProcessor
from prompt_toolkit.lexers import Lexer
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.styles import Style

from .history import open_history

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from prompt_toolkit.document import Document
    from prompt_toolkit.key_binding import KeyPressEvent

    from .warmup import WarmUp
    from .workbench import Workbench

#: a longer text is shown without colours
_COLOURED = 20_000
_STYLE = {
    "bottom-toolbar": "noreverse ansibrightblack",
    "prompt": "bold",
    "pygments.keyword": "ansimagenta",
    "pygments.keyword.constant": "ansicyan",
    "pygments.operator.word": "ansimagenta",
    "pygments.operator": "",
    "pygments.punctuation": "",
    "pygments.name": "",
    "pygments.name.function": "bold",
    "pygments.literal.number": "ansicyan",
    "pygments.literal.string": "ansigreen",
    "pygments.comment": "ansibrightblack",
    "pygments.comment.single": "ansibrightblack",
    "pygments.error": "ansired",
}


class TerminalReader:
    """Complete inputs from a terminal. `bench` gives the workbench once there is one."""

    def __init__(self, warm: WarmUp, bench: Callable[[], Workbench], colour: bool) -> None:
        self._warm = warm
        self._bench = bench
        self._completer = _Completer(warm, bench)
        history, self.complaint = open_history()
        self._session: PromptSession[str] = PromptSession(
            message=[("class:prompt", "> ")],
            multiline=True,
            prompt_continuation=[("class:prompt", ". ")],
            history=history,
            lexer=_Highlighter(warm),
            completer=self._completer,
            complete_while_typing=False,
            enable_history_search=True,
            bottom_toolbar=self._hint,
            key_bindings=self._bindings(),
            input_processors=[TabsProcessor(tabstop=4, char1=" ", char2=" ")],
            style=Style(list(_STYLE.items())),
            include_default_pygments_style=False,
            color_depth=None if colour else ColorDepth.DEPTH_1_BIT,
            reserve_space_for_menu=6,
        )
        self._session.app.after_render += self._rendered
        self._session.app.ttimeoutlen = 0.05

    def read(self) -> str:
        """The next input. Raises EOFError for Ctrl-D, KeyboardInterrupt for Ctrl-C."""
        return self._session.prompt()

    def _rendered(self, _: Any) -> None:
        self._warm.start()

    def _hint(self) -> str:
        if not self._warm.done:
            return ""
        from .hints import hint

        document = get_app().current_buffer.document
        return _printable(hint(document.text, document.cursor_position, self._bench().session))

    def _bindings(self) -> KeyBindings:
        bindings = KeyBindings()
        typing = has_focus(DEFAULT_BUFFER)
        blank = Condition(lambda: not get_app().current_buffer.document.current_line_before_cursor.strip())

        @bindings.add("enter", filter=typing)
        def _(event: KeyPressEvent) -> None:
            from .typed import indent, is_unfinished

            buffer = event.current_buffer
            if buffer.complete_state and buffer.complete_state.current_completion:
                buffer.complete_state = None
                return
            self._warm.language()
            if is_unfinished(buffer.text):
                buffer.insert_text("\n" + indent(buffer.document.text_before_cursor))
            else:
                buffer.validate_and_handle()

        @bindings.add("escape", "enter", filter=typing)
        def _(event: KeyPressEvent) -> None:
            event.current_buffer.insert_text("\n")

        @bindings.add("tab", filter=typing & blank)
        def _(event: KeyPressEvent) -> None:
            event.current_buffer.insert_text("    ")

        @bindings.add("tab", filter=typing & ~blank)
        def _(event: KeyPressEvent) -> None:
            # at once, not in the background as prompt_toolkit does: the next key may come before that is done
            buffer = event.current_buffer
            if buffer.complete_state:
                buffer.complete_next()
                return
            words = [c.text for c in self._completer.get_completions(buffer.document, None)]
            typed = len(buffer.document.text_before_cursor) - self._completer.start
            buffer.insert_text(_common_beginning(words)[typed:])
            if len(words) > 1:
                buffer.start_completion(select_first=False)

        @bindings.add("}", filter=typing & blank)
        def _(event: KeyPressEvent) -> None:
            buffer = event.current_buffer
            buffer.delete_before_cursor(min(4, len(buffer.document.current_line_before_cursor)))
            buffer.insert_text("}")

        return bindings


class _Completer(Completer):
    def __init__(self, warm: WarmUp, bench: Callable[[], Workbench]) -> None:
        self._warm = warm
        self._bench = bench
        #: where the words that were found last begin
        self.start = 0

    def get_completions(self, document: Document, complete_event: Any) -> Iterator[Completion]:
        self._warm.all()
        from .completion import complete

        text = document.text_before_cursor
        found = complete(text, self._bench().session)
        self.start = found.start
        for word, what in found.words:
            yield Completion(word, found.start - len(text), display_meta=what)


class _Highlighter(Lexer):
    """Colours as Pygments' lexer of the language tells; none for a command."""

    def __init__(self, warm: WarmUp) -> None:
        self._warm = warm

    def lex_document(self, document: Document) -> Callable[[int], Any]:
        text = document.text
        if len(text) > _COLOURED or text.lstrip().startswith((":", "?")):
            return lambda row: [("", document.lines[row])] if row < len(document.lines) else []
        self._warm.language()
        from gradcli.report.highlighting import TensorProgramLexer

        rows: list[list[tuple[str, str]]] = [[]]
        for _, kind, piece in TensorProgramLexer().get_tokens_unprocessed(text):
            style = "class:pygments." + str(kind).lower().removeprefix("token.") if str(kind) != "Token" else ""
            first, *rest = piece.split("\n")
            rows[-1].append((style, first))
            for part in rest:
                rows.append([(style, part)])
        return lambda row: rows[row] if row < len(rows) else []


def _common_beginning(words: list[str]) -> str:
    if not words:
        return ""
    first, last = min(words), max(words)
    size = next((i for i, (a, b) in enumerate(zip(first, last)) if a != b), min(len(first), len(last)))
    return first[:size]


def _printable(text: str) -> str:
    return "".join(c if c.isprintable() else " " for c in text)
