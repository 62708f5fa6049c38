"""A batch's folder over HTTP: looked at while it grows, and what it proposes reviewed."""

from __future__ import annotations

import copy
import json
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
import pytest

from mle_modernizer_server import __version__
from mle_modernizer_server.batch.folder import StudyFolder
from mle_modernizer_server.batch.job import modernize_job
from mle_modernizer_server.batch.rate_limits import OpenGate
from mle_modernizer_server.batch.study import Job, Line, Study, arm_of, jobs_of
from mle_modernizer_server.batch.worker import Place, carry_out
from tests.web.conftest import Fetch

OLD = "import numpy as np\nvalue = np.float(2)\nprint(value)"
Overview = dict[str, Any]


@dataclass(frozen=True)
class WorkedThrough:
    """A batch of one notebook, worked through as a worker does it.

    Attributes:
        root: Where the server's files are.
        kept: A copy of them as they were at the end.
        job: The notebook's job.
    """

    root: Path
    kept: Path
    job: Job


@pytest.fixture(scope="module")
def worked_through(tmp_path_factory: pytest.TempPathFactory) -> WorkedThrough:
    """A notebook that an old call breaks, and its batch in `out`."""
    place = tmp_path_factory.mktemp("batches")
    root = place / "root"
    (root / "course").mkdir(parents=True)
    cell = nbformat.v4.new_code_cell(OLD, id="old")
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), root / "course/old.ipynb")
    study = Study(
        id="study",
        version=__version__,
        what="course",
        arms=(arm_of("rules"),),
        data_root=str(place),
        sandbox="process",
    )
    folder = StudyFolder(root / "out")
    folder.open(study)
    line = Line(number=1, notebook=str(root / "course/old.ipynb"), name="old.ipynb")
    (job,) = jobs_of([line], study)
    carry_out(job, study, folder, Place("worker-1", "run", OpenGate()), modernize_job)
    shutil.copytree(root, place / "kept")
    return WorkedThrough(root, place / "kept", job)


@pytest.fixture
def jp_root_dir(worked_through: WorkedThrough) -> Path:
    """The files that the server shows, whatever a test before did to them."""
    shutil.rmtree(worked_through.root)
    shutil.copytree(worked_through.kept, worked_through.root)
    return worked_through.root


@pytest.fixture
def files(jp_root_dir: Path) -> Path:
    return jp_root_dir


@pytest.fixture
def batch(files: Path, worked_through: WorkedThrough) -> tuple[StudyFolder, Job]:
    return StudyFolder(files / "out"), worked_through.job


async def look(api: Fetch, since: int = 0) -> Overview:
    status, found, _ = await api("batches", params={"path": "out", "since": str(since)})
    assert status == 200, found
    return dict(found)


async def test_a_batch_is_a_line_a_notebook(api: Fetch, batch: tuple[StudyFolder, Job]) -> None:
    folder, job = batch
    folder.note_standing("1 of 1 done", ["old.ipynb: worker-1"])
    found = await look(api)
    (row,) = found["rows"]
    assert (row["key"], row["name"], row["path"]) == (job.key, "old.ipynb", "course/old.ipynb")
    assert (row["first"], row["last"]) == ("error-non-reproducible", "error-free-non-reproducible")
    assert (row["fixes"], row["by_model"], row["changed"]) == (1, False, True)
    assert found["standing"]["line"] == "1 of 1 done"
    assert (found["done"], found["unreadable"], found["report"]) == (1, 0, None)


async def test_only_what_is_new_comes_again(api: Fetch, batch: tuple[StudyFolder, Job]) -> None:
    folder, job = batch
    path = folder.root / f"results/{job.key}.json"
    long_ago = path.stat().st_mtime_ns - 60 * 10**9
    os.utime(path, ns=(long_ago, long_ago))
    first = await look(api)
    assert [row["key"] for row in first["rows"]] == [job.key]
    other = json.loads(path.read_text()) | {"key": "other"}
    (folder.root / "results/other.json").write_text(json.dumps(other))
    second = await look(api, first["stamp"])
    assert second["done"] == 2 and second["stamp"] > first["stamp"]
    third = await look(api, second["stamp"])
    assert [row["key"] for row in third["rows"]] == ["other"]
    folder.forget("other")
    assert (await look(api, third["stamp"]))["done"] == 1


