"""The questions of step mode, in the terminal."""

from __future__ import annotations

import sys
from enum import Enum
from pathlib import Path

from rich.console import Console

from mle_modernizer_server.cli.terminal.safe_text import harmless
from mle_modernizer_server.domain.errors import BadInput
from mle_modernizer_server.execution.notebook_file import check_output
from mle_modernizer_server.untrusted.files import expanded
from mle_modernizer_server.words import text


class Answer(Enum):
    """The user's answer about a fix."""

    ACCEPT = "a"
    REJECT = "r"
    QUIT = "q"


def ask_about_fix(console: Console) -> Answer:
    """Ask for the decision on the fix that is on the screen; the end of the input means quit."""
    while True:
        said = _input(console, "\nAccept this fix? [a]ccept, [r]eject, [q]uit: ").lower()
        for answer in Answer:
            if said in (answer.value, answer.name.lower()):
                return answer


def ask_yes(console: Console, question: str) -> bool:
    """Ask for a yes or no; the end of the input means no."""
    while True:
        said = _input(console, f"{question} [y]es, [n]o: ").lower()
        if said in ("y", "yes"):
            return True
        if said in ("n", "no", "q"):
            return False


def ask_to_start(console: Console) -> bool:
    """Return whether to start work that costs money; if no user can answer, yes."""
    if not (console.is_terminal and sys.stdin.isatty()):
        return True
    return ask_yes(console, "Start?")


def ask_where_to_write(console: Console, source: Path) -> Path | None:
    """Return a file for the modernized notebook; None if the user declines."""
    while True:
        said = _input(console, "Write the modernized notebook to (empty: nowhere): ")
        if said in ("", "q"):
            return None
        output = expanded(Path(said))
        try:
            check_output(output, source, force=False)
        except BadInput as error:
            console.print(harmless(text(error.message)), markup=False)
        else:
            return output


def _input(console: Console, prompt: str) -> str:
    try:
        return console.input(prompt, markup=False).strip()
    except EOFError:
        console.print()
        return "q"
