"""Runs of whole notebooks in another Python, closed in where bubblewrap is there."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from types import TracebackType

from mle_modernizer_server.domain.execution import (
    CellError,
    CellRun,
    CellStatus,
    Ending,
    Environment,
    Execution,
    ExecutionStatus,
)
from mle_modernizer_server.domain.notebook import Notebook

_PROCESS = Path(__file__).with_name("notebook_process.py")
_CLOSED_IN = (
    *("bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"),
    *("--unshare-net", "--unshare-pid", "--unshare-ipc", "--die-with-parent", "--new-session"),
    "--",
)
_QUIET = {
    "MPLBACKEND": "Agg",
    "MPLCONFIGDIR": "/dev/shm",
    "TMPDIR": "/dev/shm",  # the sandbox's own, and all that can be written
    "TF_CPP_MIN_LOG_LEVEL": "3",
    "CUDA_VISIBLE_DEVICES": "-1",
    "KERAS_BACKEND": "tensorflow",
}


class Runs:
    """A process of an environment that runs notebooks; use with `with`.

    Args:
        python: The environment's Python.
        seconds: Limit for a notebook.
        beside: A notebook's own folder is its working directory, and the one above it is above.
    """

    def __init__(self, python: Path, seconds: int, *, beside: bool = False) -> None:
        if shutil.which("bwrap") is None:
            raise SystemExit("Notebooks of others run closed in only: install bubblewrap.")
        self._seconds = seconds
        self._beside = beside
        self._process = subprocess.Popen(
            [*_CLOSED_IN, str(python), str(_PROCESS)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, **_QUIET},
        )
        self.environment = Environment.model_validate(self._answer())

    def __enter__(self) -> Runs:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.communicate()

    def _answer(self) -> object:
        assert self._process.stdout is not None
        return json.loads(self._process.stdout.readline())

    def run(self, notebook: Notebook, data: Path) -> Execution:
        """Run all code cells; `data` is what stands at `../input`, in the notebook's folder."""
        code = notebook.code_cells()
        request = {
            "cells": [cell.source for cell in code],
            "data": str(data.resolve()),
            "seconds": self._seconds,
            "beside": str(data.parent.resolve()) if self._beside else "",
        }
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        answers = self._answer()
        assert isinstance(answers, list)
        return _execution(notebook, answers, self.environment, self._seconds)


def _execution(
    notebook: Notebook, answers: list[dict[str, object]], environment: Environment, limit: int
) -> Execution:
    errors: list[CellError] = []
    runs: list[CellRun] = []
    late = len(answers) < len(notebook.code_cells())
    for number, cell in enumerate(notebook.code_cells()):
        answer = answers[number] if number < len(answers) else None
        told = answer["error"] if answer else None
        index = notebook.index(cell.id)
        if isinstance(told, dict) and told["ename"] != "TimeoutError":
            errors.append(
                CellError(
                    cell_id=cell.id,
                    index=index,
                    ename=told["ename"],
                    evalue=told["evalue"],
                    traceback=tuple(str(told["traceback"]).splitlines()),
                    raised=True,
                    line=told["line"],
                )
            )
        if isinstance(told, dict) and told["ename"] == "TimeoutError":
            late = True
        status = CellStatus.NOT_RUN if answer is None else CellStatus.OK
        warned = answer["warned"] if answer else []
        assert isinstance(warned, list)
        runs.append(
            CellRun(
                cell_id=cell.id,
                index=index,
                status=CellStatus.ERROR if told else status,
                seconds=0.0,
                warnings=tuple(f"{name}: " for name in warned),
            )
        )
    return Execution(
        status=ExecutionStatus.ERROR if errors else ExecutionStatus.ERROR_FREE,
        ending=Ending.TIMED_OUT if late else Ending.COMPLETED,
        sandbox="bubblewrap",
        seconds=0.0,
        time_limit=limit,
        environment=environment,
        cells=tuple(runs),
        errors=tuple(errors),
    )
