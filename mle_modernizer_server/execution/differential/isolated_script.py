"""Run a notebook's cells in one isolated Python and return the comparable results."""

from __future__ import annotations

import asyncio
import inspect
import json
from collections.abc import Collection, Sequence

from pydantic import ValidationError

from mle_modernizer_server import pools
from mle_modernizer_server.code.ipython import python_only
from mle_modernizer_server.domain.errors import SandboxUnavailable
from mle_modernizer_server.domain.execution import Environment
from mle_modernizer_server.domain.forecast import CellFacts, Observed
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.domain.notebook import Cell
from mle_modernizer_server.execution.differential import driver as probe_driver
from mle_modernizer_server.execution.kernel.inside import digest
from mle_modernizer_server.execution.sandboxes.base import Finished
from mle_modernizer_server.execution.sandboxes.local import Local
from mle_modernizer_server.execution.sandboxes.workspace import Mounts

_DRIVER = (
    inspect.getsource(digest)
    + inspect.getsource(probe_driver)
    + "\nmain(sys.argv[1], describe, short)\n"
)
_UNKNOWN = Environment(python="unknown", packages={})


async def observe(
    sandbox: Local,
    mounts: Mounts,
    cells: Sequence[Cell],
    *,
    concerned: Collection[str],
    libraries: Collection[str],
    time_limit: float,
    cancel: asyncio.Event,
) -> Observed:
    """Run cells as a plain script, without magics and `!` lines.

    A cell that raises does not stop those after it, an import that fails does not stop its cell.

    Args:
        sandbox: Isolates the run.
        mounts: The run's directories and its interpreter.
        cells: The cells to run.
        concerned: Ids of the cells whose results are requested.
        libraries: Import names of the libraries whose versions are requested.
        time_limit: Seconds the run may take.
        cancel: Ends it at once.

    Raises:
        OSError: The scratch directory cannot be written.
    """
    request = {
        "libraries": sorted(name for name in libraries if name.isidentifier()),
        "cells": [
            {
                "id": cell.id,
                "source": sandbox.localize(python_only(cell.source), mounts),
                "concerned": cell.id in concerned,
            }
            for cell in cells
        ],
    }
    driver, asked = mounts.runtime / "probe_driver.py", mounts.runtime / "probe.json"
    await pools.files.run(driver.write_text, _DRIVER, "utf-8")
    await pools.files.run(asked.write_text, json.dumps(request), "utf-8")
    await pools.sandboxes.run(sandbox.prepare, mounts)
    finished = await sandbox.run_isolated(
        ("python", str(driver), str(asked)),
        mounts,
        end=asyncio.get_running_loop().time() + time_limit,
        cancel=cancel,
    )
    return _read(finished, sandbox, mounts, len(cells), time_limit)


def as_local(sandbox: object, name: str) -> Local:
    """Return the sandbox if an interpreter of this machine can run in it.

    Raises:
        SandboxUnavailable: It is a container's.
    """
    if isinstance(sandbox, Local):
        return sandbox
    raise SandboxUnavailable(coded("interpreter.not-in-sandbox", name=name))


def _read(
    finished: Finished, sandbox: Local, mounts: Mounts, wanted: int, time_limit: float
) -> Observed:
    """Parse the script's answers; the notebook's code may have written anything between them."""
    lines = sandbox.delocalize(finished.stdout, mounts).splitlines()
    environment, cells = _UNKNOWN, []
    try:
        environment = Environment.model_validate_json(lines[0]) if lines else _UNKNOWN
        cells = [CellFacts.model_validate_json(line) for line in lines[1 : wanted + 1]]
    except ValidationError:
        return Observed(environment=environment, cells=(), ended="its answer cannot be read")
    ended = ""
    if len(cells) < wanted:
        last = finished.stderr.strip().splitlines()[-1:]
        if finished.code is None:
            ended = f"it was stopped after {time_limit:g} seconds"
        else:
            ended = f"it died ({last[0][:200]})" if last else "it died"
    return Observed(environment=environment, cells=tuple(cells), ended=ended)
