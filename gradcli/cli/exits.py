"""Exit statuses, and how an outcome counts. Several files: the greatest status wins."""

OK = 0
NO = 1  # the answer is no: an assert failed, or --strict
USAGE = 2  # wrong usage, or a program file that cannot be read
PROGRAM = 3  # the program is wrong
LIMIT = 4  # a limit was reached
BUG = 70  # a bug of ours
INTERRUPTED = 130


class UsageError(Exception):
    """Wrong usage of the command: status 2. The text says what is wrong and what to write instead."""
