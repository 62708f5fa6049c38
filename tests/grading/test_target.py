"""Scores that a notebook speaks of, and scores that its cells print."""

from __future__ import annotations

import json

import pytest
from pydantic import ValidationError

from mle_modernizer_server.domain.grade import (
    Grade,
    OutputStatus,
    ScoreKind,
    ScoreReading,
    TargetSource,
    Which,
)
from mle_modernizer_server.domain.notebook import Cell, CellType, Notebook
from mle_modernizer_server.grading.printed_score import read_printed_score, with_printed_score
from mle_modernizer_server.grading.target import kaggle_competition, suggest_targets


def notebook(*markdown: str) -> Notebook:
    cells = [
        Cell(id=f"m{number}", type=CellType.MARKDOWN, source=source)
        for number, source in enumerate(markdown)
    ]
    return Notebook(cells=(*cells, Cell(id="c", type=CellType.CODE, source="lb = 'LB 0.1'")))


@pytest.mark.parametrize(
    ("line", "score"),
    [
        ("# Titanic with XGBoost (LB 0.79)", 0.79),
        ("Public score: 0.123", 0.123),
        ("**Public LB**: 0.98765", 0.98765),
        ("It scores 0.4512 on the public LB", 0.4512),
        ("Private leaderboard score of 12,5", 12.5),
        ("score on the leaderboard is -6.9", -6.9),
        ("Kaggle score = .81", 0.81),
    ],
)
def test_a_line_that_names_a_leaderboard_score_is_a_suggestion(line: str, score: float) -> None:
    (found,) = suggest_targets(notebook("Some text", line))
    assert (found.score, found.source, found.cell_id) == (score, TargetSource.MARKDOWN, "m1")
    assert found.quote == line


@pytest.mark.parametrize(
    "line",
    [
        "We train 5 folds",
        "top 10% on the LB",
        "version 0.79",
        "LB probing",
        "Album 0.7",
        "x" * 9000,
    ],
)
def test_other_numbers_are_none(line: str) -> None:
    assert suggest_targets(notebook(line)) == ()


def test_metadata_precede_title_and_text_with_their_origin() -> None:
    kaggle = json.dumps({"title": "LGBM LB 0.8", "competition_sources": ["competitions/titanic"]})
    found = suggest_targets(
        notebook("LB: 0.9"),
        metadata={"mle_modernizer": {"target_score": 0.7}},
        title="my model LB 0.85",
        kernel_metadata=kaggle.encode(),
    )
    assert [(item.source.value, item.score) for item in found] == [
        ("metadata", 0.7),
        ("title", 0.85),
        ("kaggle", 0.8),
        ("markdown", 0.9),
    ]
    assert kaggle_competition(kaggle.encode()) == "titanic"


@pytest.mark.parametrize("content", [None, b"", b"no json", b"[]", b'{"competition_sources": 3}'])
def test_a_file_that_is_not_kaggles_suggests_nothing(content: bytes | None) -> None:
    assert kaggle_competition(content) is None
    assert suggest_targets(notebook(), kernel_metadata=content) == ()


OUTPUTS = {
    "a": [{"output_type": "stream", "text": ["fold 1 AUC: 0.91\n", "fold 2 AUC: 0.93\n"]}],
    "b": [
        {
            "output_type": "stream",
            "text": "\x1b[32mValidation AUC: 0.92\x1b[0m\nValidation RMSE: 3",
        },
        {"output_type": "execute_result", "data": {"text/plain": "0.5"}},
    ],
}


@pytest.mark.parametrize(
    ("reading", "score"),
    [
        (ScoreReading(pattern="AUC: {}"), 0.92),
        (ScoreReading(pattern="AUC: {}", which=Which.BEST), 0.93),
        (ScoreReading(cell_id="a", pattern="auc:{}"), 0.93),
        (ScoreReading(cell_id="b"), 0.5),
        (ScoreReading(pattern="accuracy {}"), None),
        (ScoreReading(cell_id="gone"), None),
    ],
)
def test_a_score_is_read_from_what_a_cell_printed(
    reading: ScoreReading, score: float | None
) -> None:
    assert read_printed_score(OUTPUTS, reading) == score


@pytest.mark.parametrize(
    ("shown", "score"),
    [
        ("0.8125", 0.8125),
        ("np.float64(0.8125)", 0.8125),
        ("tensor(0.8125)", 0.8125),
        ("tensor(0.8125, dtype=torch.float64)", 0.8125),
        ("array(0.8125, dtype=float32)", 0.8125),
        ("Decimal('0.8125')", 0.8125),
        ("-1e-3", -0.001),
        # none that is one number: what was printed counts
        ("[0.5, 0.8125]", 7),
        ("nan", 7),
        ("'0.8125'", 7),
        ("(" * 200, 7),
    ],
)
def test_returned_value_precedes_printed_ones(shown: str, score: float) -> None:
    outputs = {
        "a": [{"output_type": "execute_result", "data": {"text/plain": shown}}],
        "b": [{"output_type": "stream", "text": "0.25 in 7"}],
    }
    assert read_printed_score(outputs, ScoreReading()) == score


def test_the_best_of_errors_is_the_smallest() -> None:
    reading = ScoreReading(pattern="fold {} AUC", which=Which.BEST)
    assert read_printed_score(OUTPUTS, reading, higher_is_better=False) == 1.0


@pytest.mark.parametrize("pattern", ["AUC", "{} {}"])
def test_a_pattern_has_one_place_for_the_number(pattern: str) -> None:
    with pytest.raises(ValidationError, match="once"):
        ScoreReading(pattern=pattern)


def test_a_printed_score_is_compared_with_a_printed_target_only() -> None:
    none = Grade(
        output_status=OutputStatus.WITHOUT_CSV, reason="The run wrote no CSV.", target=0.92
    )
    reading = ScoreReading(pattern="Validation AUC: {}")
    against_graded = with_printed_score(none, OUTPUTS, reading)
    assert (against_graded.score, against_graded.deviation) == (0.92, None)
    printed = none.model_copy(update={"target_kind": ScoreKind.PRINTED})
    assert with_printed_score(printed, OUTPUTS, reading).within_threshold
    graded = none.model_copy(update={"score": 0.4})
    assert with_printed_score(graded, OUTPUTS, reading).score == 0.4
