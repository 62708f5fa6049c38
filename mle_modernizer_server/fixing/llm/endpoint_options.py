"""Options that an endpoint has refused, remembered so that each is tried only once."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

import openai

_OPTIONS = (
    "stream_options",
    "temperature",
    "max_completion_tokens",
    "max_tokens",
    "max_output_tokens",
    "store",
    "stream",
)
_NO_SUCH_ROUTE = frozenset({404, 405, 501})


@dataclass
class Accepted:
    """Options an endpoint has refused so far, and whether it knows the Responses API.

    Attributes:
        refused: Names of options that are no longer sent.
        responses: False once the endpoint has reported that there is no such route.
    """

    refused: set[str] = field(default_factory=set)
    responses: bool = True

    def of(self, wanted: Mapping[str, object]) -> dict[str, object]:
        """Return those options that are set (not None) and that the endpoint has not refused."""
        return {
            name: value
            for name, value in wanted.items()
            if value is not None and name not in self.refused
        }

    def learn(self, error: openai.APIStatusError, sent: Collection[str], *, chat: bool) -> bool:
        """Return whether to repeat the request in another form, which is used from now on.

        Args:
            error: The endpoint's error.
            sent: The options that were sent.
            chat: It was a request for chat completions.
        """
        if not chat and error.status_code in _NO_SUCH_ROUTE:
            self.responses = False
            return True
        if error.status_code not in (400, 422):
            return False
        said = f"{error.message} {error.body}".lower()
        for option in _OPTIONS:
            named = error.param == option or re.search(rf"(?<![a-z_]){option}(?![a-z_])", said)
            if option in sent and option not in self.refused and named:
                self.refused.add(option)
                return True
        return False
