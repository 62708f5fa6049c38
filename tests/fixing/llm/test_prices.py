"""Price lists: ours, a person's, and what is wrong with one."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from mle_modernizer_server.domain.errors import BadSetting
from mle_modernizer_server.domain.model_calls import Price, Usage
from mle_modernizer_server.fixing.llm.prices import LIST_PRICES, read_prices
from mle_modernizer_server.fixing.llm.settings import LlmSettings
from mle_modernizer_server.words import text
from tests.refusals import refused

HEAD = "as_of: 2026-02-01\ncurrency: USD\nsource: our contract\n"
OWN = (
    HEAD
    + "models:\n  - {model: gpt-5.2, input: 1, output: 7}\n  - {model: mine, input: 0, output: 0}\n"
)


def own(tmp_path: Path, text: str = OWN) -> Path:
    file = tmp_path / "prices.yaml"
    file.write_text(text)
    return file


def chosen(model: str, **environ: str) -> Price | None:
    return LlmSettings.from_environment(model=model, environ=environ).known_price


def test_every_price_of_ours_has_a_date_and_a_page() -> None:
    assert all(
        price.as_of and price.source.startswith("https://") for price in LIST_PRICES.values()
    )
    assert all(price.cached_input <= price.input for price in LIST_PRICES.values())


def test_own_price_list_precedes_ours_and_one_price_both(tmp_path: Path) -> None:
    file = str(own(tmp_path))
    price = chosen("gpt-5.2", MLE_MODERNIZER_PRICES=file)
    assert price == Price(
        input=1, cached_input=1, output=7, as_of=date(2026, 2, 1), source="our contract"
    ), "what says nothing of a cache has no discount"
    assert chosen("gpt-5.2-2025-12-11", MLE_MODERNIZER_PRICES=file) == price
    assert chosen("gpt-5", MLE_MODERNIZER_PRICES=file) == LIST_PRICES["gpt-5"]
    assert chosen("mine", MLE_MODERNIZER_PRICES=file) is not None
    both = chosen("gpt-5.2", MLE_MODERNIZER_PRICES=file, MLE_MODERNIZER_PRICE="3,2,1")
    assert both == Price(input=3, cached_input=2, output=1)
    named = LlmSettings.from_environment(
        model="gpt-5.2", prices_file=own(tmp_path), environ={"MLE_MODERNIZER_PRICES": "/none"}
    )
    assert named.known_price == price


def test_a_model_in_no_list_has_no_price(tmp_path: Path) -> None:
    assert chosen("llama-99") is None
    assert chosen("llama-99", MLE_MODERNIZER_PRICES=str(own(tmp_path))) is None


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "price list"),
        ("models: [", "is not valid YAML"),
        ("- 1", "cannot be used"),
        (OWN.replace("as_of: 2026-02-01\n", ""), "as_of: Field required"),
        (OWN.replace("2026-02-01", "last spring"), "as_of"),
        (OWN.replace("USD", "EUR"), "currency"),
        (OWN.replace("input: 1", "input: -1"), "models.0.input"),
        (OWN.replace("input: 1", "input: .nan"), "models.0.input"),
        (OWN.replace("output: 7", "outptu: 7"), "models.0"),
        (OWN.replace("model: mine", "model: gpt-5.2"), "twice"),
        (HEAD + "models: []\n", "models"),
        ("&a [*a]", "price list"),
        ("x" * 1_000_001, "too large"),
        ("!!python/object/apply:os.system ['true']", "is not valid YAML"),
    ],
)
def test_a_bad_list_is_named_with_what_is_wrong(tmp_path: Path, content: str, said: str) -> None:
    file = own(tmp_path, content)
    with refused(BadSetting, match=r"prices\.yaml") as caught:
        LlmSettings.from_environment(model="m", environ={"MLE_MODERNIZER_PRICES": str(file)})
    assert said in text(caught.value.message)


def test_a_list_that_is_not_there_or_no_text_is_an_error(tmp_path: Path) -> None:
    with refused(BadSetting, match="cannot be read"):
        read_prices(tmp_path / "none.yaml")
    file = tmp_path / "bytes.yaml"
    file.write_bytes(b"\xff\xfe\x00\x81")
    with refused(BadSetting, match="is not valid YAML"):
        read_prices(file)


def test_sum_reports_unpriced_calls_and_the_age_of_prices() -> None:
    call = Usage(calls=1, input_tokens=10, output_tokens=10, reasoning_tokens=4)
    old = call.priced(Price(input=1, cached_input=1, output=1, as_of=date(2025, 1, 1)))
    new = call.priced(Price(input=1, cached_input=1, output=1, as_of=date(2026, 1, 1)))
    total = old + call + new + call
    assert (total.calls, total.unpriced_calls, total.reasoning_tokens) == (4, 2, 16)
    assert total.prices_as_of == date(2025, 1, 1)
    assert total.cost_usd == pytest.approx(40e-6)
    assert (call + call).cost_usd is None and (call + call).unpriced_calls == 2
    assert (Usage() + old).unpriced_calls == 0
