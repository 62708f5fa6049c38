"""How much is tried: little in `make test`, all of it in `make test-all`."""

from __future__ import annotations

import os

THOROUGH = bool(os.environ.get("THOROUGH"))
"""Whether this is `make test-all`."""


def tries(few: int, many: int) -> int:
    """How many generated examples a test tries: few, or many in `make test-all`."""
    return many if THOROUGH else few
