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
from tests.fixing.rules.executed.record import (
    DEEP,
    EVERY,
    LIGHT,
    PINS,
    VISION,
    Raised,
    Record,
    Result,
    is_sampled,
)

NAMES = ("kaggle", "newest")
_ROOT = Path(__file__).parents[4]
_WORKER = Path(__file__).with_name("worker.py")
_DEEP = re.compile(r"\b(?:tensorflow|keras|torch)\b")
_VISION = re.compile(r"\b(?:torchvision|fastai|albumentations|transformers)\b")
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
_DEEP_MODULES = ("numpy", "pandas", "tensorflow", "keras", "torch")
_VISION_MODULES = ("numpy", "pandas", "fastai.vision.all", "albumentations", "transformers")
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
        vision: With PyTorch and what is built on it; None where it is not made.
        record: What snippets gave before; None: all are executed.
    """

    def __init__(
        self,
        name: str,
        python: Path,
        deep: Path | None = None,
        record: Record | None = None,
        vision: Path | None = None,
    ) -> None:
        self.name = name
        self.python = python
        self.deep = deep
        self.vision = vision
        self.record = record
        self._workers: dict[str, subprocess.Popen[str]] = {}

    @cached_property
    def installed(self) -> Environment:
        """Versions of Python and of all packages, by import name."""
        if self.record is not None and self.record.installed is not None:
            return self.record.installed
        return self._everything or self._asked(self.deep or self.python)

    @property
    def _everything(self) -> Environment | None:
        """Versions of all packages; None where a Python with some of them is not made."""
        if self.deep is None:
            return None
        found = self._asked(self.deep)
        if self.vision is None:
            return None if (PINS / f"{self.name}-vision.txt").exists() else found
        more = self._asked(self.vision).packages
        return found.model_copy(update={"packages": {**more, **found.packages}})

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
        kind = _kind(f"{setup}\n{code}")
        if self.record is None:
            return self._executed(setup, code, case, kind)
        key = self.record.key((setup, code, case.holds, str(case.shell)), kind)
        known = self.record.known(key)
        is_made = kind == LIGHT or self._python(kind) is not None
        if known is not None and not (is_made and is_sampled(key)):
            return known
        if not is_made:
            pytest.skip("new code for TensorFlow or PyTorch: `make test-all` executes it")
        result = self._executed(setup, code, case, kind)
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
        kind = _kind(f"{setup}\n{case.code}")
        return self.record.known(
            self.record.key((setup, case.code, case.holds, str(case.shell)), kind)
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
            self.record.write(self._everything)

    def _executed(self, setup: str, code: str, case: Case, kind: str) -> Result:
        worker = self._worker(kind)
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

    def _python(self, kind: str) -> Path | None:
        return {LIGHT: self.python, DEEP: self.deep, VISION: self.vision}[kind]

    def _worker(self, kind: str) -> subprocess.Popen[str]:
        if kind not in self._workers:
            light = _LIGHT_MODULES if EVERY else _USUAL_MODULES
            modules = {LIGHT: light, DEEP: _DEEP_MODULES, VISION: _VISION_MODULES}[kind]
            python = self._python(kind) or self.python
            worker = subprocess.Popen(
                [_there(python), str(_WORKER), *modules],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                env={**os.environ, **_QUIET},
            )
            atexit.register(_end, worker)
            self._workers[kind] = worker
        return self._workers[kind]


def _kind(code: str) -> str:
    """The kind of Python that code needs."""
    return VISION if _VISION.search(code) else DEEP if _DEEP.search(code) else LIGHT


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
    deep, vision = (folder / f"{name}-{kind}" / inner for kind in (DEEP, VISION))
    return NamedEnvironment(
        name,
        folder / name / inner,
        deep if deep.exists() else None,
        Record(name),
        vision if vision.exists() else None,
    )
