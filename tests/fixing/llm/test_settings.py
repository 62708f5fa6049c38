"""Where endpoint, model and key come from, and that the key goes nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest

from mle_modernizer_server.domain.errors import BadSetting
from mle_modernizer_server.domain.model_calls import Price
from mle_modernizer_server.fixing.llm.prices import LIST_PRICES, price_of
from mle_modernizer_server.fixing.llm.settings import Api, LlmSettings
from mle_modernizer_server.words import text
from tests.refusals import refused


def key_of(settings: LlmSettings) -> str | None:
    return settings.api_key.get_secret_value() if settings.api_key else None


def test_our_own_variables_come_first() -> None:
    found = LlmSettings.from_environment(
        environ={
            "MLE_MODERNIZER_BASE_URL": "http://box:8000/v1",
            "MLE_MODERNIZER_MODEL": "m",
            "MLE_MODERNIZER_API_KEY": "ours",
            "OPENAI_BASE_URL": "https://other/v1",
            "OPENAI_API_KEY": "theirs",
        }
    )
    assert (found.base_url, found.model, key_of(found)) == ("http://box:8000/v1", "m", "ours")
    assert found.configured


def test_openais_variables_serve_as_a_pair() -> None:
    environ = {"OPENAI_BASE_URL": "https://other/v1", "OPENAI_API_KEY": "theirs"}
    found = LlmSettings.from_environment(model="m", environ=environ)
    assert (found.base_url, key_of(found)) == ("https://other/v1", "theirs")
    assert key_of(LlmSettings.from_environment(environ={"OPENAI_API_KEY": "theirs"})) == "theirs"


def test_openais_key_is_not_sent_to_another_endpoint() -> None:
    environ = {"MLE_MODERNIZER_BASE_URL": "http://box:8000/v1", "OPENAI_API_KEY": "theirs"}
    assert LlmSettings.from_environment(environ=environ).api_key is None


def test_a_key_file_is_read(tmp_path: Path) -> None:
    file = tmp_path / "key"
    file.write_text(" from-file \n", encoding="utf-8")
    found = LlmSettings.from_environment(api_key_file=file, environ={})
    assert key_of(found) == "from-file"


def test_a_key_file_that_is_missing_or_empty_is_told(tmp_path: Path) -> None:
    with refused(BadSetting, match="cannot be read"):
        LlmSettings.from_environment(api_key_file=tmp_path / "none", environ={})
    (tmp_path / "empty").touch()
    with refused(BadSetting, match="is empty"):
        LlmSettings.from_environment(api_key_file=tmp_path / "empty", environ={})


@pytest.mark.parametrize("address", ["box:8000", "ftp://box", "http://me:pw@box/v1", "http://"])
def test_an_address_that_is_none_is_refused_without_repeating_it(address: str) -> None:
    with refused(BadSetting, match="MLE_MODERNIZER_BASE_URL") as caught:
        LlmSettings.from_environment(base_url=address, environ={})
    assert "pw" not in text(caught.value.message)


def test_what_is_missing_is_said() -> None:
    nothing = LlmSettings.from_environment(environ={})
    assert not nothing.configured
    assert "MLE_MODERNIZER_MODEL" in nothing.reason
    no_key = LlmSettings.from_environment(model="m", environ={})
    assert "no key for api.openai.com" in no_key.reason
    local = LlmSettings.from_environment(model="m", base_url="http://localhost:1/v1", environ={})
    assert local.configured


def test_the_key_shows_in_no_text_of_the_settings() -> None:
    found = LlmSettings.from_environment(
        model="m", environ={"MLE_MODERNIZER_API_KEY": "sk-very-secret"}
    )
    for shown in (repr(found), str(found), found.model_dump_json(), str(found.model_dump())):
        assert "very-secret" not in shown


def test_patience_and_price_can_be_set() -> None:
    environ = {
        "MLE_MODERNIZER_TIMEOUT": "1800",
        "MLE_MODERNIZER_PRICE": "1, 0.1, 8",
        "MLE_MODERNIZER_SEND_SCORES": "1",
    }
    found = LlmSettings.from_environment(environ=environ)
    assert found.send_scores is True
    assert found.timeout == 1800
    assert found.price == Price(input=1, cached_input=0.1, output=8)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("MLE_MODERNIZER_TIMEOUT", "soon"),
        ("MLE_MODERNIZER_TIMEOUT", "0"),
        ("MLE_MODERNIZER_TIMEOUT", "nan"),
        ("MLE_MODERNIZER_PRICE", "1,2"),
        ("MLE_MODERNIZER_SEND_SCORES", "yes"),
        ("MLE_MODERNIZER_PRICE", "1,2,-3"),
    ],
)
def test_a_number_that_is_none_is_named(name: str, value: str) -> None:
    with refused(BadSetting, match=name):
        LlmSettings.from_environment(environ={name: value})


def test_dated_snapshots_have_their_models_price_and_others_none() -> None:
    assert price_of("gpt-5.2-2025-12-11") == LIST_PRICES["gpt-5.2"]
    assert price_of("gpt-5.2-pro") is None
    cost = LIST_PRICES["gpt-5.2"].cost(
        input_tokens=47_300, cached_input_tokens=18_500, output_tokens=18_200
    )
    assert cost == pytest.approx(0.3084, abs=1e-4)  # the paper's mean notebook costs 0.31 USD


def test_azure_variables_are_used_if_openais_are_unset() -> None:
    azure = {
        "AZURE_OPENAI_ENDPOINT": "https://mine.openai.azure.com/",
        "AZURE_OPENAI_API_KEY": "azures",
        "OPENAI_API_VERSION": "2024-10-21",
    }
    found = LlmSettings.from_environment(model="m", environ=azure)
    assert (found.host, key_of(found)) == ("mine.openai.azure.com", "azures")
    assert found.azure_deployments
    theirs = LlmSettings.from_environment(model="m", environ={**azure, "OPENAI_API_KEY": "openais"})
    assert (theirs.host, key_of(theirs)) == ("api.openai.com", "openais")
    assert not theirs.azure
    assert theirs.api_version == ""
    named = LlmSettings.from_environment(
        model="m",
        environ={
            **azure,
            "OPENAI_API_KEY": "openais",
            "MLE_MODERNIZER_BASE_URL": "https://mine.openai.azure.com",
        },
    )
    assert (named.azure, key_of(named)) == (True, "azures")
    other = LlmSettings.from_environment(
        model="m", environ={**azure, "MLE_MODERNIZER_BASE_URL": "http://box:8000/v1"}
    )
    assert (key_of(other), other.api_version) == (None, "")


def test_bare_azure_address_without_version_is_its_v1_address() -> None:
    found = LlmSettings.from_environment(
        model="m", environ={"MLE_MODERNIZER_BASE_URL": "https://mine.openai.azure.com/"}
    )
    assert found.address == "https://mine.openai.azure.com/openai/v1"
    assert not found.azure_deployments
    assert "AZURE_OPENAI_API_KEY" in found.reason


def test_patience_length_and_api_are_settings() -> None:
    environ = {
        "MLE_MODERNIZER_CONNECT_TIMEOUT": "3",
        "MLE_MODERNIZER_RETRIES": "0",
        "MLE_MODERNIZER_MAX_PROMPT": "400000",
        "MLE_MODERNIZER_API": "Responses",
    }
    found = LlmSettings.from_environment(environ=environ)
    assert (found.connect_timeout, found.connection_retries) == (3, 0)
    assert (found.max_prompt_chars, found.api) == (400_000, Api.RESPONSES)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("MLE_MODERNIZER_API", "rest"),
        ("MLE_MODERNIZER_RETRIES", "21"),
        ("MLE_MODERNIZER_MAX_PROMPT", "100"),
        ("MLE_MODERNIZER_CONNECT_TIMEOUT", "0"),
    ],
)
def test_a_setting_out_of_its_range_is_named(name: str, value: str) -> None:
    with refused(BadSetting, match=name):
        LlmSettings.from_environment(environ={name: value})
