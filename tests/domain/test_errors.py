"""The first problem of a value that a model refuses."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from mle_modernizer_server.domain.errors import first_problem
from mle_modernizer_server.domain.settings import SessionSettings


@pytest.mark.parametrize(
    ("given", "where", "why"),
    [
        ({"era": "long ago"}, "era", "the era must be"),
        ({"score_reading": {"pattern": 3}}, "score_reading.pattern", "Input should be"),
        ([], "", "Input should be"),
    ],
)
def test_first_problem_names_field_and_reason(given: object, where: str, why: str) -> None:
    with pytest.raises(ValidationError) as refused:
        SessionSettings.model_validate(given)
    place, reason = first_problem(refused.value)
    assert place == where
    assert reason.startswith(why)
