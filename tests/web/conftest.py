"""A real Jupyter server with the extension, its own data root and database."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from mle_modernizer_server.fixing.rules.analysis import IsolatedAnalysis

Fetch = Callable[..., Awaitable[Any]]

COMPETITION = """\
id: parity
name: Parity
metric: accuracy
higher_is_better: true
id_columns: [Id]
target_columns: [Odd]
answer_columns: [Odd]
"""

SUBMIT = """\
with open('../input/parity/test.csv') as file:
    ids = [int(line) for line in file.read().split()[1:]]
with open('submission.csv', 'w') as file:
    print('Id,Odd', *(f'{id},{id % 2}' for id in ids), sep='\\n', file=file)
"""
"""A cell that scores 1.0 in the competition `parity`; it loads no library."""


def prepare_parity(root: Path) -> None:
    """A competition whose answer is the parity of the id."""
    public, private = root / "parity/prepared/public", root / "parity/prepared/private"
    public.mkdir(parents=True)
    private.mkdir(parents=True)
    ids = range(1, 41)
    (root / "parity/competition.yaml").write_text(COMPETITION)
    (public / "description.md").write_text("# Parity\nIs the id odd?\n")
    (public / "test.csv").write_text("Id\n" + "".join(f"{i}\n" for i in ids))
    (public / "sample_submission.csv").write_text("Id,Odd\n" + "".join(f"{i},0\n" for i in ids))
    (private / "answers.csv").write_text("Id,Odd\n" + "".join(f"{i},{i % 2}\n" for i in ids))


class LastingAnalysis(IsolatedAnalysis):
    """Outlives a server that closes it: the knowledge takes a second to load."""

    def close(self) -> None:
        """Stay for the next server."""

    def end(self) -> None:
        """End the process."""
        super().close()


@pytest.fixture(scope="session")
def analysis() -> Iterator[LastingAnalysis]:
    lasting = LastingAnalysis()
    yield lasting
    lasting.end()


@pytest.fixture(autouse=True)
def one_analysis(analysis: LastingAnalysis, monkeypatch: pytest.MonkeyPatch) -> None:
    """Notebooks are looked into in one process for all tests; `tests/fixing` has its life."""
    monkeypatch.setattr("mle_modernizer_server.start.isolated_analysis", lambda: analysis)


@pytest.fixture
def data_root(tmp_path: Path) -> Path:
    root = tmp_path / "data"
    prepare_parity(root)
    return root


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "sessions.db"


@pytest.fixture
def jp_server_config(data_root: Path, database: Path) -> dict[str, Any]:
    return {
        "ServerApp": {
            "jpserver_extensions": {"mle_modernizer_server": True},
            "allow_unauthenticated_access": False,
        },
        "ModernizerExtension": {"data_root": str(data_root), "database": str(database)},
    }


@pytest.fixture
def api(jp_fetch: Fetch) -> Fetch:
    """Calls a route below the extension's prefix; answers with status, JSON body and headers."""

    async def call(*path: str, method: str = "GET", body: Any = None, **more: Any) -> Any:
        response = await jp_fetch(
            "mle-modernizer",
            "api",
            *path,
            method=method,
            body=json.dumps(body) if body is not None else None,
            allow_nonstandard_methods=True,
            raise_error=False,
            **more,
        )
        text = response.body.decode()
        is_json = response.headers.get("Content-Type", "").startswith("application/json")
        return response.code, (json.loads(text) if is_json and text else text), response.headers

    return call


def code_notebook(*sources: str) -> dict[str, Any]:
    """The notebook as the panel sends it."""
    cells = [{"id": f"c{n}", "type": "code", "source": source} for n, source in enumerate(sources)]
    return {"cells": cells, "language": "python"}


@pytest.fixture
def at_rest(api: Fetch) -> Callable[[str], Awaitable[dict[str, Any]]]:
    """Waits until the server has finished its work on a session, reading it as the panel does."""

    async def wait(session_id: str) -> dict[str, Any]:
        while True:
            status, session, _ = await api("sessions", session_id)
            assert status == 200
            if session["phase"] not in ("preparing", "running", "grading", "fixing"):
                return dict(session)
            await asyncio.sleep(0.05)

    return wait
