"""`-k WORDS`: which paths are meant. Words joined by `or`, `and`, `not`; each is a piece of the path, in any case."""

from __future__ import annotations


class Selection:
    """A condition on paths: `or` of `and` of words, some negated. Raises ValueError where a word is missing."""

    def __init__(self, text: str) -> None:
        self.options: list[list[tuple[bool, str]]] = [[]]
        wanted, words = True, list[str]()
        for word in [*text.split(), "or"]:
            if word in ("or", "and"):
                if not words:
                    raise ValueError(f"a word is missing before {word}" if self._begun() else "a word is missing")
                self.options[-1].append((wanted, " ".join(words).lower()))
                wanted, words = True, []
                if word == "or":
                    self.options.append([])
            elif word == "not" and not words:
                wanted = not wanted
            else:
                words.append(word)
        self.options.pop()

    def _begun(self) -> bool:
        return bool(self.options[0])

    def chooses(self, path: str) -> bool:
        """Is this path meant?"""
        lower = path.lower()
        return any(all((word in lower) == wanted for wanted, word in option) for option in self.options)
