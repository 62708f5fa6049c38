"""What is left out of the library that checks a notebook's form."""

from __future__ import annotations

import sys
from typing import cast


def leave_out_grammar() -> None:
    """Keep jsonschema from compiling a grammar of addresses, which takes a second.

    It would check strings that a schema calls URIs; that of notebooks has none.
    """
    modules: dict[str, object] = cast(dict[str, object], sys.modules)
    modules.setdefault("rfc3987_syntax", None)
