"""How much is tried: little in `make test`, all of it in `make test-all`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeVar

import pytest

T = TypeVar("T")

THOROUGH = bool(os.environ.get("THOROUGH"))
"""Whether this is `make test-all`."""

HERE = ("bubblewrap", pytest.param("process", marks=pytest.mark.thorough))
"""Sandboxes of this machine, for tests whose second one says little more than the first."""


def tries(few: int, many: int) -> int:
    """How many generated examples a test tries: few, or many in `make test-all`."""
    return many if THOROUGH else few


def some(items: Sequence[T], one_in: int) -> Sequence[T]:
    """One in so many of what a test goes through, always the same; all in `make test-all`."""
    return items if THOROUGH else items[::one_in]
