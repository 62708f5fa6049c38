"""What a scene of a session must not leave behind."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.workflow.scenes import command_of


@pytest.fixture
def nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No process and no scratch directory outlives a test."""
    scratch = tmp_path / "t"
    scratch.mkdir()
    monkeypatch.setenv("TMPDIR", str(scratch))
    monkeypatch.setattr("tempfile.tempdir", None)
    before = set(psutil.Process().children(recursive=True))
    yield
    end = time.monotonic() + 10
    while time.monotonic() < end:
        left = {
            child
            for child in set(psutil.Process().children(recursive=True)) - before
            if child.is_running() and "ipykernel" in " ".join(command_of(child))
        }
        if not left:
            break
        time.sleep(0.1)
    assert left == set()
    assert list(scratch.glob("mlem-*")) == []
