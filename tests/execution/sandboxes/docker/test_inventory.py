"""What an image has, told without running a notebook."""

from __future__ import annotations

import pytest

from mle_modernizer_server.domain.errors import SandboxUnavailable
from mle_modernizer_server.execution.pip.installed import installed_packages
from mle_modernizer_server.execution.process_identity import this_process
from mle_modernizer_server.execution.sandboxes.docker.isolation import OWNER
from mle_modernizer_server.execution.sandboxes.docker.settings import Settings
from tests.engine import containers_of
from tests.refusals import refused


async def test_an_image_tells_its_packages_once_and_leaves_nothing(box):
    found = await installed_packages(box)
    assert found.python.startswith("3.11.")
    assert found.packages["sklearn"] == "1.2.2"
    assert found.packages["pandas"] == "2.2.3"
    assert await installed_packages(box) is found
    assert containers_of(box, f"{OWNER}={this_process()}") == []


async def test_an_image_without_python_is_said_to_tell_nothing(box, image_with):
    bare = box.like(Settings(image=image_with("bare", "FROM scratch\nLABEL a=b\n")))
    with pytest.raises(SandboxUnavailable):
        await installed_packages(bare)


async def test_missing_image_is_not_fetched_for_a_question(box):
    with refused(SandboxUnavailable, match="not on this machine"):
        await installed_packages(box.like(Settings(image="nobody/has-this:1")))
