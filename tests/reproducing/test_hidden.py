"""What code is written by has none of the claimed numbers."""

from __future__ import annotations

import pytest

from mle_modernizer_server.domain.paper import PaperFormat
from mle_modernizer_server.reproducing.hidden import HiddenNumbers
from tests.reproducing.test_skeleton import our_reading, short_paper


def test_the_text_of_the_method_has_no_claimed_number() -> None:
    reading = our_reading()
    text = HiddenNumbers(reading.claims).method_text(reading.paper)
    assert reading.paper.format is PaperFormat.LATEX
    assert "Adam" in text
    for claim in reading.claims:
        if claim.decimals:
            assert claim.printed not in text


@pytest.mark.parametrize("printed", ["97.5%", "0.975", "7 %"])
def test_a_number_that_a_sentence_claims_is_left_out(printed: str) -> None:
    reading = short_paper(f"We use Adam. We reach an accuracy of {printed} on Foo.")
    assert reading.claims
    text = HiddenNumbers(reading.claims).method_text(reading.paper)
    assert "We use Adam. We reach an accuracy of …" in text
