"""The parser of the commands' arguments."""

from __future__ import annotations

import argparse
import textwrap
from difflib import get_close_matches
from typing import Any, NoReturn


class _Formatter(argparse.HelpFormatter):
    """Wraps plain paragraphs of descriptions and epilogs, and prints lists as they are."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        paragraphs = text.strip("\n").split("\n\n")
        return "\n\n".join(
            paragraph if "\n" in paragraph else textwrap.fill(paragraph, width)
            for paragraph in paragraphs
        )


class Arguments(argparse.ArgumentParser):
    """`argparse`'s parser; an error is printed alone, with the options that may be meant."""

    def __init__(self, **given: Any) -> None:
        """
        Args:
            given: As for `argparse.ArgumentParser`.
        """
        super().__init__(formatter_class=_Formatter, **given)

    def error(self, message: str) -> NoReturn:
        """Print the error in the arguments, in two lines.

        Raises:
            SystemExit: Always, with 2.
        """
        unknown = message.split() if message.startswith("unrecognized arguments:") else []
        options = [name for name in self._option_string_actions if name.startswith("--")]
        meant = [
            name
            for word in unknown
            if word.startswith("--")
            for name in get_close_matches(word.partition("=")[0], options, n=1)
        ]
        hint = f" Did you mean {' and '.join(meant)}?" if meant else ""
        full_stop = "" if message.endswith((".", "?", "!")) else "."
        self.exit(
            2, f"{self.prog}: {message}{full_stop}{hint}\nTry `{self.prog} --help` for the usage.\n"
        )
