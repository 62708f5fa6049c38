"""A session's runs in the environment chosen for them. Kernels and uv are real."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from mle_modernizer_server.domain.diagnosis import FixScope
from mle_modernizer_server.domain.environment import (
    ChoiceReason,
    EnvironmentOrigin,
    MakingProblem,
)
from mle_modernizer_server.domain.era import Traces
from mle_modernizer_server.domain.execution import CellError
from mle_modernizer_server.domain.session import Phase, RunKind, Session
from mle_modernizer_server.domain.settings import SessionSettings
from mle_modernizer_server.environments.distributions import distribution_of
from mle_modernizer_server.environments.store import KeptEnvironments
from mle_modernizer_server.environments.uv import Indexes, Uv, pip_indexes
from mle_modernizer_server.words import text
from mle_modernizer_server.workflow.environments import NotebookEnvironments, NotebookPlace
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.run.environment import missing_modules
from mle_modernizer_server.workflow.service import Modernizer
from tests import values
from tests.environments.wheels import Wheels
from tests.workflow.scenes import modernizer, scene, settings

LATE = "import importlib\nprint(importlib.import_module('stop_words').WORDS)"
"""Nothing tells before the run that a package is needed."""


@pytest.fixture
def wheels(tmp_path: Path) -> Wheels:
    """An index of its own."""
    return Wheels(tmp_path / "index")


@pytest.fixture
def uv(wheels: Wheels) -> Uv:
    """pip's own indexes, and one with a small `stop-words` that is newer than the real one."""
    for name in ("ipykernel", "pip"):
        for file in (wheels.folder / name).iterdir():
            file.unlink()
    wheels.add("stop-words", "2999.1", files={"stop_words/__init__.py": "WORDS = 'the and of'\n"})
    indexes = pip_indexes()
    arguments = ("--index", wheels.folder.as_uri(), *indexes.arguments)
    if "--index-strategy" not in arguments:
        arguments += ("--index-strategy", "unsafe-best-match")
    return Uv(Indexes(arguments, indexes.environ))


def session_in(work: Modernizer, folder: Path, *sources: str, **more: object) -> Session:
    traces = more.pop("traces", Traces())
    assert isinstance(traces, Traces)
    chosen = settings(**{"sandbox": None, "scope": FixScope.FILE, **more})
    return work.sessions.create("a.ipynb", values.notebook(*sources), chosen, traces, folder)


async def checked(work: Modernizer, session: Session, *sources: str) -> Session:
    work.runs.start_check(session.id, values.notebook(*sources))
    return await work.sessions.finished(session.id)


def with_environments(folder: Path, environments: NotebookEnvironments) -> Modernizer:
    work = modernizer(folder)
    return Modernizer(work.log, replace(work.services, environments=environments))


def made_in(folder: Path, uv: Uv, **more: bool) -> NotebookEnvironments:
    return NotebookEnvironments(KeptEnvironments(folder / "environments"), uv, **more)


@pytest.mark.process
def test_package_missing_in_a_run_is_added_and_it_runs_again(
    tmp_path: Path, uv: Uv, nothing_is_left: None
) -> None:
    environments = made_in(tmp_path, uv, may_make=True)
    work = with_environments(tmp_path, environments)

    async def body(work: Modernizer) -> None:
        session = session_in(work, tmp_path, LATE)
        session = await checked(work, session, LATE)
        assert len(session.iterations) == 2, session.environment
        first, second = session.iterations
        assert first.execution is not None and second.execution is not None
        assert [error.ename for error in first.execution.errors] == ["ModuleNotFoundError"]
        assert second.execution.errors == ()
        assert second.kind is RunKind.CLEAN
        choice = session.environment
        assert choice is not None and choice.environment is not None
        assert (choice.reason, choice.added) == (ChoiceReason.MADE, ("stop-words",))
        assert choice.environment.origin is EnvironmentOrigin.MADE
        again = await checked(work, session, LATE)
        assert len(again.iterations) == 3, "what was added stays"
        assert again.environment == choice
        read_back = work.log.read_back(session.id)
        assert read_back.environment == choice

    scene(body, work)
    (made,) = environments.kept.all()
    assert made.versions["stop-words"] == "2999.1"


