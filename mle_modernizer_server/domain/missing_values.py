"""The texts that pandas reads as missing values, and how a table is found to hold a newer one."""

from __future__ import annotations

import re

BEFORE_PANDAS_2 = (
    *("", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN"),
    *("<NA>", "N/A", "NA", "NULL", "NaN", "n/a", "nan", "null"),
)
"""What read_csv took for a missing value until None was added.

https://pandas.pydata.org/docs/whatsnew/v2.0.0.html
"""
_CELL = re.compile(rb'(?:^|[,;\t|\n])"?None"?(?=[,;\t|\r\n]|\Z)')


def holds_none(table: bytes) -> bool:
    """Return whether a table with separators, or a part of it, holds the text None as a cell."""
    return _CELL.search(table) is not None
