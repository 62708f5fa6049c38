"""The real Docker engine for the tests, with the small Kaggle-like image."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest

from mle_modernizer_server.execution.sandboxes.choose import docker
from mle_modernizer_server.execution.sandboxes.docker.sandbox import Docker
from mle_modernizer_server.words import text

IMAGE = "mle-modernizer/kaggle-python:2025-11"
"""What `make image` builds."""
REQUIRED = "MLE_MODERNIZER_REQUIRE_ENGINE"
"""Set by `make unit` where the machine can run an engine: its absence is a failure then."""


@contextmanager
def docker_with(**settings: Any) -> Iterator[Docker]:
    """The Docker sandbox of this process with the small image and these settings, for a while.

    Where there is no engine or no image, the test is skipped, or fails where it must run.
    """
    sandbox = docker()
    before = sandbox.settings
    sandbox.configure(replace(before, image=IMAGE, pool=0, **settings))
    try:
        availability = sandbox.availability()
        if not (availability.ok and availability.at_hand):
            reason = f"the tests with containers did not run: {text(availability.reason)}"
            if os.environ.get(REQUIRED):
                pytest.fail(f"{reason} ({REQUIRED} is set, so they must)")
            pytest.skip(f"{reason}; `make engine image` sees to it where it can")
        yield sandbox
    finally:
        sandbox.configure(before)


def containers_of(sandbox: Docker, label: str) -> list[str]:
    """Names of all containers, also ended ones, with a label or `label=value`."""
    found = sandbox.engine.api.containers(all=True, filters={"label": label})
    return [name for container in found for name in container["Names"]]
