"""The first problem of a value that a model refuses."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from mle_modernizer_server.domain.errors import BadSetting, first_problem
from mle_modernizer_server.domain.settings import SessionSettings, checked_settings


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


@pytest.mark.parametrize(
    ("given", "label", "setting"),
    [
        ({"time_limit": 0}, "Time limit", "time_limit (--time-limit)"),
        ({"rehearsal": {"rows": 1}}, "rehearsal", "rehearsal (--rehearse)"),
        ({"file_choices": 3}, "file choices", "file_choices"),
    ],
)
def test_refused_setting_has_label_and_name(
    given: dict[str, object], label: str, setting: str
) -> None:
    with pytest.raises(BadSetting) as refused:
        checked_settings(given)
    (message,) = refused.value.message
    assert message.parameters.items() >= {"label": label, "setting": setting}.items()
