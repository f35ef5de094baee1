"""A workbench without a terminal: what is printed is kept as text."""

from gradcli.repl.commands import is_command, run_command
from gradcli.repl.workbench import Workbench
from gradcli.report.catalogue import diagnose
from gradcli.report.plain import value_text


class KeptScreen:
    def __init__(self):
        self.out = []
        self.settings = {"precision": None, "full": False, "math": False, "quiet": False}

    def emit(self, outcome):
        if type(outcome).__name__ == "Shown":
            self.out.append(value_text(outcome.value))
            return
        diagnostic = diagnose(outcome)
        if diagnostic is not None:
            self.out.append(f"{diagnostic.severity}[{diagnostic.code}]")

    def lines(self, lines):
        self.out.extend("".join(text for text, _ in line) for line in lines)

    def say(self, text):
        self.out.append(text)

    def code_page(self, word):
        return None

    def display(self):
        return self.settings

    def set_display(self, name, value):
        self.settings[name] = value


class Bench(Workbench):
    """`bench("x = 1", "x")` gives what the lines print, commands too."""

    def __init__(self, **options):
        super().__init__(KeptScreen(), **options)

    def __call__(self, *lines):
        self.screen.out.clear()
        for line in lines:
            if is_command(line):
                run_command(self, line)
            else:
                self.run(line)
        return list(self.screen.out)
