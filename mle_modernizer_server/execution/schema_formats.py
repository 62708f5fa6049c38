"""Parts that are not loaded of the library that checks a notebook's form."""

from __future__ import annotations

import sys
from typing import cast

_FORMATS = (
    "fqdn",
    "isoduration",
    "rfc3986_validator",
    "rfc3987_syntax",
    "uri_template",
    "webcolors",
)


def leave_out_grammar() -> None:
    """Keep jsonschema from loading its checks of addresses, durations and colours.

    One of them compiles a grammar, which takes a second, the others take a tenth of it. They would
    check strings that a schema calls URIs and the like; that of notebooks has none.
    """
    modules: dict[str, object] = cast(dict[str, object], sys.modules)
    for name in _FORMATS:
        modules.setdefault(name, None)
