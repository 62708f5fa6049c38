"""Pythons with the libraries of other times, for the comparisons."""

from __future__ import annotations

import os
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

from examples.record_targets import old_python

_ROOT = Path(__file__).parents[1]
_PINS = _ROOT / "examples" / "old_environment_2019.txt"


@cache
def python_of_2019() -> Path:
    """Python 3.7 with pandas 0.24 and scikit-learn 0.20, made on first use from PyPI.

    It is made in `build`, where `examples/record_targets.py` makes it too. Without a Python 3.7
    (on the path, pyenv's, or the one OLD_PYTHON names) the test is skipped.
    """
    base = _python37()
    if base is None:
        pytest.skip("NO OLD PYTHON: put Python 3.7 on the path, or name one in OLD_PYTHON")
    folder = _ROOT / "build" / "old-environments" / _PINS.stem
    try:
        return old_python(base, _PINS, folder)
    except subprocess.CalledProcessError as error:
        pytest.skip(f"NO OLD LIBRARIES: they could not be installed ({error})")


def _python37() -> str | None:
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    named = os.environ.get("OLD_PYTHON")
    candidates = [named, shutil.which("python3.7"), *map(str, pyenv.glob("3.7.*/bin/python"))]
    return next((one for one in candidates if one is not None and _is_python37(one)), None)


def _is_python37(path: str) -> bool:
    try:
        done = subprocess.run([path, "-V"], capture_output=True, text=True, timeout=30)
    except OSError:
        return False
    return done.stdout.startswith("Python 3.7")
