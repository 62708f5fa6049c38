"""The target from the libraries of a notebook's own time. Kernels and uv are real."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import start_new_kernel

from mle_modernizer_server.domain.diagnosis import FixScope, Outcome
from mle_modernizer_server.domain.era import ContrastKind, OwnTimeEnd
from mle_modernizer_server.domain.errors import Conflict, NotFound
from mle_modernizer_server.domain.grade import ScoreKind
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.session import Phase, Session
from mle_modernizer_server.environments.kernels import environments_in_menu
from mle_modernizer_server.environments.store import KeptEnvironments
from mle_modernizer_server.words import text
from mle_modernizer_server.workflow.environments import NotebookEnvironments
from mle_modernizer_server.workflow.fix.experiment_facts import found_out
from mle_modernizer_server.workflow.service import Modernizer
from tests import values
from tests.web.conftest import prepare_parity
from tests.workflow.scenes import modernizer, scene, settings, with_services

RIGHT = """\
ids = open('../input/parity/test.csv').read().split()[1:]
with open('submission.csv', 'w') as file:
    print('Id,Odd', file=file)
    for i in ids:
        print(f'{i},{int(i) % 2}', file=file)"""


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Modernizer:
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "jupyter"))
    prepare_parity(tmp_path / "data")
    made = modernizer(tmp_path)
    environments = NotebookEnvironments(KeptEnvironments(tmp_path / "kept"), may_make=True)
    return with_services(made, environments=environments)


async def found(work: Modernizer, source: str, **more: object) -> Session:
    chosen = settings(**{"scope": FixScope.FILE, "era": "2023", **more})
    session = work.sessions.create("a.ipynb", values.notebook(source), chosen)
    work.studies.start_target(session.id)
    return await work.sessions.finished(session.id)


@pytest.mark.process
def test_the_score_of_its_own_time_becomes_the_target(work: Modernizer) -> None:
    async def body(work: Modernizer) -> None:
        session = await found(work, RIGHT)
        run = session.own_time
        assert run is not None, text(session.message)
        assert (run.end, run.score, run.score_kind) == (OwnTimeEnd.SCORE, 1.0, ScoreKind.GRADED)
        assert run.until is not None and run.until.year == 2023
        assert "(2023-" in run.libraries
        assert session.settings.target_score == 1.0
        assert "now the target" in text(session.message)
        assert (session.phase, session.iterations) == (Phase.READY, ())
        environments = work.services.environments
        assert environments is not None
        kept = environments.kept.get(run.environment)
        assert kept.lock == run.lock, "the lock says what it was recorded with"

        work.runs.start_check(session.id, values.notebook(RIGHT))
        session = await work.sessions.finished(session.id)
        diagnosis = session.iterations[-1].require_diagnosis()
        assert diagnosis.outcome is Outcome.ERROR_FREE_REPRODUCIBLE

        await backported(work, session.id)

        session = await found(work, RIGHT, target_score=0.5)
        assert session.settings.target_score == 0.5, "a target of the person's stays"

        session = await found(work, "import math\nmath.no_such_thing()")
        run = session.own_time
        assert run is not None and run.end is OwnTimeEnd.FAILED
        assert "It stops first in cell 1: AttributeError" in text(session.message)
        assert session.settings.target_score is None

    scene(body, work)


async def backported(work: Modernizer, session_id: str) -> None:
    """The unchanged notebook gets a kernel with its original libraries, and loses it again."""
    environments = work.services.environments
    assert environments is not None
    work.environments.start_backport(session_id)
    session = await work.sessions.finished(session_id)
    made = session.backport
    assert made is not None, text(session.message)
    assert "runs there unchanged" in text(session.message)
    spec = KernelSpecManager().get_kernel_spec(made.kernel)
    assert spec.display_name == made.title
    assert "of 2023-" in made.title and made.title.endswith("(a.ipynb)")
    lock = work.environments.backport_lock(session_id)
    assert hashlib.sha256(lock.encode()).hexdigest() == made.lock
    assert 'lock-version = "1.0"' in lock and "ipykernel" in lock
    assert runs_in_kernel(made.kernel, "import sys; print(sys.prefix)") == str(
        environments.kept.folder(made.environment) / "python"
    )
    for form in ("markdown", "html"):
        report = work.sessions.report(session_id, form)
        assert "unchanged" in report and "with its original libraries" in report
    with pytest.raises(Conflict):
        environments.remove(made.environment)
    assert environments.kept.trim(0, spared=environments_in_menu()) == ()

    assert work.environments.remove_backport(session_id).backport is None
    assert environments_in_menu() == frozenset()
    with pytest.raises(NotFound):
        work.environments.remove_backport(session_id)
    with pytest.raises(Conflict):
        work.environments.backport_lock(session_id)


def runs_in_kernel(name: str, source: str) -> str:
    """What a cell prints in a kernel of the menu, started as every Jupyter client does."""
    manager, client = start_new_kernel(kernel_name=name, startup_timeout=120)
    try:
        printed: list[str] = []
        client.execute_interactive(
            source,
            timeout=120,
            output_hook=lambda sent: printed.append(sent["content"].get("text", "")),
        )
        return "".join(printed).strip()
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


@pytest.mark.thorough
def test_the_first_cell_that_gives_something_else_is_shown(work: Modernizer) -> None:
    """The version of a package is what surely differs between the two times."""
    sources = (
        "import random\nchance = random.random()\nnumbers = [1, 2, 3]",
        "import numpy\nversion = int(numpy.__version__.split('.')[0])\nprint(version)",
        "numbers = numbers[:2]",
    )

    async def body(work: Modernizer) -> None:
        notebook = values.notebook(*sources)
        chosen = settings(scope=FixScope.FILE, era="2023", competition=None)
        session = work.sessions.create("a.ipynb", notebook, chosen)
        work.studies.start_contrast(session.id, notebook)
        session = await work.sessions.finished(session.id)
        contrast = session.contrast
        assert contrast is not None and session.own_time is not None, text(session.message)
        assert session.own_time.end is OwnTimeEnd.NO_SCORE
        assert (contrast.compared, contrast.agreeing, contrast.unsteady) == (3, 2, 1)
        (cell,) = contrast.cells
        assert cell == contrast.first
        assert (cell.ordinal, cell.kind) == (2, ContrastKind.VALUES)
        (value,) = cell.values
        assert (value.name, value.then) == ("version", "1")
        assert int(value.now) > 1
        assert cell.output is not None and cell.output.saved == "1"
        assert "the first that differs is cell 2" in text(session.message)
        assert session.iterations == (), "nothing of it is a run of the session"

        changed = with_source(notebook, 1, "version = 1\nprint(version)")
        work.runs.start_check(session.id, changed)
        session = await work.sessions.finished(session.id)
        contrast = session.contrast
        assert contrast is not None and contrast.iteration == 1
        assert (contrast.cells, contrast.agreeing) == ((), 3), "each clean run is compared as well"
        assert [one.text for one in found_out(session)] == [
            "All cells that could be compared give what they gave in the libraries of the "
            "notebook's time."
        ]
        for form in ("markdown", "html"):
            assert "All 3 cells that could be compared" in work.sessions.report(session.id, form)

    scene(body, work)


def with_source(notebook: Notebook, place: int, source: str) -> Notebook:
    cells = list(notebook.cells)
    cells[place] = cells[place].model_copy(update={"source": source})
    return notebook.model_copy(update={"cells": tuple(cells)})


def test_without_a_date_nothing_is_made(work: Modernizer) -> None:
    async def body(work: Modernizer) -> None:
        session = await found(work, "x = 1", era=None)
        assert session.phase is Phase.FAILED
        assert "enter a year" in text(session.message)

    scene(body, work)
