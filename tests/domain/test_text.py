"""Durations and counts in words."""

from __future__ import annotations

import pytest

from mle_modernizer_server.domain.text import counted, duration


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.25, "0.25 s"),
        (1.26, "1.3 s"),
        (2.0003, "2 s"),
        (60.0, "60 s"),
        (72.4, "72 s"),
        (119.6, "2 min"),
        (150.0, "2 min 30 s"),
        (600.0, "10 min"),
        (5_400.0, "1 h 30 min"),
        (32_400.0, "9 h"),
    ],
)
def test_duration_is_in_units_people_use(seconds: float, words: str) -> None:
    assert duration(seconds) == words


def test_count_of_one_has_no_plural() -> None:
    assert [counted(number, "run") for number in (0, 1, 1_200)] == ["0 runs", "1 run", "1,200 runs"]