@pytest.mark.thorough
@pytest.mark.process
def test_a_notebook_runs_in_its_own_kernelspecs_environment(
    tmp_path: Path, uv: Uv, monkeypatch: pytest.MonkeyPatch, nothing_is_left: None
) -> None:
    place = tmp_path / "ml"
    python = place / "bin" / "python"
    assert uv.run(("venv", "--python", sys.executable, str(place))).code == 0
    wanted = ("ipykernel", "stop-words")
    done = uv.run(("pip", "install", "--python", str(python), *wanted), indexed=True)
    assert done.code == 0, done.stderr
    kernel = tmp_path / "jupyter" / "kernels" / "ml"
    kernel.mkdir(parents=True)
    argv = [str(python), "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    spec = {"argv": argv, "display_name": "ML", "language": "python"}
    (kernel / "kernel.json").write_text(json.dumps(spec))
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path / "jupyter"))
    source = f"import stop_words, sys\nassert sys.prefix == {str(place)!r}, sys.prefix"
    folder = tmp_path / "notebooks"
    folder.mkdir()
    work = with_environments(tmp_path, made_in(tmp_path, uv, may_make=False))

    async def body(work: Modernizer) -> None:
        session = session_in(work, folder, source, traces=Traces(kernel="ml"))
        session = await checked(work, session, source)
        (run,) = session.iterations
        assert run.execution is not None
        assert run.execution.errors == ()
        assert session.environment is not None
        assert session.environment.reason is ChoiceReason.OWN_KERNEL
        # Asked for by its path, without the kernelspec's name.
        session = session_in(work, folder, source, environment=str(place))
        session = await checked(work, session, source)
        assert session.environment is not None
        assert session.environment.reason is ChoiceReason.ASKED
        assert session.iterations[-1].execution is not None
        assert session.iterations[-1].execution.errors == ()

    scene(body, work)


@pytest.mark.process
def test_where_none_may_be_made_the_notebook_runs_all_the_same(tmp_path: Path, uv: Uv) -> None:
    source = "import stop_words"
    work = with_environments(tmp_path, made_in(tmp_path, uv, may_make=False))

    async def body(work: Modernizer) -> None:
        session = await checked(work, session_in(work, tmp_path, source), source)
        choice = session.environment
        assert choice is not None
        assert choice.reason is ChoiceReason.NOT_MADE
        assert choice.problem is MakingProblem.NOT_ALLOWED
        assert choice.missing == ("stop-words",)
        assert len(session.iterations) == 1

    scene(body, work)
    assert not (tmp_path / "environments").exists()


@pytest.mark.process
def test_an_environment_that_is_not_there_is_said(tmp_path: Path, uv: Uv) -> None:
    work = with_environments(tmp_path, made_in(tmp_path, uv))

    async def body(work: Modernizer) -> None:
        session = session_in(work, tmp_path, "1", environment="no-such")
        session = await checked(work, session, "1")
        assert session.phase is Phase.FAILED
        assert "There is no environment 'no-such'" in text(session.message)
        assert session.iterations == ()

    scene(body, work)


@pytest.mark.process
def test_a_module_beside_the_notebook_is_none_to_install(tmp_path: Path, uv: Uv) -> None:
    (tmp_path / "stop_words.py").touch()
    work = with_environments(tmp_path, made_in(tmp_path, uv, may_make=False))

    async def body(work: Modernizer) -> None:
        source = "import stop_words"
        session = await checked(work, session_in(work, tmp_path, source), source)
        assert session.environment is not None
        assert session.environment.reason is ChoiceReason.SERVER

    scene(body, work)


