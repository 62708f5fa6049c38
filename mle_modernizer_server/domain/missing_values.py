"""The texts that pandas reads as missing values, and detection of the newer one in a table."""

from __future__ import annotations

import re

BEFORE_PANDAS_2 = (
    *("", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN"),
    *("<NA>", "N/A", "NA", "NULL", "NaN", "n/a", "nan", "null"),
)
"""Texts that read_csv read as missing values until None was added.

https://pandas.pydata.org/docs/whatsnew/v2.0.0.html
"""
_CELL = re.compile(rb'(?:^|[,;\t|\n])"?None"?(?=[,;\t|\r\n]|\Z)')


def holds_none(table: bytes) -> bool:
    """Return whether a table with separators, or a part of it, has the text None as a cell."""
    return _CELL.search(table) is not None