@pytest.mark.thorough
async def test_what_a_batch_proposes_is_reviewed_in_a_session(
    api: Fetch, batch: tuple[StudyFolder, Job], files: Path
) -> None:
    before = (files / "course/old.ipynb").read_bytes()
    body = {"path": "out", "key": batch[1].key}
    status, session, headers = await api("batches", "review", method="POST", body=body)
    assert status == 201 and session["id"] in headers["Location"]
    assert (session["path"], session["phase"]) == ("course/old.ipynb", "reviewing")
    (review,) = session["reviews"]
    (edit,) = review["proposal"]["edits"]
    assert edit["cell_id"] == "old" and "float(2)" in edit["new_source"]
    assert edit["parts"] and edit["parts"][0]["rule"]
    # what a folder says of how to run is not taken over
    assert session["settings"]["sandbox"] is None and not session["settings"]["network"]
    assert (files / "course/old.ipynb").read_bytes() == before
    status, again, _ = await api("batches", "review", method="POST", body=body)
    assert (status, again["id"]) == (201, session["id"])


async def test_a_notebook_that_was_changed_since_is_told(
    api: Fetch, batch: tuple[StudyFolder, Job], files: Path
) -> None:
    path = files / "course/old.ipynb"
    path.write_text(path.read_text().replace("np.float(2)", "np.float(3)"))
    body = {"path": "out", "key": batch[1].key}
    status, refusal, _ = await api("batches", "review", method="POST", body=body)
    assert (status, refusal["code"]) == (409, "conflict")
    assert "changed since the batch read it" in refusal["message"]


def nested(session: dict[str, Any]) -> str:
    return "[" * 100_000


def forged(session: dict[str, Any]) -> str:
    edits = session["iterations"][-1]["reviews"][-1]["proposal"]["edits"]
    edits[0]["new_source"] = "import os\nos.system('true')"
    return json.dumps(session)


NO_SESSIONS: tuple[tuple[Callable[[dict[str, Any]], str], int], ...] = (
    (lambda session: "{}", 400),
    (lambda session: json.dumps(session | {"iterations": []}), 404),
    (lambda session: json.dumps(session | {"iterations": "none"}), 400),
    (nested, 400),
    (forged, 400),
)


async def test_a_session_that_is_none_is_refused(
    api: Fetch, batch: tuple[StudyFolder, Job]
) -> None:
    folder, job = batch
    path = folder.root / f"sessions/{job.key}.json"
    kept = json.loads(path.read_text())
    body = {"path": "out", "key": job.key}
    for rewritten, expected in NO_SESSIONS:
        path.write_text(rewritten(copy.deepcopy(kept)))
        status, refusal, _ = await api("batches", "review", method="POST", body=body)
        assert status == expected, (path.read_text()[:100], refusal)
    status, sessions, _ = await api("sessions", params={"path": "course/old.ipynb"})
    assert status == 200 and not sessions["sessions"]


async def test_results_that_cannot_be_read_are_counted(
    api: Fetch, batch: tuple[StudyFolder, Job], files: Path
) -> None:
    results = batch[0].root / "results"
    (results / "broken.json").write_text("{")
    (results / "folder.json").mkdir()
    (results / "link.json").symlink_to("/etc/passwd")
    (results / "large.json").write_text(" " * 3_000_000)
    found = await look(api)
    assert (found["done"], found["unreadable"], len(found["rows"])) == (5, 4, 1)


@pytest.mark.parametrize("path", ["course", "nowhere", "../..", "/etc", "", "a\0b"])
async def test_what_is_no_batch_is_not_found(api: Fetch, files: Path, path: str) -> None:
    status, refusal, _ = await api("batches", params={"path": path})
    assert status == 404, refusal
    body = {"path": path or "x", "key": "../../secret"}
    status, refusal, _ = await api("batches", "review", method="POST", body=body)
    assert status == 404, refusal
