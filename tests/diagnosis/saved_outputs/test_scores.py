from __future__ import annotations

import pytest

from mle_modernizer_server.diagnosis.saved_outputs import printed_scores
from mle_modernizer_server.domain.grade import ScoreReading
from mle_modernizer_server.grading.printed_score import read_printed_score


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("Validation AUC: 0.8123\n", "Validation AUC", 0.8123),
        ("RMSE = 12.5\n", "RMSE", 12.5),
        ("The accuracy of the model is 0.91\n", "The accuracy of the model", 0.91),
        ("F1-score: 8.1e-1", "F1-score", 0.81),
    ],
)
def test_a_printed_score_is_offered_with_a_pattern_that_reads_it(
    text: str, name: str, value: float
) -> None:
    output = {"output_type": "stream", "name": "stdout", "text": text}
    (score,) = printed_scores([("a", [output])])
    assert (score.name, score.value, score.cell_id, score.ordinal) == (name, value, "a", 1)
    reading = ScoreReading(cell_id="a", pattern=score.pattern)
    assert read_printed_score({"a": [output]}, reading) == value


def test_the_last_score_comes_first_and_other_numbers_are_none() -> None:
    saved = [
        ("a", [{"output_type": "stream", "name": "stdout", "text": "acc: 0.5\nrows: 3.0\n"}]),
        ("b", [{"output_type": "stream", "name": "stdout", "text": "acc: 0.7\n"}]),
    ]
    assert [score.value for score in printed_scores(saved)] == [0.7, 0.5]
