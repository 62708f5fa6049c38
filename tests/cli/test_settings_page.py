"""The documentation's page of settings."""

from __future__ import annotations

import runpy
from pathlib import Path

from mle_modernizer_server.domain.settings import SessionSettings

SCRIPT = Path(__file__).parents[2] / "scripts" / "settings_page.py"


def test_settings_page_has_a_row_for_each_setting() -> None:
    lines = runpy.run_path(str(SCRIPT))["page"]().splitlines()
    for name in SessionSettings.model_fields:
        assert sum(f"| `{name}` |" in line for line in lines) == 1, name
    assert not any("{default}" in line for line in lines)
