"""Exit statuses, and how an outcome counts. Several files: the greatest status wins."""

OK = 0
NO = 1  # the answer is no: an assert failed, or --strict
USAGE = 2  # wrong usage, or a program file that cannot be read
PROGRAM = 3  # the program is wrong
LIMIT = 4  # a limit was reached
BUG = 70  # a bug of ours
INTERRUPTED = 130


def bug_text(error: Exception) -> str:
    """One line on an error of ours."""
    first = str(error).splitlines()[0] if str(error) else ""
    return (
        f"gradcli: a bug of ours: {type(error).__name__}: {first}; "
        "please report it with the program and what --debug shows"
    )


class UsageError(Exception):
    """Wrong usage of the command: status 2. The text says what is wrong and what to write instead."""
