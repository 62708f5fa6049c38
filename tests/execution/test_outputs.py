"""Texts of a cell's outputs that are stored."""

from __future__ import annotations

from mle_modernizer_server.execution.outputs import warnings_in


def test_warnings_are_distinct_short_and_at_most_twenty() -> None:
    lines = [f"x.py:1: UserWarning: number {n}" for n in (*range(30), 0)]
    lines[1:1] = ["  plain text", f"FutureWarning: {'x' * 900}"]
    found = warnings_in("\n".join(lines))
    assert found[0] == "UserWarning: number 0"
    assert len(found[1]) == 500
    assert len(found) == len(set(found)) == 20
