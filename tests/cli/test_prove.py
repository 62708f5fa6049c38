"""`jupyter modernize prove`: a result is put to the proof, in words and with its cost."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Cli, Write
from tests.workflow import test_proving as sides


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """The competition `sides`, and a directory of its own for what is kept."""
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "jupyter"))
    return sides.prepare(tmp_path / "data")


@pytest.mark.thorough
def test_what_is_learnt_is_proven(cli: Cli, write: Write, places: dict[str, int]) -> None:
    path = write(sides.LOAD, sides.NEAREST, sides.WRITE)
    ended = cli("prove", path, "--competition", "sides", "--target-score", "0.99")
    assert ended.code == 0, ended.err
    words = " ".join(ended.out.split())
    assert "shuffled labels │ passed" in words
    assert "3 runs," in words and "of all runs' time" in words
    assert "The result comes from training" in words


@pytest.mark.thorough
def test_a_table_of_answers_is_not(cli: Cli, write: Write, places: dict[str, int]) -> None:
    known = ", ".join(f"'{name}': {side}" for name, side in places.items())
    path = write(sides.LOAD, sides.NEAREST, sides.IDS % known, sides.WRITE)
    ended = cli("prove", path, "--competition", "sides", "--target-score", "0.99")
    assert ended.code == 1, ended.err
    words = " ".join(ended.out.split())
    assert "follow the ids" in words
    assert "The original trains nothing" in words


@pytest.mark.thorough
def test_a_written_score_is_not(cli: Cli, write: Write, places: dict[str, int]) -> None:
    score = "print('accuracy', {})"
    right = "sum(guess(float(r['X'])) == int(r['Side']) for r in train) / len(train)"
    reading = ("--competition", "sides", "--target-kind", "printed", "--score-from", "accuracy {}")
    computed = write(sides.LOAD, sides.NEAREST, score.format(right))
    assert cli("prove", computed, *reading, "--target-score", "0.99").code == 0
    written = write(sides.LOAD, sides.NEAREST, score.format("0.9875"), name="other.ipynb")
    ended = cli("prove", written, *reading, "--target-score", "0.99")
    assert ended.code == 1
    assert "it is not computed" in " ".join(ended.out.split())
