"""Pythons with libraries of their own, in which cases are executed.

`make environments` makes them from tests/fixing/rules/environments/*.txt, in `.venvs` or in the
directory that RULE_ENVIRONMENTS names.
"""

from __future__ import annotations

import atexit
import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import pytest

from mle_modernizer_server.domain.execution import Environment
from tests.fixing.rules.executed.case import Case

NAMES = ("kaggle", "newest")
_ROOT = Path(__file__).parents[4]
_WORKER = Path(__file__).with_name("worker.py")
_DEEP = re.compile(r"\b(?:tensorflow|keras|torch)\b")
_LIGHT_MODULES = (
    "numpy",
    "pandas",
    "matplotlib.pyplot",
    "sklearn.datasets",
    "sklearn.ensemble",
    "sklearn.model_selection",
    "seaborn",
    "xgboost",
    "lightgbm",
    "statsmodels.api",
    "nltk",
    "gensim",
    "plotly.express",
    "imblearn.over_sampling",
    "catboost",
    "bokeh.plotting",
)
_DEEP_MODULES = ("numpy", "pandas", "tensorflow", "keras", "torch")
_VERSIONS = """
import importlib.metadata as m, json, platform
packages = {name: m.version(of[0]) for name, of in m.packages_distributions().items()}
print(json.dumps({"python": platform.python_version(), "packages": packages}))
"""
_QUIET = {
    "MPLBACKEND": "Agg",
    "OMP_NUM_THREADS": "1",
    "TF_NUM_INTRAOP_THREADS": "1",
    "TF_CPP_MIN_LOG_LEVEL": "3",
    "TF_ENABLE_ONEDNN_OPTS": "0",
    "CUDA_VISIBLE_DEVICES": "-1",
    "KERAS_BACKEND": "tensorflow",
}


@dataclass(frozen=True)
class Raised:
    """An exception in a snippet."""

    ename: str
    evalue: str
    line: int | None
    traceback: str


@dataclass(frozen=True)
class Result:
    """What came of a snippet."""

    raised: Raised | None
    """In the code itself."""
    holds: bool
    """Whether the expression is true afterwards."""
    why: str = ""
    """Traceback of the expression, if it raised."""


class NamedEnvironment:
    """One of the Pythons; its workers start with the first snippet and end with the tests."""

    def __init__(self, name: str, python: Path) -> None:
        self.name = name
        self.python = python
        self._workers: dict[bool, subprocess.Popen[str]] = {}

    @cached_property
    def installed(self) -> Environment:
        """Versions of Python and of all packages, by import name."""
        answer = subprocess.run(
            [self.python, "-c", _VERSIONS], check=True, capture_output=True, text=True
        )
        return Environment.model_validate_json(answer.stdout)

    def answer(self, code: str, question: object) -> object:
        """What code prints as JSON on its last line, in a process of its own."""
        done = subprocess.run(
            [self.python, "-c", code],
            input=json.dumps(question),
            check=True,
            capture_output=True,
            text=True,
            env={**os.environ, **_QUIET},
        )
        return json.loads(done.stdout.splitlines()[-1])

    def run(self, setup: str, code: str, case: Case) -> Result:
        """Execute two cells, then see whether the case's expression holds.

        Raises:
            AssertionError: The setup does not run, or the process died.
        """
        worker = self._worker(bool(_DEEP.search(setup + code)))
        assert worker.stdin is not None
        assert worker.stdout is not None
        request = {"setup": setup, "code": code, "holds": case.holds, "shell": case.shell}
        worker.stdin.write(json.dumps(request) + "\n")
        worker.stdin.flush()
        answer = json.loads(worker.stdout.readline())
        assert "died" not in answer, f"{self.name}: {answer['died']}"
        assert "setup" not in answer, f"{self.name}: the setup fails: {answer['setup']}"
        raised = answer.get("raised")
        why = answer.get("why") or {}
        return Result(
            raised=Raised(**raised) if raised else None,
            holds=answer.get("holds", False),
            why=str(why.get("traceback", "")),
        )

    def _worker(self, deep: bool) -> subprocess.Popen[str]:
        if deep not in self._workers:
            modules = _DEEP_MODULES if deep else _LIGHT_MODULES
            worker = subprocess.Popen(
                [self.python, str(_WORKER), *modules],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                env={**os.environ, **_QUIET},
            )
            atexit.register(_end, worker)
            self._workers[deep] = worker
        return self._workers[deep]


def _end(worker: subprocess.Popen[str]) -> None:
    worker.communicate()  # closes its stdin, so its loop ends


@cache
def environment(name: str) -> NamedEnvironment:
    """The environment of that name.

    Raises:
        pytest.UsageError: It has not been made.
    """
    folder = Path(os.environ.get("RULE_ENVIRONMENTS", _ROOT / ".venvs"))
    python = folder / name / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    if not python.exists():
        raise pytest.UsageError(
            f"{python} is missing: `make environments` makes it, "
            "or set RULE_ENVIRONMENTS to the directory that holds it"
        )
    return NamedEnvironment(name, python)
