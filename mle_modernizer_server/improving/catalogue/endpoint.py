"""The optional search on the web: a SearXNG instance, or Tavily.

The endpoint receives a query that a person has seen, and no part of notebook or data. The response
is data: titles, addresses and excerpts, shortened and without control characters; nothing is
fetched from the addresses, and redirects are not followed.
"""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from enum import Enum
from http.client import HTTPException
from pathlib import Path
from typing import IO, Any
from urllib.error import URLError
from urllib.parse import urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.errors import BadSetting, ModernizerError
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.resources.body import read_body
from mle_modernizer_server.untrusted.files import read_regular
from mle_modernizer_server.untrusted.parsing import read_json

_SECONDS = 20.0
_MOST_BYTES = 2_000_000
_MOST_RESULTS = 10
_LONGEST_QUERY = 400
_LONGEST = {"title": 200, "url": 500, "content": 1_500}
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069]+")


class SearchFailed(ModernizerError):
    """The search endpoint returned no readable answer."""

    code = "search_failed"
    status = 502


class SearchKind(str, Enum):
    """Protocol of an endpoint."""

    SEARXNG = "searxng"
    TAVILY = "tavily"


class Found(Value):
    """A search result: text by strangers, never an instruction."""

    title: str
    url: str
    content: str


@dataclass(frozen=True)
class SearchEndpoint:
    """The endpoint for searches.

    Attributes:
        kind: Its protocol.
        address: Its base address.
        key: The bearer key; empty if none is needed.
    """

    kind: SearchKind
    address: str
    key: str = ""

    @property
    def host(self) -> str:
        """Return the host that receives the query."""
        return urlsplit(self.address).hostname or ""

    def search(self, query: str) -> list[Found]:
        """Return the endpoint's results, at most ten.

        Raises:
            SearchFailed: It cannot be reached, or its response is no list of results.
        """
        request = self._request(query[:_LONGEST_QUERY])
        try:
            with build_opener(_NoRedirection).open(request, timeout=_SECONDS) as answer:
                content = read_body(answer, _MOST_BYTES, _SECONDS)
            document: Any = read_json(content)
            results = document["results"]
            return [_found(one) for one in results[:_MOST_RESULTS]]
        except (
            *(URLError, HTTPException, OSError, ValueError),
            *(KeyError, TypeError, AttributeError),
        ) as error:
            said = _plain(str(error), 200) or type(error).__name__
            raise SearchFailed(
                coded("catalogue.search-failed", host=self.host, error=said)
            ) from error

    def _request(self, query: str) -> Request:
        base = self.address.rstrip("/")
        if self.kind is SearchKind.SEARXNG:
            return Request(f"{base}/search?{urlencode({'q': query, 'format': 'json'})}")
        body = json.dumps({"query": query, "max_results": _MOST_RESULTS}).encode()
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {self.key}"}
        return Request(f"{base}/search", data=body, headers=headers)


def configured_endpoint() -> SearchEndpoint | None:
    """Return the endpoint of `MLE_MODERNIZER_SEARCH`, as `searxng:ADDRESS` or `tavily:ADDRESS`.

    Its key is read from the file that `MLE_MODERNIZER_SEARCH_KEY_FILE` names.

    Raises:
        BadSetting: It is none of these, or the file cannot be read.
    """
    given = os.environ.get("MLE_MODERNIZER_SEARCH", "").strip()
    if not given:
        return None
    kind, _, address = given.partition(":")
    known = {one.value: one for one in SearchKind}
    if kind not in known or urlsplit(address).scheme not in ("http", "https"):
        raise BadSetting(coded("catalogue.search-setting", given=repr(given[:100])))
    file = os.environ.get("MLE_MODERNIZER_SEARCH_KEY_FILE", "")
    try:
        key = read_regular(Path(file), _MOST_BYTES).decode("utf-8").strip() if file else ""
    except (OSError, UnicodeDecodeError) as error:
        raise BadSetting(coded("catalogue.search-key", file=file)) from error
    return SearchEndpoint(known[kind], address, key)


class _NoRedirection(HTTPRedirectHandler):
    """A redirect would send the key, and the query, to another host."""

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: object, newurl: str
    ) -> None:
        return None


def _found(one: dict[str, object]) -> Found:
    texts = {name: _plain(str(one.get(name) or ""), most) for name, most in _LONGEST.items()}
    return Found(**texts)


def _plain(text: str, most: int) -> str:
    return _CONTROL.sub(" ", text)[:most].strip()
