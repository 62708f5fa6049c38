"""Pythons with libraries of their own, in which cases are executed.

`make environments` makes them from tests/fixing/rules/environments/*.txt, in `.venvs`;
RULE_ENVIRONMENTS names a directory where they are made already. Those with TensorFlow and PyTorch
(`*-deep`) are needed for new code of theirs only: what is known is in the record.
"""

from __future__ import annotations

import atexit
import inspect
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, cached_property
from pathlib import Path

import pytest

from mle_modernizer_server.domain.execution import Environment
from tests.fixing.rules.executed import described
from tests.fixing.rules.executed.case import Case
from tests.fixing.rules.executed.record import EVERY, Raised, Record, Result, is_sampled

NAMES = ("kaggle", "newest")
_ROOT = Path(__file__).parents[4]
_WORKER = Path(__file__).with_name("worker.py")
_DEEP = re.compile(r"\b(?:tensorflow|keras|torch|torchvision|fastai|albumentations|transformers)\b")
_USUAL_MODULES = (
    "numpy",
    "pandas",
    "matplotlib.pyplot",
    "sklearn.datasets",
    "sklearn.ensemble",
    "sklearn.model_selection",
)
"""What a sample of the cases uses; each that uses something else imports it itself."""
_LIGHT_MODULES = (
    *_USUAL_MODULES,
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
_DEEP_MODULES = (
    "numpy",
    "pandas",
    "torch",
    "fastai.vision.all",
    "albumentations",
    "transformers",
    "tensorflow",
    "keras",
)
"""torchvision, which fastai imports, before TensorFlow: after it, it crashes."""
_VERSIONS = """
import importlib.metadata as m, json, platform
packages = {name: m.version(of[0]) for name, of in m.packages_distributions().items()}
print(json.dumps({"python": platform.python_version(), "packages": packages}))
"""
_DESCRIBED = (
    inspect.getsource(described).replace("from __future__ import annotations\n", "")
    + "\n\nclass Described(Exception):\n    pass\n"
)
_QUIET = {
    "MPLBACKEND": "Agg",
    "OMP_NUM_THREADS": "1",
    "TF_NUM_INTRAOP_THREADS": "1",
    "TF_CPP_MIN_LOG_LEVEL": "3",
    "TF_ENABLE_ONEDNN_OPTS": "0",
    "CUDA_VISIBLE_DEVICES": "-1",
    "KERAS_BACKEND": "tensorflow",
}


class NamedEnvironment:
    """One of the Pythons; its workers start with the first snippet and end with the tests.

    Attributes:
        python: Without TensorFlow and PyTorch.
        deep: With them; None where it is not made.
        record: What snippets gave before; None: all are executed.
    """

    def __init__(
        self, name: str, python: Path, deep: Path | None = None, record: Record | None = None
    ) -> None:
        self.name = name
        self.python = python
        self.deep = deep
        self.record = record
        self._workers: dict[bool, subprocess.Popen[str]] = {}

    @cached_property
    def installed(self) -> Environment:
        """Versions of Python and of all packages, by import name."""
        if self.record is not None and self.record.installed is not None:
            return self.record.installed
        return self._asked(self.deep or self.python)

    def _asked(self, python: Path) -> Environment:
        answer = subprocess.run(
            [_there(python), "-c", _VERSIONS], check=True, capture_output=True, text=True
        )
        return Environment.model_validate_json(answer.stdout)

    def answer(self, code: str, question: object) -> object:
        """What code prints as JSON on its last line, in a process of its own."""
        done = subprocess.run(
            [_there(self.deep or self.python), "-c", code],
            input=json.dumps(question),
            check=True,
            capture_output=True,
            text=True,
            env={**os.environ, **_QUIET},
        )
        return json.loads(done.stdout.splitlines()[-1])

    def run(self, setup: str, code: str, case: Case) -> Result:
        """Execute two cells, then see whether the case's expression holds.

        What the record knows is not executed again, but for a sample.

        Raises:
            AssertionError: The setup does not run, or the process died.
            pytest.skip.Exception: It needs an environment that only `make test-all` makes.
        """
        deep = bool(_DEEP.search(f"{setup}\n{code}"))
        if self.record is None:
            return self._executed(setup, code, case, deep)
        key = self.record.key((setup, code, case.holds, str(case.shell)), deep=deep)
        known = self.record.known(key)
        is_made = not deep or self.deep is not None
        if known is not None and not (is_made and is_sampled(key)):
            return known
        if not is_made:
            pytest.skip("new code for TensorFlow or PyTorch: `make test-all` executes it")
        result = self._executed(setup, code, case, deep)
        self.record.note(key, result)
        return result

    def described(self, setup: str, code: str, case: Case) -> str:
        """What a cell after the code finds, as text (`described.described`).

        Raises:
            AssertionError: The code does not run.
        """
        seen = self.run(
            setup, f"{code}\n{_DESCRIBED}\nraise Described(described({case.then}))", case
        )
        assert seen.raised is not None
        assert seen.raised.ename == "Described", f"{seen.raised.ename}: {seen.raised.evalue}"
        return seen.raised.evalue

    def recorded(self, setup: str, case: Case) -> Result | None:
        """What came of a case when it was executed; None where it is not in the record."""
        if self.record is None:
            return None
        deep = bool(_DEEP.search(f"{setup}\n{case.code}"))
        return self.record.known(
            self.record.key((setup, case.code, case.holds, str(case.shell)), deep=deep)
        )

    @contextmanager
    def recording(self) -> Iterator[None]:
        """Write down what a test executes, if the test passes."""
        passed = False
        try:
            yield
            passed = True
        finally:
            if self.record is not None:
                self.record.end_test(passed=passed)
                if self.record.is_due:
                    self.write()

    def write(self) -> None:
        """Add what is new to the record."""
        if self.record is not None:
            self.record.write(self._asked(self.deep) if self.deep is not None else None)

    def _executed(self, setup: str, code: str, case: Case, deep: bool) -> Result:
        worker = self._worker(deep)
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
            light = _LIGHT_MODULES if EVERY else _USUAL_MODULES
            modules = _DEEP_MODULES if deep else light
            python = self.deep if deep and self.deep is not None else self.python
            worker = subprocess.Popen(
                [_there(python), str(_WORKER), *modules],
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


def _there(python: Path) -> Path:
    """The Python.

    Raises:
        pytest.UsageError: It has not been made.
    """
    if not python.exists():
        raise pytest.UsageError(
            f"{python} is missing: `make environments` makes it, "
            "or set RULE_ENVIRONMENTS to the directory that holds it"
        )
    return python


@cache
def environment(name: str) -> NamedEnvironment:
    """The environment of that name."""
    folder = Path(os.environ.get("RULE_ENVIRONMENTS", _ROOT / ".venvs"))
    inner = "Scripts/python.exe" if sys.platform == "win32" else "bin/python"
    deep = folder / f"{name}-deep" / inner
    return NamedEnvironment(
        name, folder / name / inner, deep if deep.exists() else None, Record(name)
    )
