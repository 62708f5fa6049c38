from __future__ import annotations

from pathlib import Path

import pytest

from mle_modernizer_server.environments.store import KeptEnvironments
from tests.environments.wheels import Wheels


@pytest.fixture
def wheels(tmp_path: Path) -> Wheels:
    """An index of its own, with a kernel that is only a name."""
    return Wheels(tmp_path / "index")


@pytest.fixture
def kept(tmp_path: Path) -> KeptEnvironments:
    return KeptEnvironments(tmp_path / "environments")