@pytest.mark.parametrize(
    ("ename", "evalue", "found"),
    [
        ("ModuleNotFoundError", "No module named 'catboost'", ("catboost",)),
        ("ImportError", "No module named cv2", ("cv2",)),
        ("ImportError", "Missing optional dependency 'openpyxl'.  Use pip …", ("openpyxl",)),
        ("ImportError", "Missing optional dependency 'xlrd'. Install xlrd >= 2.0.1", ("xlrd",)),
        ("ImportError", "Missing optional dependency 'beautifulsoup4'.  Use pip …", ("bs4",)),
        ("ImportError", "`Import python-calamine` failed. Use …", ("python_calamine",)),
        ("ImportError", "`Import pytables` failed.  Use pip, conda, …", ("tables",)),
        ("ModuleNotFoundError", "No module named 'sklearn.externals'", ()),
        ("ModuleNotFoundError", "No module named 'numpyy'", ("numpyy",)),
        ("ModuleNotFoundError", "No module named 'google.colab'", ()),
        ("ModuleNotFoundError", "No module named 'kaggle_secrets'", ()),
        ("ValueError", "No module named 'catboost'", ()),
        ("ImportError", "cannot import name 'x' from 'sklearn'", ()),
    ],
)
def test_the_modules_that_a_run_did_not_find(
    ename: str, evalue: str, found: tuple[str, ...]
) -> None:
    error = CellError(cell_id="c1", index=0, ename=ename, evalue=evalue, traceback=(), raised=True)
    assert missing_modules(values.failed_run(error)) == found
    known = tuple(name for name in found if name != "numpyy")
    assert all(distribution_of(name) for name in known), known


@pytest.mark.process
def test_only_what_a_table_names_is_added(tmp_path: Path, uv: Uv) -> None:
    (tmp_path / "catboost.py").touch()
    place = NotebookPlace(values.notebook("1"), tmp_path, Traces(), ("missingno",))
    names = ("catboost", "missingno", "numpyy", "cv2")
    assert made_in(tmp_path, uv).packages_of(place, names) == ("opencv-python-headless",)


@pytest.mark.thorough
def test_unknown_package_is_asked_for_and_taken_from_the_user(
    tmp_path: Path, uv: Uv, wheels: Wheels
) -> None:
    wheels.add("my-words", "1.0", files={"words_of_mine/__init__.py": "WORDS = 'mine'\n"})
    environments = made_in(tmp_path, uv, may_make=True)
    work = with_environments(tmp_path, environments)
    source = "import words_of_mine\nprint(words_of_mine.WORDS)"

    async def body(work: Modernizer) -> None:
        session = session_in(work, tmp_path, source)
        session = await checked(work, session, source)
        assert [item.model_dump() for item in session.missing_packages] == [
            {"module": "words_of_mine", "package": None}
        ]
        named = session.settings.model_copy(update={"packages": ("My.Words",)})
        work.sessions.change_settings(session.id, named)
        session = await checked(work, session, source)
        assert session.missing_packages == ()
        last = session.iterations[-1].execution
        assert last is not None and last.errors == ()
        assert session.environment is not None and session.environment.added == ("my-words",)

    scene(body, work)


@pytest.mark.process
def test_missing_package_of_an_own_environment_is_only_named(tmp_path: Path, uv: Uv) -> None:
    work = with_environments(tmp_path, made_in(tmp_path, uv, may_make=True))

    async def body(work: Modernizer) -> None:
        session = session_in(work, tmp_path, LATE, environment="server")
        session = await checked(work, session, LATE)
        assert [item.package for item in session.missing_packages] == ["stop-words"]
        assert len(session.iterations) == 1

    scene(body, work)


@pytest.mark.parametrize(
    "names", [("../x",), ("a @ https://b",), ("--index-url",), ("x==1",), ("",), ("x",) * 21]
)
def test_only_names_of_packages_are_taken(names: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match=r"pattern|at most"):
        SessionSettings(packages=names)


@pytest.mark.process
def test_large_environment_asks_before_download(tmp_path: Path, uv: Uv) -> None:
    environments = made_in(tmp_path, uv, may_make=True)

    async def body(work: Modernizer) -> None:
        session = session_in(work, tmp_path, "import stop_words", ask_above=0)
        session = await checked(work, session, "import stop_words")
        assert session.phase is Phase.READY and session.iterations == ()
        assert text(session.message).startswith("Missing: stop-words. An environment for")
        steps = [
            text(entry.event.message)
            for entry in work.log.entries(session.id, since=0)
            if isinstance(entry.event, events.Progressed)
        ]
        assert any(step.startswith("Missing: stop-words. Preparing") for step in steps), steps

    scene(body, with_environments(tmp_path, environments))
    assert environments.kept.all() == ()
