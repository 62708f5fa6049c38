"""The Python a notebook runs with."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Interpreter:
    """A Python interpreter of this machine and the directories its files lie in.

    Attributes:
        python: Path of the interpreter, in its environment (symbolic links are kept).
        prefixes: Directories a sandbox shows read-only so that it starts and finds its packages:
            the environment, its base installation, and where links between the two lead.
        user_base: Directory of the packages installed with `pip install --user`; None leaves
            such packages out.
    """

    python: Path
    prefixes: tuple[Path, ...]
    user_base: Path | None = None
