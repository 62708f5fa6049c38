from __future__ import annotations

import pytest


@pytest.fixture(params=["bubblewrap"])
def closed(run_isolated):
    return run_isolated
