"""What existing tools make of a notebook: ruff, pyupgrade, fissix (2to3)."""

from __future__ import annotations

import logging
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import nbformat
from fissix.pgen2.parse import ParseError
from fissix.pgen2.tokenize import TokenError
from fissix.refactor import RefactoringTool, get_fixers_from_package

from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.fixing.rules.engine.source import mask

Tool = Callable[[Notebook], Notebook]
"""What it cannot read comes back as it was."""


def ruff(notebook: Notebook) -> Notebook:
    """ruff's rules for numpy, pandas and old Python, with the fixes it calls unsafe."""
    code = notebook.code_cells()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "notebook.ipynb")
        written = nbformat.v4.new_notebook(
            cells=[nbformat.v4.new_code_cell(cell.source) for cell in code],
            metadata={"language_info": {"name": "python"}},
        )
        nbformat.write(written, path)
        subprocess.run(
            [
                *(sys.executable, "-m", "ruff", "check", "--isolated", "--quiet", "--exit-zero"),
                *("--select", "NPY,PD,UP", "--fix", "--unsafe-fixes", "--no-cache", str(path)),
            ],
            check=False,
            capture_output=True,
        )
        after = nbformat.read(path, as_version=4).cells
    sources = {old.id: new.source for old, new in zip(code, after, strict=True)}
    return _with(notebook, sources)


def pyupgrade(notebook: Notebook) -> Notebook:
    """pyupgrade for today's Python, each cell a file."""
    masked = {cell.id: one for cell in notebook.code_cells() if (one := mask(cell.source))}
    sources = {}
    with tempfile.TemporaryDirectory() as folder:
        paths = {cell_id: Path(folder, f"{at}.py") for at, cell_id in enumerate(masked)}
        for cell_id, path in paths.items():
            path.write_bytes(masked[cell_id].text.encode("utf-8", "replace"))
        subprocess.run(
            [sys.executable, "-m", "pyupgrade", "--py310-plus", *map(str, paths.values())],
            check=False,
            capture_output=True,
        )
        for cell_id, path in paths.items():
            restored = masked[cell_id].restore(path.read_bytes().decode("utf-8"))
            if restored is not None:
                sources[cell_id] = restored
    return _with(notebook, sources)


def two_to_three(notebook: Notebook) -> Notebook:
    """All of fissix's fixers, cell by cell."""
    return _each_cell(notebook, _fissix)


def _with(notebook: Notebook, sources: dict[str, str]) -> Notebook:
    return notebook.model_copy(
        update={
            "cells": tuple(
                cell.model_copy(update={"source": sources.get(cell.id, cell.source)})
                for cell in notebook.cells
            )
        }
    )


def _each_cell(notebook: Notebook, change: Callable[[str], str]) -> Notebook:
    """IPython's own syntax is kept away from the tool."""
    sources = {}
    for cell in notebook.code_cells():
        masked = mask(cell.source)
        restored = masked.restore(change(masked.text)) if masked is not None else None
        sources[cell.id] = cell.source if restored is None else restored
    return _with(notebook, sources)


@cache
def _refactoring() -> RefactoringTool:
    logging.getLogger("RefactoringTool").setLevel(logging.CRITICAL)
    return RefactoringTool(get_fixers_from_package("fissix.fixes"))


def _fissix(text: str) -> str:
    whole = text if text.endswith("\n") else text + "\n"
    try:
        new = str(_refactoring().refactor_string(whole, "cell"))
    except (ParseError, TokenError, SyntaxError, ValueError, AttributeError, IndexError):
        return text
    return new if text.endswith("\n") else new.removesuffix("\n")


TOOLS: dict[str, Tool] = {"ruff": ruff, "pyupgrade": pyupgrade, "2to3 (fissix)": two_to_three}
