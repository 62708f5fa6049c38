"""`jupyter modernize prove`: a result is put to the proof, in words and with its cost."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from tests.cli.conftest import START, Cli, Write
from tests.cli.terminal import Terminal
from tests.llm_server import Answer, LlmServer
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
    assert "Shuffled labels │ passed" in words
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


CHEAT = sides.NEAREST.replace(
    "[guess(float(row['X'])) for row in test]", "pickle.load(open('stage1.pkl', 'rb'))"
)
CHEAT = f"import pickle\n{CHEAT}"
"""Predictions that lie next to the notebook, as an edit that a person accepts."""


@pytest.mark.parametrize(
    ("honest", "proves", "code", "words"),
    [
        pytest.param(True, True, 0, "with shuffled labels the score is lost", id="honest"),
        pytest.param(
            False,
            True,
            1,
            "Trained on shuffled labels, it submits the same predictions",
            id="cheat",
            marks=pytest.mark.thorough,
        ),
        pytest.param(
            False,
            False,
            1,
            "Reached, not proven. Score",
            id="not-asked",
            marks=pytest.mark.thorough,
        ),
    ],
)
def test_step_mode_models_edit_is_proven_or_reached(
    write: Write,
    places: dict[str, int],
    monkeypatch: pytest.MonkeyPatch,
    honest: bool,
    proves: bool,
    code: int,
    words: str,
) -> None:
    path = write(sides.LOAD, sides.BROKEN, sides.WRITE)
    (path.parent / "stage1.pkl").write_bytes(pickle.dumps(list(places.values())))
    reply = sides.mended().text
    if not honest:
        reply = reply.replace(sides.NEAREST, CHEAT)
    flags = ["--prove"] if proves else []
    chosen = ["--competition", "sides", "--target-score", "0.99", "--fixer", "llm", *flags]
    with LlmServer([Answer(text=reply)]) as server:
        monkeypatch.setenv("MLE_MODERNIZER_BASE_URL", server.base_url)
        monkeypatch.setenv("MLE_MODERNIZER_MODEL", "a-model")
        monkeypatch.setenv("MLE_MODERNIZER_API_KEY", "secret")
        terminal = Terminal([*START, str(path), "--step", *chosen])
        terminal.until("[q]uit: ")
        terminal.type("a")
        terminal.until(words, 120)
        terminal.until("(empty: nowhere): ")
        terminal.type("")
        assert terminal.end() == code
    assert ("Shuffled test rows" in terminal.shown) == proves
