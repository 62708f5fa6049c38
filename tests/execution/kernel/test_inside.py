"""What is sent into kernels of other times can be read by their Pythons."""

from __future__ import annotations

import ast
import json
import os
import subprocess
from pathlib import Path

import pytest

import mle_modernizer_server.execution.kernel.inside as inside
from mle_modernizer_server.execution.differential import driver
from mle_modernizer_server.execution.kernel.environment import QUESTION_FOR_ALL
from mle_modernizer_server.execution.pip import runner

SENT = sorted(Path(inside.__file__).parent.glob("*.py"))
PYENV = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"


@pytest.mark.parametrize(
    "path", [*SENT, Path(driver.__file__), Path(runner.__file__)], ids=lambda path: path.stem
)
def test_what_is_sent_has_the_syntax_of_python_36(path: Path) -> None:
    tree = ast.parse(path.read_text("utf-8"), feature_version=(3, 6))
    assert [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.NamedExpr)  # ast.parse lets these two pass
        or (isinstance(node, ast.ImportFrom) and node.module == "__future__")
    ] == []


@pytest.mark.parametrize("python", sorted(PYENV.glob("3.[6-9].*/bin/python")), ids=str)
def test_what_is_sent_runs_in_older_pythons(python: Path) -> None:
    for path in (*SENT, Path(runner.__file__)):
        subprocess.run([python, "-I", "-c", path.read_text("utf-8")], check=True, timeout=60)
    done = subprocess.run(
        [python, "-I", "-c", QUESTION_FOR_ALL], check=True, timeout=60, capture_output=True
    )
    answer = json.loads(done.stdout)
    assert answer["python"].split(".")[:2] == python.parts[-3].split(".")[:2]
    assert answer["packages"]["pip"]
