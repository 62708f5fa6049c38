"""Tables of the codemods: names, pairs and code for notebooks, as data next to their rules.

A YAML file of `libraries/` has them under `tables`, by a name that its library has once.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from pydantic import TypeAdapter

from mle_modernizer_server.fixing.rules import libraries
from mle_modernizer_server.fixing.rules.compiled import contents

Kind = TypeVar("Kind")


def rule_files() -> Sequence[dict[str, Any]]:
    """Return the contents of the YAML files of `libraries/`, in the order of their paths."""
    folder = Path(libraries.__path__[0])
    return contents(sorted(folder.glob("*/*.yaml")), folder / "__pycache__")


def table(library: str, name: str, kind: type[Kind]) -> Kind:
    """Return a table of a library.

    Args:
        library: Name of its folder.
        name: Its key under `tables`.
        kind: Type of the table, such as `dict[str, str]`.

    Raises:
        KeyError: There is no such table.
        ValidationError: It is of another type.
    """
    return TypeAdapter(kind).validate_python(_tables()[library, name])


@cache
def _tables() -> dict[tuple[str, str], Any]:
    return {
        (content["library"], name): found
        for content in rule_files()
        for name, found in content.get("tables", {}).items()
    }
