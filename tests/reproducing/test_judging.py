"""Computed numbers against claimed ones."""

from __future__ import annotations

from typing import Any

import pytest

from mle_modernizer_server.domain.paper import Claim, ClaimSource, Place
from mle_modernizer_server.domain.reproduction import ClaimOutcome, ClaimRemark, ExpectedClaim
from mle_modernizer_server.reproducing.claims.numbers import cell_numbers
from mle_modernizer_server.reproducing.judging import gap, judge_claim, printed_results


def claim(printed: str, *, higher: bool | None = True) -> ExpectedClaim:
    (number,) = cell_numbers(printed)
    return ExpectedClaim(
        claim=Claim(
            id="t0",
            value=number.value,
            printed=printed,
            decimals=number.decimals,
            spread=number.spread,
            higher_is_better=higher,
            source=ClaimSource.TABLE,
            place=Place(table=0),
        )
    )


ROUNDING, TOLERANCE = ClaimOutcome.WITHIN_ROUNDING, ClaimOutcome.WITHIN_TOLERANCE
OFF, NOT_REACHED = ClaimOutcome.OFF, ClaimOutcome.NOT_REACHED


@pytest.mark.parametrize(
    ("printed", "value", "higher", "outcome"),
    [
        ("98.9", 98.88, True, ROUNDING),
        ("98.9", 98.95, True, ROUNDING),
        ("98.9", 98.96, True, TOLERANCE),
        ("96.1", 95.51, True, TOLERANCE),
        ("90.0 ± 3.0", 87.5, True, TOLERANCE),
        ("90.0", 87.5, True, OFF),
        ("6.2", 6.5, False, OFF),
        ("5.8", 11.9, False, NOT_REACHED),
        ("5.8", 11.9, None, NOT_REACHED),
        ("11.9", 5.8, False, OFF),
        ("11.9", 5.8, None, NOT_REACHED),
        ("3.3 · 10^18", 3.34e18, True, ROUNDING),
        ("3.3 · 10^18", 3.0e18, True, OFF),
        ("1,024", 1024.4, True, ROUNDING),
        (".91", 0.914, True, ROUNDING),
        ("0.0", 0.04, True, ROUNDING),
        ("0", 7.0, False, NOT_REACHED),
        ("-0.50", -0.5, True, ROUNDING),
    ],
)
def test_how_a_number_stands_to_its_claim(
    printed: str, value: float, higher: bool | None, outcome: ClaimOutcome
) -> None:
    found = judge_claim(claim(printed, higher=higher), [value], 0.02, written=False)
    assert found.outcome is outcome


def test_the_gap_is_that_of_the_paper() -> None:
    assert gap(5.8, 11.6) == gap(11.6, 5.8) == 0.5
    assert gap(0.0, 0.0) == 0.0
    found = judge_claim(claim("5.8", higher=False), [11.6], 0.02, written=False)
    assert (found.gap, found.difference) == (0.5, pytest.approx(1.0))


def test_the_mean_of_the_runs_is_compared_and_their_spread_told() -> None:
    found = judge_claim(claim("90.0"), [89.0, None, 91.0], 0.02, written=False)
    assert (found.value, found.outcome) == (90.0, ROUNDING)
    assert found.deviation == pytest.approx(2**0.5)
    assert found.values == (89.0, None, 91.0)
    assert found.remarks == (ClaimRemark.SOME_RUNS,)


def test_without_a_number_it_is_not_computed() -> None:
    found = judge_claim(claim("90.0"), [None, None], 0.02, written=False)
    assert (found.outcome, found.gap) == (ClaimOutcome.NOT_COMPUTED, None)


def test_a_number_that_stands_in_the_code_is_not_computed() -> None:
    found = judge_claim(claim("90.0"), [90.0], 0.02, written=True)
    assert found.outcome is ClaimOutcome.NOT_COMPUTED
    assert found.remarks == (ClaimRemark.WRITTEN,)


def test_a_share_for_a_percentage_is_not_taken_but_told() -> None:
    found = judge_claim(claim("98.9"), [0.989], 0.02, written=False)
    assert (found.outcome, found.remarks) == (NOT_REACHED, (ClaimRemark.SCALE,))


def output(text: str, **fields: Any) -> list[dict[str, Any]]:
    return [{"output_type": "stream", "name": "stdout", "text": text, **fields}]


@pytest.mark.parametrize(
    ("outputs", "results"),
    [
        ([output('results = {"a": 1, "b": 0.5}\n')], {"a": 1.0, "b": 0.5}),
        ([output('x\nresults = {"a": 1}\nresults = {"a": 2}\n')], {"a": 2.0}),
        ([output('results = {"a": 1}'), output('results = {"a": 3}')], {"a": 3.0}),
        ([output('results = {"a": null, "b": true, "c": "9", "d": NaN, "e": [1]}')], {}),
        ([output('results = {"a": 1e999}')], {}),
        ([output('results = {"a": ' + "9" * 400 + "}")], {}),
        ([output('results = {"a": 1')], {}),
        ([output("results = {" + '"a":{' * 9_000 + "}" * 9_001)], {}),
        ([output('results = {"a": 1}', name="stderr")], {}),
        ([output('see results = {"a": 1}')], {}),
        ([[{"output_type": "display_data", "data": {"text/plain": 'results = {"a": 1}'}}]], {}),
        ([], {}),
    ],
)
def test_results_are_read_from_the_line_that_hands_them_over(
    outputs: list[list[dict[str, Any]]], results: dict[str, float]
) -> None:
    assert printed_results(outputs) == results
