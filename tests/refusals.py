"""What a refusal says, put into words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

import pytest

from mle_modernizer_server.domain.errors import ModernizerError
from mle_modernizer_server.words import text

Refusal = TypeVar("Refusal", bound=ModernizerError)


@contextmanager
def refused(kind: type[Refusal], match: str) -> Iterator[pytest.ExceptionInfo[Refusal]]:
    """Like `pytest.raises` with `match`, which is looked for in the refusal's words."""
    with pytest.raises(kind) as caught:
        yield caught
    said = text(caught.value.message)
    assert re.search(match, said), f"{match!r} is not in {said!r}"
