"""What a cell did not do, read from its code."""

from __future__ import annotations

from mle_modernizer_server.code.effects import lost_effects


def test_code_nested_deeper_than_a_visitor_goes_still_tells_what_it_binds() -> None:
    source = "x = 1\ny = model" + ".add(1)" * 700
    assert lost_effects(source, None).names == {"x", "y"}
