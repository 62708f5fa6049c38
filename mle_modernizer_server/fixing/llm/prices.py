"""Price lists: ours, and the user's, which has priority.

Prices change and endpoints have their own, so each has a date and a source. The price of a model in
no list is unknown, never guessed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.errors import BadSetting, first_problem
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.domain.model_calls import Price
from mle_modernizer_server.untrusted.files import FileTooLarge, read_regular
from mle_modernizer_server.untrusted.parsing import UnreadableText, read_yaml

_SNAPSHOT = re.compile(r"-\d{4}-\d{2}-\d{2}\Z")
_LARGEST = 1_000_000
"""Bytes of a price list; ours has a thousand."""


class _Listed(Value):
    """A model's line in a price list."""

    model: str = Field(min_length=1, max_length=200)
    input: float = Field(ge=0, allow_inf_nan=False)
    cached_input: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    """None: cached tokens cost as much as others."""
    output: float = Field(ge=0, allow_inf_nan=False)
    as_of: date | None = None
    source: str | None = Field(default=None, max_length=500)


class _PriceList(Value):
    """A price list as its file holds it; a line's own date and source come first."""

    as_of: date
    currency: Literal["USD"]
    source: str = Field(max_length=500)
    models: tuple[_Listed, ...] = Field(min_length=1)


def read_prices(file: Path) -> dict[str, Price]:
    """Return the prices of a YAML file, by model.

    Raises:
        BadSetting: It cannot be read, or is no price list; the sentence names the entry.
    """
    try:
        listed = _PriceList.model_validate(read_yaml(read_regular(file, _LARGEST)))
    except FileTooLarge as error:
        raise BadSetting(coded("prices.too-large", file=str(file))) from error
    except OSError as error:
        raise BadSetting(
            coded("prices.not-readable", file=str(file), name=type(error).__name__)
        ) from error
    except ValidationError as error:
        where, why = first_problem(error)
        raise BadSetting(
            coded("prices.wrong", file=str(file), where=where or "the file", first=why)
        ) from error
    except UnreadableText as error:
        why = f"line {error.line}: {error}"
        raise BadSetting(coded("prices.no-yaml", file=str(file), error=why)) from error
    prices: dict[str, Price] = {}
    for line in listed.models:
        if line.model in prices:
            raise BadSetting(coded("prices.twice", file=str(file), model=repr(line.model)))
        prices[line.model] = Price(
            input=line.input,
            cached_input=line.input if line.cached_input is None else line.cached_input,
            output=line.output,
            as_of=line.as_of or listed.as_of,
            source=line.source or listed.source,
        )
    return prices


LIST_PRICES: dict[str, Price] = read_prices(Path(__file__).with_name("prices.yaml"))
"""Ours."""


def price_of(model: str, prices: Mapping[str, Price] = LIST_PRICES) -> Price | None:
    """Return the price of a model (`gpt-5.2`, or a dated snapshot of it), or None if unlisted."""
    return prices.get(model) or prices.get(_SNAPSHOT.sub("", model))
