"""Rules of the user's own, configured for the server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mle_modernizer_server.fixing.rules.knowledge import all_rules, use_rules
from tests.fixing.rules.test_user_rules import RULE
from tests.web.conftest import Fetch
from tests.web.test_before_run import ahead


@pytest.fixture
def jp_server_config(data_root: Path, database: Path, tmp_path: Path) -> Iterator[dict[str, Any]]:
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "scores.yaml").write_text(RULE)
    (tmp_path / "rules" / "bad.yaml").write_text("library: [")
    yield {
        "ServerApp": {"jpserver_extensions": {"mle_modernizer_server": True}},
        "ModernizerExtension": {
            "data_root": str(data_root),
            "database": str(database),
            "rules_path": str(tmp_path / "rules"),
        },
    }
    use_rules(None)


async def test_server_loads_own_rules_and_names_an_unusable_file(api: Fetch) -> None:
    status, found, _ = await ahead(api, "import scores\nscores.rmse([1])")
    assert status == 200
    assert any("bad.yaml" in str(note["text"]) for note in found["notes"])
    assert "scores-rmse" in {rule.id for rule in all_rules()}
