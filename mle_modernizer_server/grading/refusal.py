"""Why a CSV is no valid submission, or cannot be judged."""

from __future__ import annotations

from enum import IntEnum


class Stage(IntEnum):
    """How far a CSV came before it was refused: the further, the nearer to a submission."""

    FILE = 0
    TABLE = 1
    COLUMNS = 2
    ROWS = 3
    IDS = 4
    VALUES = 5


class InvalidSubmission(Exception):
    """The CSV is refused; the message is a sentence for the notebook's author."""

    def __init__(self, stage: Stage, message: str) -> None:
        super().__init__(message)
        self.stage = stage
        self.message = message


class UnusableAnswers(Exception):
    """The competition's own answers do not allow a score; the message says why."""


def shown(value: str, limit: int = 40) -> str:
    """A hostile text, quoted, on one line and short enough for a message."""
    clean = "".join(char if char.isprintable() else "�" for char in value)
    return repr(clean if len(clean) <= limit else clean[: limit - 1] + "…")


def examples(values: list[str], limit: int = 3) -> str:
    """The first few values for a message, e.g. `'a', 'b', 'c' and 7 more`."""
    text = ", ".join(shown(value) for value in values[:limit])
    rest = len(values) - limit
    return f"{text} and {rest:,} more" if rest > 0 else text
