"""A study in a folder, its lines, and a real cluster of two processes on this machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from distributed import Client

from mle_modernizer_server import __version__
from mle_modernizer_server.batch.cluster import LocalWorkers, local_cluster
from mle_modernizer_server.batch.folder import StudyFolder
from mle_modernizer_server.batch.study import Job, Line, Study, arm_of, jobs_of


@pytest.fixture(scope="package")  # longer, and its PYTHONSAFEPATH reaches other tests' processes
def cluster() -> Iterator[Client]:
    with local_cluster(LocalWorkers(count=2)) as client:
        yield client


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return Study(
        id=f"test{abs(hash(tmp_path)) % 10**9}",
        version=__version__,
        what="notebooks",
        arms=(arm_of("today"),),
        data_root=str(tmp_path),
    )


@pytest.fixture
def folder(tmp_path: Path, study: Study) -> StudyFolder:
    made = StudyFolder(tmp_path / "out")
    made.open(study)
    return made


Jobs = Callable[..., list[Job]]


@pytest.fixture
def jobs(study: Study) -> Jobs:
    def make(*names: str, **fields: object) -> list[Job]:
        lines = [
            Line.model_validate({"number": number, "notebook": f"/{name}", "name": name, **fields})
            for number, name in enumerate(names, 1)
        ]
        return list(jobs_of(lines, study))

    return make


@pytest.fixture
def marks(tmp_path: Path) -> Callable[[], list[list[str]]]:
    """What the stand-ins wrote down: what, which notebook, worker, process."""

    def read() -> list[list[str]]:
        path = tmp_path / "marks.txt"
        return [line.split() for line in path.read_text().splitlines()] if path.exists() else []

    return read
