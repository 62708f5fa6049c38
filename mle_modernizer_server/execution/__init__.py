"""Notebook, environment and sandbox in; what happened out.

In: a `Notebook`, a `Sandbox`, a `Workspace`, the competition's public files, an `Interpreter`.
Out: `RunResult`: the `Execution` (status, errors with live facts, CSVs, versions) and the executed
notebook; events while it runs. Scores, fixes and sessions are not known here.

From top to bottom:

notebook_run.py      `run_notebook`, and `NotebookRun`, which can stop and resume
paused/              what a stopped run has done, and whether it may resume with an edited notebook
cell_run.py          one cell: its run and its errors
beside/              what lies beside the notebook, at the paths its code uses
documents.py         notebook files read with care; the copy that is executed
notebook_file/       the notebook's file itself, rewritten only where cells changed
files.py             the CSVs a run left
sampling/            a small copy of a competition's data for a rehearsal
differential/        cells as a plain script in another Python, for comparisons
pip/                 the notebook's install lines, carried out before its kernel starts
kernel/              one kernel: start, questions, certain end; `inside/` is sent into it
sandboxes/           where a kernel lives and what it may touch; `base.py` is the seam
outputs.py           bounds on what a cell puts out
process_identity.py  names a process, to know later whether it still runs

What is named here is loaded on first use: reading a notebook loads no kernel and no Docker.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mle_modernizer_server.execution.notebook_run import NotebookRun, RunResult, run_notebook
    from mle_modernizer_server.execution.sandboxes.base import Sandbox
    from mle_modernizer_server.execution.sandboxes.workspace import Workspace

__all__ = ["NotebookRun", "RunResult", "Sandbox", "Workspace", "run_notebook"]

_HOMES = {
    "NotebookRun": "notebook_run",
    "RunResult": "notebook_run",
    "Sandbox": "sandboxes.base",
    "Workspace": "sandboxes.workspace",
    "run_notebook": "notebook_run",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
