"""Runs a notebook in a sandbox and tells what happens, as it happens."""

from __future__ import annotations

import asyncio
from pathlib import Path

from mle_modernizer_server.domain.interpreter import Interpreter
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.execution.notebook_run import LiveRun, OnEvent
from mle_modernizer_server.execution.run_account import RunResult
from mle_modernizer_server.execution.sandboxes.base import Sandbox
from mle_modernizer_server.execution.sandboxes.workspace import Workspace


async def run_notebook(
    notebook: Notebook,
    *,
    sandbox: Sandbox,
    workspace: Workspace,
    competition: str | None = None,
    public: Path | None = None,
    interpreter: Interpreter | None = None,
    time_limit: float,
    install: bool = True,
    on_event: OnEvent,
    cancel: asyncio.Event,
) -> RunResult:
    """Run all cells in a fresh kernel; a failing cell does not stop the run.

    Args:
        notebook: What to run.
        sandbox: Where the kernel lives.
        workspace: Its scratch directory; what the run writes stays there.
        competition: Slug, the name of the data below `/kaggle/input`.
        public: The competition's `prepared/public`.
        interpreter: The Python it runs in; None is the sandbox's own.
        time_limit: Seconds for the whole notebook, counted from the first cell.
        install: Whether to carry out `pip install` lines beforehand.
        on_event: Called at once with every step; must return quickly.
        cancel: When set, the run ends, whatever it is doing, and leaves no process behind.

    Returns:
        Also for a run that timed out, was cancelled or lost its kernel.

    Raises:
        BadCompetition: `public` is not there.
        SandboxUnavailable: No kernel comes up in the sandbox.
        ScratchUnavailable: The workspace cannot be written.
    """
    run = LiveRun(
        sandbox,
        workspace,
        competition=competition,
        public=public,
        interpreter=interpreter,
        time_limit=time_limit,
        on_event=on_event,
    )
    try:
        return await run.start(notebook, install=install, cancel=cancel)
    finally:
        await run.end()
