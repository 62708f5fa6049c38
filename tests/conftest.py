"""Plugins of the whole run: pytest takes them from the topmost conftest only."""

from __future__ import annotations

import gc
import os

import pytest
from hypothesis import HealthCheck, settings

# Nothing is downloaded for a notebook that imports what is not here; the tests of that allow it.
os.environ["MLE_MODERNIZER_MAKE_ENVIRONMENTS"] = "no"
# Neither does a search leave anything for the next one.
os.environ["MLE_MODERNIZER_MEMORY"] = "no"

pytest_plugins = ("pytest_jupyter.jupyter_server",)

# How long an example takes says how busy the machine is, not whether the product is right.
settings.register_profile("any-speed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any-speed")


_LONGEST_NAME = 100
"""Characters of a parameter that name its test."""


def pytest_make_parametrize_id(val: object) -> str | None:
    """Name a test after the beginning of what is long.

    A name of megabytes goes to and from every worker, into the cache and into the environment of
    each process that is started.
    """
    if isinstance(val, (str, bytes)) and len(val) > _LONGEST_NAME:
        return f"{val[:_LONGEST_NAME]!a}... of {len(val)}"
    return None


def pytest_collection_finish(session: pytest.Session) -> None:
    """Spare the garbage collector what lives as long as the tests: it walks it all each time."""
    gc.collect()
    gc.freeze()
