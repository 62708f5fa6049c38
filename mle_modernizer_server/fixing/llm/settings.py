"""Which endpoint, which model, which key: known to the server only."""

from __future__ import annotations

import os
from collections.abc import Mapping
from enum import Enum
from pathlib import Path
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, field_validator

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.errors import BadSetting
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.domain.model_calls import Price
from mle_modernizer_server.fixing.llm.prices import price_of, read_prices
from mle_modernizer_server.untrusted.files import expanded, read_regular

OPENAI_BASE_URL = "https://api.openai.com/v1"
OPENAI_HOST = "api.openai.com"
LONGEST_CELL = 16_000
"""Characters up to which a prompt shows a code cell whole, if there is room."""
LONGEST_TEXT = 100
"""Characters of a text cell in a prompt: its heading and how it begins. No repair needs more."""
LONGEST_DESCRIPTION = 1_000
"""Characters of a competition's description: metric, columns and files are included separately."""
_LARGEST_KEY = 100_000
"""Bytes of a file with a key."""
_AZURE_HOSTS = (
    ".openai.azure.com",
    ".openai.azure.us",
    ".cognitiveservices.azure.com",
    ".services.ai.azure.com",
)


class Api(str, Enum):
    """Which of OpenAI's two interfaces to speak."""

    AUTO = "auto"
    """Responses with OpenAI itself, chat completions with all others."""
    CHAT = "chat"
    RESPONSES = "responses"


class LlmSettings(Value):
    """An OpenAI-compatible endpoint and how patient to be with it.

    The key is a `SecretStr`: it shows up in no `repr`, log or JSON, and goes to `base_url` only.
    """

    base_url: str = OPENAI_BASE_URL
    """Root of the API, usually ending in `/v1`."""
    model: str = ""
    api_key: SecretStr | None = None
    """None for endpoints that want none, such as a model server on this machine."""
    api: Api = Api.AUTO
    api_version: str = ""
    """Of Azure OpenAI's deployments (`2024-10-21`); empty for its v1 address and for all others."""
    max_retries: int = Field(default=3, ge=0, le=10)
    """How often an unusable reply is sent back with the reason."""
    connection_retries: int = Field(default=5, ge=0, le=20)
    """How often a request is repeated, with backoff, after 429, 5xx or if nobody answers."""
    connect_timeout: float = Field(default=10.0, gt=0, le=3_600)
    """Seconds until a connection must be established."""
    timeout: float = Field(default=600.0, gt=0, le=86_400)
    """Seconds the endpoint may stay silent: before its first word and between two words."""
    reply_timeout: float = Field(default=7_200.0, gt=0)
    """Seconds a whole reply may take beyond `timeout`."""
    temperature: float | None = Field(default=None, ge=0, le=2)
    """None leaves it to the model; reasoning models refuse any other value."""
    max_output_tokens: int | None = Field(default=None, ge=256)
    max_prompt_chars: int = Field(default=160_000, ge=20_000)
    """Upper bound of a prompt; longer notebooks are truncated (4 characters ≈ 1 token)."""
    price: Price | None = None
    """Comes before the list of prices."""
    send_scores: bool = False
    """Whether the prompt has the reproduced score, and not only its relation to the target."""

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
        """Return settings from the server's configuration, else from environment variables.

        Read are `MLE_MODERNIZER_BASE_URL`, `MLE_MODERNIZER_MODEL` and `MLE_MODERNIZER_API_KEY`,
        then `OPENAI_BASE_URL` and `OPENAI_API_KEY`, then `AZURE_OPENAI_ENDPOINT` and
        `AZURE_OPENAI_API_KEY` with `OPENAI_API_VERSION`; `MLE_MODERNIZER_API` (`auto`, `chat`,
        `responses`), `MLE_MODERNIZER_TIMEOUT` and `MLE_MODERNIZER_CONNECT_TIMEOUT` (seconds),
        `MLE_MODERNIZER_RETRIES`, `MLE_MODERNIZER_MAX_PROMPT` (characters), `MLE_MODERNIZER_PRICE`
        (`input,cached,output`, USD per million tokens), `MLE_MODERNIZER_PRICES` (a price list) and
        `MLE_MODERNIZER_SEND_SCORES` (`1` or `0`). OpenAI's and Azure's variables are pairs: their
        key goes to their endpoint (or to OpenAI), never to an endpoint that was named in another
        way.

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
        azure_address = env.get("AZURE_OPENAI_ENDPOINT")
        if azure_address and not (env.get("OPENAI_BASE_URL") or env.get("OPENAI_API_KEY")):
            openai_address = azure_address
        address = base_url or env.get("MLE_MODERNIZER_BASE_URL") or openai_address
        key = env.get("MLE_MODERNIZER_API_KEY")
        if api_key_file is not None:
            key = _read_key(api_key_file)
        elif not key and azure_address and _same_host(address, azure_address):
            key = env.get("AZURE_OPENAI_API_KEY")
        elif not key and (address == openai_address or urlsplit(address).hostname == OPENAI_HOST):
            key = env.get("OPENAI_API_KEY")
        is_azure = _is_azure(address) or address == azure_address
        costs = _numbers(env, "MLE_MODERNIZER_PRICE", 3)
        name = (model or env.get("MLE_MODERNIZER_MODEL") or "").strip()
        try:
            return cls(
                base_url=address,
                model=name,
                api_key=SecretStr(key.strip()) if key and key.strip() else None,
                api=_api(env),
                api_version=(env.get("OPENAI_API_VERSION") or "").strip() if is_azure else "",
                send_scores=_switch(env, "MLE_MODERNIZER_SEND_SCORES"),
                timeout=_number(env, "MLE_MODERNIZER_TIMEOUT", 600.0),
                connect_timeout=_number(env, "MLE_MODERNIZER_CONNECT_TIMEOUT", 10.0, highest=3_600),
                connection_retries=int(
                    _number(env, "MLE_MODERNIZER_RETRIES", 5, lowest=0, highest=20)
                ),
                max_prompt_chars=int(
                    _number(
                        env,
                        "MLE_MODERNIZER_MAX_PROMPT",
                        160_000,
                        lowest=20_000,
                        highest=10_000_000,
                    )
                ),
                price=_chosen_price(name, costs, prices_file, env),
            )
        except ValueError as error:
            raise BadSetting(coded("llm.address")) from error

    @property
    def known_price(self) -> Price | None:
        """Return the price of the model: the settings' price, else the list's; None if unknown."""
        return self.price or price_of(self.model)

    @property
    def configured(self) -> bool:
        """Return whether a fix can be requested."""
        return not self.reason

    @property
    def reason(self) -> str:
        """Return the missing setting, in a sentence with the next step; empty if there is none."""
        if not self.model:
            return (
                "No language model is configured. Set MLE_MODERNIZER_MODEL (and, for any endpoint "
                "but OpenAI's, MLE_MODERNIZER_BASE_URL) in the environment "
                "that the Jupyter server or the command starts in."
            )
        if self.api_key is None and (self.azure or self.host == OPENAI_HOST):
            pair = "AZURE_OPENAI_API_KEY" if self.azure else "OPENAI_API_KEY"
            return (
                f"There is no key for {self.host}. Set MLE_MODERNIZER_API_KEY or {pair} "
                "in the environment that the Jupyter server or the command starts in."
            )
        return ""

    @property
    def host(self) -> str:
        """Return the endpoint's host name, for messages."""
        return urlsplit(self.base_url).hostname or ""

    @property
    def azure(self) -> bool:
        """Return whether the endpoint is Azure OpenAI."""
        return bool(self.api_version) or _is_azure(self.base_url)

    @property
    def azure_deployments(self) -> bool:
        """Return whether Azure is addressed by deployment and API version, not by v1."""
        return bool(self.api_version) and self._bare

    @property
    def address(self) -> str:
        """Return the root of the API; a bare Azure address gets its v1 path.

        https://learn.microsoft.com/azure/ai-foundry/openai/api-version-lifecycle
        """
        if _is_azure(self.base_url) and self._bare:
            return self.base_url.rstrip("/") + "/openai/v1"
        return self.base_url

    @property
    def api_used(self) -> Api:
        """Return the API: chat completions or Responses."""
        if self.api is not Api.AUTO:
            return self.api
        return Api.RESPONSES if self.host == OPENAI_HOST else Api.CHAT

    @property
    def _bare(self) -> bool:
        return urlsplit(self.base_url).path in ("", "/")


