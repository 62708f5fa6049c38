"""Every example of the catalogue runs and reaches the score its entry names.

What ran is recorded by the hash of the code and the versions it ran with, so that an unchanged
example is not run again; one in so many always is.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
from filelock import FileLock
from packaging.version import Version

from mle_modernizer_server.improving.catalogue.entry import Entry, TaskKind
from mle_modernizer_server.improving.catalogue.shelf import built_in
from tests.thoroughness import THOROUGH

RECORD = Path(__file__).with_name("executed.json")
WORKER = Path(__file__).with_name("worker.py")
FOLDER = Path(__file__).parents[3] / "mle_modernizer_server/improving/catalogue/entries"
SAMPLE = 15
DISTRIBUTIONS = ("numpy", "pandas", "scikit-learn", "scipy", "lightgbm")
IMPORTED = {"sklearn": "scikit-learn", "xgboost": "xgboost-cpu"}
ENTRIES = {entry.id: entry for entry in built_in()}

pytestmark = pytest.mark.xdist_group("catalogue")


def key(entry: Entry) -> str:
    """The hash of what was executed, and with what."""
    versions = [f"{name} {version(name)}" for name in DISTRIBUTIONS]
    parts = (entry.example, str(entry.reaches), *versions, WORKER.read_text("utf-8"))
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


@pytest.fixture(scope="module")
def known() -> set[str]:
    return set(json.loads(RECORD.read_text("utf-8"))) if RECORD.exists() else set()


@pytest.fixture(scope="module")
def executed(known: set[str]) -> dict[str, tuple[float, str, float]]:
    """What came of the examples that are new, and of a sample of the others."""
    due = {
        name: entry.example
        for name, entry in ENTRIES.items()
        if THOROUGH or key(entry) not in known or int(key(entry), 16) % SAMPLE == 0
    }
    done = subprocess.run(
        [sys.executable, str(WORKER)],
        input=json.dumps(due),
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "OMP_NUM_THREADS": "1", "MPLBACKEND": "Agg"},
    )
    found = {name: tuple(one) for name, one in json.loads(done.stdout).items()}
    new = {key(ENTRIES[name]) for name, one in found.items() if _holds(ENTRIES[name], one)} - known
    if new:
        with FileLock(RECORD.with_suffix(".lock")):
            RECORD.write_text(json.dumps(sorted(known | new), indent=0) + "\n", "utf-8")
    return found


def _holds(entry: Entry, came: tuple[float, str, float]) -> bool:
    score, error, _ = came
    return not error and score >= entry.reaches


@pytest.mark.parametrize("name", ENTRIES)
def test_an_example_runs_and_reaches_its_score(
    name: str, known: set[str], executed: dict[str, tuple[float, str, float]]
) -> None:
    entry = ENTRIES[name]
    if name not in executed:
        assert key(entry) in known
        return
    score, error, seconds = executed[name]
    assert not error
    assert score >= entry.reaches, f"{score} is less than {entry.reaches}"
    assert seconds < 60


def test_the_sample_is_never_empty() -> None:
    assert any(int(key(entry), 16) % SAMPLE == 0 for entry in ENTRIES.values())


def test_there_are_entries_for_every_kind_of_task() -> None:
    assert 60 <= len(ENTRIES) <= 80
    for task in TaskKind:
        assert sum(task in entry.tasks for entry in ENTRIES.values()) >= 4, task


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.yaml")), ids=lambda file: file.stem)
def test_a_file_is_written_to_be_read(file: Path) -> None:
    lines = file.read_text("utf-8").splitlines()
    assert max(map(len, lines)) <= 120
    assert not [line for line in lines if line.rstrip() != line]


@pytest.mark.parametrize("name", ENTRIES)
def test_an_example_is_short_and_needs_what_the_entry_says(name: str) -> None:
    entry = ENTRIES[name]
    assert 10 <= len(entry.example.rstrip().splitlines()) <= 25
    assert entry.source.startswith("https://")
    assert entry.reaches > 0
    code = f"{entry.example}\n{entry.in_place}"
    for package in ("sklearn", "lightgbm", "xgboost", "pandas"):
        if f"import {package}" in code or f"from {package}" in code:
            assert package in entry.packages or package == "sklearn", package
    for package, least in entry.packages.items():
        assert Version(version(IMPORTED.get(package, package))) >= Version(least)
