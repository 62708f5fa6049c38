"""What an error says of a path."""

from __future__ import annotations

import pytest

from mle_modernizer_server.domain.diagnosis import missing_path
from mle_modernizer_server.domain.execution import CellError


@pytest.mark.parametrize(
    ("evalue", "path"),
    [
        ("[Errno 2] No such file or directory: 'train.csv'", "train.csv"),
        ("File train.csv does not exist", "train.csv"),
        ("[Errno 2] No such file or directory: '[{\"a\": 1}]'", None),
        ('File [{"a": 1}] does not exist', None),
        ("[Errno 2] No such file or directory: '<html>'", None),
    ],
)
def test_missing_path_is_no_text_of_data(evalue: str, path: str | None) -> None:
    error = CellError(
        cell_id="a", index=0, ename="FileNotFoundError", evalue=evalue, traceback=(), raised=True
    )
    assert missing_path(error) == path
