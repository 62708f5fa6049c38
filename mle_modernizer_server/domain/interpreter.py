"""The Python interpreter of a notebook's run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Interpreter:
    """A Python interpreter of this machine and the directories of its files.

    Attributes:
        python: Path of the interpreter in its environment (symbolic links are not resolved).
        prefixes: Directories a sandbox mounts read-only so that it starts and finds its packages:
            the environment, its base installation, and the targets of links between the two.
        user_base: Directory of the packages installed with `pip install --user`; None excludes such
            packages.
    """

    python: Path
    prefixes: tuple[Path, ...]
    user_base: Path | None = None
