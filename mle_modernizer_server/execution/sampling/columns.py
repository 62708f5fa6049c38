"""Roles of a table's columns: identifiers, categories, or plain values."""

from __future__ import annotations

import re
from collections import Counter

from mle_modernizer_server.execution.sampling.survey import Survey

FEW = 50
"""If a column has up to so many different values, every one of them is kept."""
_ID_NAME = re.compile(
    r"(^|[^a-z])(id|ids|key|code|nbr|no|number|uuid|guid|file|filename|file_?name|image|image_?name"
    r"|img|path|name|ticker|symbol)($|[^a-z])|id$|_id|^id",
    re.IGNORECASE,
)
_CAMEL_ID = re.compile(r"[a-z](Id|ID|Key|Code|Nbr)$")
_TIME_NAME = re.compile(r"date|time|day|week|month|year|period", re.IGNORECASE)
_NUMBER = re.compile(rb"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|nan|na|null|inf", re.IGNORECASE)


def names_things(name: str) -> bool:
    """Return whether a column's name indicates identifiers or dates."""
    return bool(_ID_NAME.search(name) or _CAMEL_ID.search(name) or _TIME_NAME.search(name))


def is_unique(found: Survey, name: str) -> bool:
    """Return whether no value of a column occurs twice in the stored rows."""
    return len(found.fields) > 1 and len(found.values(name)) == len(found.fields)


def is_key(found: Survey, name: str) -> bool:
    """Return whether rows of another table may be joined by a column."""
    values = found.values(name)
    if len(values) <= 1:
        return False
    if names_things(name):
        return True
    return is_unique(found, name) and not any(b"." in value for value in list(values)[:50])


def counts(found: Survey, name: str) -> Counter[bytes]:
    """Return the frequency of each value of a column in the stored rows."""
    at = found.column(name)
    return Counter(fields[at] for fields in found.fields.values())


def is_category(found: Survey, name: str) -> bool:
    """Return whether a column's values are likely to be encoded one by one."""
    counted = counts(found, name)
    if len(counted) <= FEW:
        return True
    if len(counted) > len(found.fields) // 2:
        return False
    text = any(value and not _NUMBER.fullmatch(value) for value in list(counted)[:200])
    return text or names_things(name)
