"""Which endpoint, which model, which key: known to the server only."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, field_validator

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.errors import BadSetting
from mle_modernizer_server.domain.price import Price
from mle_modernizer_server.fixing.llm.prices import price_of, read_prices

OPENAI_BASE_URL = "https://api.openai.com/v1"
OPENAI_HOST = "api.openai.com"


class LlmSettings(Value):
    """An OpenAI-compatible endpoint and how patient to be with it.

    The key is a `SecretStr`: it shows up in no `repr`, log or JSON, and goes to `base_url` only.
    """

    base_url: str = OPENAI_BASE_URL
    """Root of the API, usually ending in `/v1`."""
    model: str = ""
    api_key: SecretStr | None = None
    """None for endpoints that want none, such as a model server on this machine."""
    max_retries: int = Field(default=3, ge=0, le=10)
    """How often an unusable reply is sent back with the reason."""
    connection_retries: int = Field(default=2, ge=0, le=10)
    """How often a request is repeated, with backoff, after 429, 5xx, a time-out or a lost line."""
    timeout: float = Field(default=600.0, gt=0, le=86_400)
    """Seconds the endpoint may stay silent: before its first word and between two words."""
    temperature: float | None = Field(default=None, ge=0, le=2)
    """None leaves it to the model; reasoning models refuse any other value."""
    max_output_tokens: int | None = Field(default=None, ge=256)
    max_prompt_chars: int = Field(default=160_000, ge=20_000)
    """Upper bound of a prompt; notebooks beyond it are shown in part (4 characters ≈ 1 token)."""
    price: Price | None = None
    """Comes before the list of prices."""
    send_scores: bool = False
    """Whether the model is told the reproduced score, and not only where it stands."""

    @field_validator("base_url")
    @classmethod
    def _plain_address(cls, value: str) -> str:
        parts = urlsplit(value)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("the base URL must start with http:// or https:// and name a host")
        if parts.username or parts.password:
            raise ValueError("the base URL must not hold a password; the key has its own setting")
        return value

    @classmethod
    def from_environment(
        cls,
        *,
        base_url: str | None = None,
        model: str | None = None,
        api_key_file: Path | None = None,
        prices_file: Path | None = None,
        environ: Mapping[str, str] | None = None,
    ) -> LlmSettings:
        """Settings from the server's configuration, else from environment variables.

        Read are `MLE_MODERNIZER_BASE_URL`, `MLE_MODERNIZER_MODEL` and `MLE_MODERNIZER_API_KEY`,
        then `OPENAI_BASE_URL` and `OPENAI_API_KEY`; `MLE_MODERNIZER_TIMEOUT` (seconds),
        `MLE_MODERNIZER_PRICE` (`input,cached,output`, USD per million tokens),
        `MLE_MODERNIZER_PRICES` (a price list) and
        `MLE_MODERNIZER_SEND_SCORES` (`1` or `0`). OpenAI's variables
        are a pair: their key goes to their endpoint (or to OpenAI), never to an endpoint that was
        named in another way.

        Args:
            base_url: Overrides the variables.
            model: Overrides the variable.
            api_key_file: File whose first line is the key; overrides the variables.
            prices_file: A price list that comes before ours; overrides the variable.
            environ: The environment; None is the process's own.

        Raises:
            BadSetting: The address is none, the key file or the price list cannot be read, or a
                number is none.
        """
        env = os.environ if environ is None else environ
        openai_address = env.get("OPENAI_BASE_URL") or OPENAI_BASE_URL
        address = base_url or env.get("MLE_MODERNIZER_BASE_URL") or openai_address
        key = env.get("MLE_MODERNIZER_API_KEY")
        if api_key_file is not None:
            key = _read_key(api_key_file)
        elif not key and (address == openai_address or urlsplit(address).hostname == OPENAI_HOST):
            key = env.get("OPENAI_API_KEY")
        patience = _numbers(env, "MLE_MODERNIZER_TIMEOUT", 1)
        costs = _numbers(env, "MLE_MODERNIZER_PRICE", 3)
        name = (model or env.get("MLE_MODERNIZER_MODEL") or "").strip()
        try:
            return cls(
                base_url=address,
                model=name,
                api_key=SecretStr(key.strip()) if key and key.strip() else None,
                send_scores=_switch(env, "MLE_MODERNIZER_SEND_SCORES"),
                timeout=patience[0] if patience else 600.0,
                price=_chosen_price(name, costs, prices_file, env),
            )
        except ValueError as error:
            raise BadSetting(
                "The address of the language model cannot be used: it must start with http:// or "
                "https://, name a host and hold no password. Check MLE_MODERNIZER_BASE_URL."
            ) from error

    @property
    def known_price(self) -> Price | None:
        """What the model costs: the settings' price, else the list's; None where neither is."""
        return self.price or price_of(self.model)

    @property
    def configured(self) -> bool:
        """Whether a fix can be asked for."""
        return not self.reason

    @property
    def reason(self) -> str:
        """What is missing, in a sentence with the next step; empty where nothing is."""
        if not self.model:
            return (
                "No language model is configured. Set MLE_MODERNIZER_MODEL (and, for any endpoint "
                "but OpenAI's, MLE_MODERNIZER_BASE_URL) in the environment "
                "that the Jupyter server or the command starts in."
            )
        if self.api_key is None and self.host == OPENAI_HOST:
            return (
                f"There is no key for {self.host}. Set MLE_MODERNIZER_API_KEY or OPENAI_API_KEY "
                "in the environment that the Jupyter server or the command starts in."
            )
        return ""

    @property
    def host(self) -> str:
        """The endpoint's host name, for messages."""
        return urlsplit(self.base_url).hostname or ""


def _numbers(env: Mapping[str, str], name: str, count: int) -> list[float]:
    """The positive numbers an environment variable lists; none where it is not set."""
    text = env.get(name, "").strip()
    try:
        numbers = [float(part) for part in text.split(",")] if text else []
    except ValueError:
        numbers = [-1.0]
    lowest = 1e-3 if count == 1 else 0  # a time must pass, a token may be free
    if numbers and (len(numbers) != count or not all(lowest <= n < 86_400 for n in numbers)):
        raise BadSetting(
            f"{name} must be {'a number' if count == 1 else f'{count} numbers with commas between'}"
            f", not {text[:40]!r}."
        )
    return numbers


def _chosen_price(
    model: str, costs: list[float], file: Path | None, env: Mapping[str, str]
) -> Price | None:
    """The person's own price: that of the one variable, else that of the person's list."""
    named = env.get("MLE_MODERNIZER_PRICES", "").strip()
    file = file or (Path(named).expanduser() if named else None)
    listed = {} if file is None else read_prices(file)
    if costs:
        return Price(input=costs[0], cached_input=costs[1], output=costs[2])
    return price_of(model, listed)


def _switch(env: Mapping[str, str], name: str) -> bool:
    text = env.get(name, "").strip()
    if text not in ("", "0", "1"):
        raise BadSetting(f"{name} must be 1 or 0, not {text[:40]!r}.")
    return text == "1"


def _read_key(file: Path) -> str:
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadSetting(
            f"The key file {file} cannot be read ({type(error).__name__}). Check its path, and "
            "that the Jupyter server may read it."
        ) from error
    if not lines or not lines[0].strip():
        raise BadSetting(f"The key file {file} is empty. Put the key on its first line.")
    return lines[0]
