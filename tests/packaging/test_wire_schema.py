"""The schema of the wire, as it is kept in the repository."""

from __future__ import annotations

from mle_modernizer_server.web.schema import SCHEMA_FILE, wire_schema


def test_the_kept_schema_is_the_one_the_types_make() -> None:
    kept = SCHEMA_FILE.read_text("utf-8")
    assert kept == wire_schema(), "run: python -m mle_modernizer_server.web.schema"
