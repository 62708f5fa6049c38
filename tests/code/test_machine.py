"""Cells whose output is another one on each machine."""

from __future__ import annotations

import pytest

from mle_modernizer_server.code.machine import shows_machine


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("%load_ext watermark\n%watermark -d -v -p numpy  # versions", True),
        ("# the data\nfrom google.colab import drive\ndrive.mount('/content/drive')", True),
        ("!pip list\n!ls ./data", True),
        ("%watermark -d\nprint(score)", False),
        ("df.head()", False),
        ("files = !ls", False),
        (f"{' ' * 1_000_000}x", False),
    ],
    ids=["versions", "storage", "shell", "and a score", "a table", "a value", "blanks"],
)
def test_cell_that_shows_the_machine_alone(source: str, shown: bool) -> None:
    assert shows_machine(source) is shown
