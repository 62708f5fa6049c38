"""Whether a table holds the text None."""

from __future__ import annotations

import pytest

from mle_modernizer_server.domain.text import holds_none


@pytest.mark.parametrize(
    "table", [b"a,b\nNone,1\n", b"a\nNone", b'a;b\n1;"None"\n', b"a\tb\r\n1\tNone\r\n"]
)
def test_cell_none_is_found(table: bytes) -> None:
    assert holds_none(table)


@pytest.mark.parametrize("table", [b"a,b\nNonesuch,1\n", b"a\nnone\n", b"a\nNone of it\n", b""])
def test_other_cells_are_not_taken_for_none(table: bytes) -> None:
    assert not holds_none(table)
