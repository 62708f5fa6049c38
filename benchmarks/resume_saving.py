"""What going on in the kernel that waits saves against running everything again, in one run.

A notebook trains a model in an early cell and fails in one, three or six later ones, each with
something the rules know. Auto mode in the scope of one cell mends it twice, in turns: with a
kernel that waits, and without. Printed is the machine's time until a clean run without errors:
the seconds of all runs together, kernels' starts included. Prints and asserts nothing.

    python benchmarks/resume_saving.py [--seconds S] [--repeat N] [--sandbox NAME ...]
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import statistics
import tempfile
import time
from pathlib import Path

from mle_modernizer_server.domain.diagnosis import FixScope
from mle_modernizer_server.domain.notebook import Cell, CellType, Notebook
from mle_modernizer_server.domain.proposal import FixerName
from mle_modernizer_server.domain.session import Mode, Session, SessionSettings
from mle_modernizer_server.execution.sandboxes.choose import sandboxes
from mle_modernizer_server.fixing.llm.settings import LlmSettings
from mle_modernizer_server.wiring import build_services, close_sandboxes
from mle_modernizer_server.workflow.log.event_log import EventLog
from mle_modernizer_server.workflow.log.store import Store
from mle_modernizer_server.workflow.paused_runs import PausedRuns
from mle_modernizer_server.workflow.service import Modernizer

TRAINING = """\
import time
import numpy as np
from sklearn.datasets import load_digits
from sklearn.ensemble import RandomForestClassifier
X, y = load_digits(return_X_y=True)
begun, rounds = time.time(), 0
while time.time() - begun < {seconds}:
    model = RandomForestClassifier(n_estimators=50, random_state=rounds).fit(X[:1200], y[:1200])
    rounds += 1
"""
"""Fits models for so many seconds: on every machine the cell takes as long."""

FAILING = (
    "flags = np.array([0, 1], dtype=np.int)",
    "shares = model.predict_proba(X[1200:]).astype(np.float)",
    "labels = np.array(['a', 'b'], dtype=np.object)",
    "sizes = X[:5].sum(axis=1).astype(np.int)",
    "first = shares.max(axis=1).astype(np.float)",
    "names = np.array(['c'], dtype=np.object)",
)
LAST = "print(model.score(X[1200:], y[1200:]))"


def main() -> None:
    """Measure everything and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=5, help="what the early cell takes")
    parser.add_argument("--repeat", type=int, default=3, help="measurements of each kind")
    parser.add_argument("--sandbox", nargs="*", help="those that work here, if left out")
    options = parser.parse_args()
    logging.disable(logging.ERROR)
    usable = [
        name
        for name, box in sandboxes().items()
        if box.availability().ok and box.availability().at_hand
    ]
    print("sandbox     errors   all again   going on   ratio   runs (all again / going on)")
    for sandbox in options.sandbox or usable:
        for errors in (1, 3, 6):
            asyncio.run(_row(sandbox, errors, options.seconds, options.repeat))


async def _row(sandbox: str, errors: int, seconds: float, repeat: int) -> None:
    again, on = [], []
    for _ in range(repeat):
        again.append(await _mended(sandbox, errors, seconds, waiting=0))
        on.append(await _mended(sandbox, errors, seconds, waiting=1))
    await close_sandboxes()
    taken = [statistics.median(each[0] for each in found) for found in (again, on)]
    print(
        f"{sandbox:12}{errors:4}{taken[0]:10.1f} s{taken[1]:9.1f} s{taken[1] / taken[0]:8.2f}"
        f"   {again[0][1]} / {on[0][1]}",
        flush=True,
    )


async def _mended(sandbox: str, errors: int, seconds: float, *, waiting: int) -> tuple[float, str]:
    """Seconds of wall-clock until the notebook is mended, and which runs it took."""
    with tempfile.TemporaryDirectory() as folder:
        rooms = build_services(
            data_root=Path(folder),
            sandbox=None,
            llm=LlmSettings.from_environment(environ={}),
            paused=PausedRuns(most=waiting),
        )
        work = Modernizer(EventLog(Store(None), lambda session, event: None), rooms)
        cells = (TRAINING.format(seconds=seconds), *FAILING[:errors], LAST)
        notebook = Notebook(
            cells=tuple(
                Cell(id=f"c{number}", type=CellType.CODE, source=source)
                for number, source in enumerate(cells)
            )
        )
        settings = SessionSettings(
            sandbox=sandbox, scope=FixScope.CELL, mode=Mode.AUTO, fixers=(FixerName.RULES,)
        )
        session = work.create("old.ipynb", notebook, settings)
        begun = time.perf_counter()
        work.start_run(session.id, notebook)
        session = await work.finished(session.id)
        taken = time.perf_counter() - begun
        await work.close()
    return taken, _runs(session)


def _runs(session: Session) -> str:
    latest = session.iterations[-1].execution
    done = latest is not None and not latest.errors
    kinds = [iteration.kind.value for iteration in session.iterations]
    text = " + ".join(f"{kinds.count(kind)} {kind}" for kind in dict.fromkeys(kinds))
    return text if done else f"{text}, not mended"


if __name__ == "__main__":
    main()