def _is_azure(address: str) -> bool:
    return (urlsplit(address).hostname or "").endswith(_AZURE_HOSTS)


def _same_host(one: str, other: str) -> bool:
    return urlsplit(one).netloc == urlsplit(other).netloc


def _api(env: Mapping[str, str]) -> Api:
    text = env.get("MLE_MODERNIZER_API", "").strip().lower()
    try:
        return Api(text or "auto")
    except ValueError:
        raise BadSetting(coded("llm.api", text=repr(text[:40]))) from None


def _number(
    env: Mapping[str, str],
    name: str,
    default: float,
    *,
    lowest: float = 1e-3,
    highest: float = 86_400,
) -> float:
    """Return the number an environment variable holds."""
    numbers = _numbers(env, name, 1, lowest=lowest, highest=highest)
    return numbers[0] if numbers else default


def _numbers(
    env: Mapping[str, str], name: str, count: int, *, lowest: float = 0, highest: float = 86_400
) -> list[float]:
    """Return the numbers an environment variable lists; none if it is not set."""
    text = env.get(name, "").strip()
    try:
        numbers = [float(part) for part in text.split(",")] if text else []
    except ValueError:
        numbers = [-1.0]
    if numbers and (len(numbers) != count or not all(lowest <= n <= highest for n in numbers)):
        wanted = (
            f"a number from {lowest:g} to {highest:,g}"
            if count == 1
            else f"{count} numbers with commas between"
        )
        raise BadSetting(coded("llm.setting", name=name, wanted=wanted, text=repr(text[:40])))
    return numbers


def _chosen_price(
    model: str, costs: list[float], file: Path | None, env: Mapping[str, str]
) -> Price | None:
    """Return the user's own price: that of the one variable, else that of the user's list."""
    named = env.get("MLE_MODERNIZER_PRICES", "").strip()
    file = file or (expanded(Path(named)) if named else None)
    listed = {} if file is None else read_prices(file)
    if costs:
        return Price(input=costs[0], cached_input=costs[1], output=costs[2])
    return price_of(model, listed)


def _switch(env: Mapping[str, str], name: str) -> bool:
    text = env.get(name, "").strip()
    if text not in ("", "0", "1"):
        raise BadSetting(coded("llm.switch", name=name, text=repr(text[:40])))
    return text == "1"


def _read_key(file: Path) -> str:
    try:
        lines = read_regular(file, _LARGEST_KEY).decode("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadSetting(
            coded("llm.key-unreadable", file=str(file), name=type(error).__name__)
        ) from error
    if not lines or not lines[0].strip():
        raise BadSetting(coded("llm.key-empty", file=str(file)))
    return lines[0]
