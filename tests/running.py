"""Run a notebook from its first cell to its end."""

from __future__ import annotations

import asyncio
from typing import Any

from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.execution.notebook_run import NotebookRun, RunResult
from mle_modernizer_server.execution.sandboxes.base import Sandbox
from mle_modernizer_server.execution.sandboxes.workspace import Workspace


async def run_notebook(
    notebook: Notebook,
    *,
    sandbox: Sandbox,
    workspace: Workspace,
    cancel: asyncio.Event,
    install: bool = True,
    **options: Any,
) -> RunResult:
    run = NotebookRun(sandbox, workspace, **options)
    try:
        return await run.start(notebook, install=install, cancel=cancel)
    finally:
        await run.end()
