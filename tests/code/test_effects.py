"""What a cell did not do, read from its code."""

from __future__ import annotations

from mle_modernizer_server.code.effects import lost_effects


def test_code_too_deep_for_a_visitor_still_shows_its_bindings() -> None:
    source = "x = 1\ny = model" + ".add(1)" * 700
    assert lost_effects(source, None).names == {"x", "y"}
