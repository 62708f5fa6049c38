"""Why a CSV is no valid submission, or cannot be judged."""

from __future__ import annotations

from enum import IntEnum

from mle_modernizer_server.domain.message import Messages, Parameter, coded, verbatim


class Stage(IntEnum):
    """How far a CSV came before it was refused: the further, the nearer to a submission."""

    FILE = 0
    TABLE = 1
    COLUMNS = 2
    ROWS = 3
    IDS = 4
    VALUES = 5


class InvalidSubmission(Exception):
    """The CSV is refused; the message is for the notebook's author."""

    def __init__(self, stage: Stage, message: Messages) -> None:
        super().__init__(" ".join(map(str, message)))
        self.stage = stage
        self.message = message


class UnusableAnswers(Exception):
    """The competition's own answers do not allow a score; the message has the reason."""

    def __init__(self, message: Messages) -> None:
        super().__init__(" ".join(map(str, message)))
        self.message = message


class BadCell(ValueError):
    """A cell does not hold a value that the metric can read; the message is a clause about the
    cell.
    """

    def __init__(self, message: Messages) -> None:
        super().__init__(" ".join(map(str, message)))
        self.message = message


def fault(error: ValueError) -> Messages:
    """Return the fault of a cell, also if Python itself could not read it."""
    return error.message if isinstance(error, BadCell) else verbatim(str(error))


def shown(value: str, limit: int = 40) -> str:
    """Return a hostile text, quoted, on one line and short enough for a message."""
    clean = "".join(char if char.isprintable() else "�" for char in value)
    return repr(clean if len(clean) <= limit else clean[: limit - 1] + "…")


def examples(values: list[str], limit: int = 3) -> Parameter:
    """Return the first few values for a message, e.g. `'a', 'b', 'c' and 7 more`."""
    first = ", ".join(shown(value) for value in values[:limit])
    rest = len(values) - limit
    return coded("csv.examples", first=first, rest=rest) if rest > 0 else first
