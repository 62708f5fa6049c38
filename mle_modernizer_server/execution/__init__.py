"""Runs notebooks: a notebook, an environment and a sandbox in, an `Execution` out.

In: a `Notebook`, a `Sandbox`, a `Workspace`, the competition's public files, an `Interpreter`.
Out: a `RunResult`: the `Execution` (status, errors with facts from the live kernel, CSVs,
versions) and the executed notebook; events during the run. Nothing here depends on scores, fixes
or sessions.

From top to bottom:

notebook_run.py      `NotebookRun`, which can stop and resume
paused/              effects of a stopped run; whether an edited notebook may resume it
cell_run.py          one cell: its run and its errors
notebook_folder/     files next to the notebook, at the paths its code uses
notebook_content.py  a stranger's notebook as JSON, parts of a wrong type refused or left out
documents.py         notebooks as nbformat and as domain values; the copy that is executed
notebook_file/       the notebook's file itself, rewritten only in changed cells
installed_names.py   which names the packages of an environment have, asked once and kept
files.py             the CSVs a run wrote
sampling/            a small copy of a competition's data for a rehearsal
differential/        cells as a plain script in another Python, for comparisons
pip/                 the notebook's install lines, run before its kernel starts
kernel/              one kernel: start, questions, guaranteed end; `inside/` is sent into it
sandboxes/           isolation of a kernel: processes, files, network; `base.py` is the interface
outputs.py           limits on a cell's outputs
schema_formats.py    parts of a library that a command and a batch's workers do not load
process_identity.py  identifies a process, to find out later whether it still runs

The names below are loaded on first use, so that reading a notebook loads no kernel and no Docker.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mle_modernizer_server.execution.notebook_run import NotebookRun, RunResult
    from mle_modernizer_server.execution.sandboxes.base import Sandbox
    from mle_modernizer_server.execution.sandboxes.workspace import Workspace

__all__ = ["NotebookRun", "RunResult", "Sandbox", "Workspace"]

_HOMES = {
    "NotebookRun": "notebook_run",
    "RunResult": "notebook_run",
    "Sandbox": "sandboxes.base",
    "Workspace": "sandboxes.workspace",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
