"""Signs in with the user's own token, and explains in one sentence why Kaggle does not answer.

Only the `kaggle` package reads, stores and sends the token. Importing that package signs in
at once, prints and makes its settings directory, so that it is imported here and only here,
when there is a request to Kaggle.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from typing import Any

from mle_modernizer_server.domain.errors import BadInput, ModernizerError, NotFound
from mle_modernizer_server.domain.message import Messages, coded

_PATIENCE = 90.0
"""Seconds without a byte from Kaggle before the request times out."""
_MOST_WORDS = 300
_LONGEST_WAIT = 7_200
"""Longest wait in seconds that a message repeats from Kaggle; longer ones are implausible."""


class KaggleFailed(ModernizerError):
    """Kaggle cannot be reached, is busy or sent a useless answer."""

    code = "kaggle_failed"
    status = 502


class KaggleBusy(KaggleFailed):
    """Kaggle asks for a later retry: too many requests, or its own failure."""

    code = "kaggle_busy"


@dataclass(frozen=True)
class Account:
    """A signed-in user.

    Attributes:
        api: The package's `KaggleApi`.
        client: The package's `KaggleClient`, whose calls carry the token.
    """

    api: Any
    client: Any


@contextmanager
def signed_in() -> Iterator[Account]:
    """Sign in with the token the package finds (environment, `kaggle.json`, `access_token`).

    Raises:
        BadInput: The package or a token is missing, or Kaggle does not take the token.
        KaggleFailed: Kaggle cannot be reached.
    """
    with _quiet(), answers("the sign-in"):
        api = _package()
        try:
            api.authenticate()
        except SystemExit as error:  # the package's way to report a missing token
            raise BadInput(_no_token()) from error
    with api.build_kaggle_client() as client:
        _be_impatient(client)
        yield Account(api, client)


@contextmanager
def answers(what: str, *, slug: str | None = None) -> Iterator[None]:
    """Translate the errors of a request to Kaggle.

    Args:
        what: The requested thing, for the message.
        slug: The competition it is about, whose rules may have to be accepted.

    Raises:
        BadInput: Kaggle refuses the token, the rules or the request.
        NotFound: There is no such thing.
        KaggleFailed: Kaggle cannot be reached, is busy, or its answer cannot be read.
    """
    from requests.exceptions import HTTPError, RequestException

    try:
        yield
    except HTTPError as error:
        raise _refusal(error, what, slug) from error
    except RequestException as error:
        raise KaggleFailed(
            coded("kaggle.unreachable", what=what, name=type(error).__name__)
        ) from error
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        # raised by the package if the answer is not Kaggle's
        raise KaggleFailed(
            coded("kaggle.unreadable", what=what, name=type(error).__name__)
        ) from error


def harmless_words(text: object) -> str:
    """Return Kaggle's text on one line, safe for a terminal; empty if there is none."""
    words = " ".join(text.split()) if isinstance(text, str) else ""
    return "".join(char for char in words if char.isprintable())[:_MOST_WORDS]


@contextmanager
def _quiet() -> Iterator[None]:
    """Suppress the package's output: hints for its own command line."""
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        yield


def _package() -> Any:
    try:
        from kaggle.api.kaggle_api_extended import KaggleApi
    except ImportError as error:
        raise BadInput(coded("kaggle.not-installed")) from error
    return KaggleApi()


def _no_token() -> Messages:
    given = os.environ.get("KAGGLE_API_TOKEN")
    return coded("kaggle.token-refused" if given else "kaggle.no-token")


def _be_impatient(client: Any) -> None:
    """Set a timeout for every request; the package sets none."""
    from requests import PreparedRequest, Response, Session
    from requests.adapters import HTTPAdapter

    class Impatient(HTTPAdapter):
        def send(self, request: PreparedRequest, *args: Any, **rest: Any) -> Response:
            return super().send(request, *args, **{**rest, "timeout": _PATIENCE})

    session = getattr(client.http_client(), "_session", None)
    if isinstance(session, Session):
        for scheme in ("https://", "http://"):
            session.mount(scheme, Impatient())


def _refusal(error: Any, what: str, slug: str | None) -> ModernizerError:
    response = error.response
    status = 0 if response is None else _status(response)
    if status == 401:
        return BadInput(coded("kaggle.token", what=what))
    if status == 403:
        if slug is not None:
            return BadInput(coded("kaggle.rules", what=what, slug=slug))
        return BadInput(coded("kaggle.no-access", what=what))
    if status == 404:
        return NotFound(coded("kaggle.unknown", what=what))
    if status == 429:
        later = response.headers.get("Retry-After", "")
        if later.isdecimal() and len(later) < 10 and int(later) <= _LONGEST_WAIT:
            return KaggleBusy(coded("kaggle.rate-limit-seconds", seconds=int(later)))
        return KaggleBusy(coded("kaggle.rate-limit"))
    if status >= 500:
        return KaggleBusy(coded("kaggle.trouble", status=status))
    words = _words(response)
    return BadInput(
        coded("kaggle.refuses", what=what, status=status, words=": " + words if words else ".")
    )


def _status(response: Any) -> int:
    """Return the status; Kaggle also sends errors as a `code` in the body of a 200."""
    body = _body(response)
    code = body.get("code")
    return code if isinstance(code, int) and code >= 400 else int(response.status_code)


def _words(response: Any) -> str:
    return harmless_words(_body(response).get("message"))


def _body(response: Any) -> dict[str, object]:
    if "application/json" not in response.headers.get("Content-Type", ""):
        return {}
    try:
        body = response.json()
    except ValueError:
        return {}  # an error page of a wrong type; the status is enough
    return body if isinstance(body, dict) else {}
