"""Which distribution an import name comes from: `distributions.yaml`, loaded once."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

import yaml
from packaging.utils import canonicalize_name


@dataclass(frozen=True)
class Distributions:
    """The tables.

    Attributes:
        names: Distribution by import name; "" if the name must not be looked up on the index.
        needs: Further requirements of a distribution, absent from its metadata.
        uses: Distributions by the name of the function that imports them.
        magics: Import name by magic.
        lighter: Distribution that has the same module and needs less.
        same_modules: Distributions of which each has the same modules as the others of its group.
        bounds: Version specifier by distribution.
        goes_with: By distribution, the versions of others that its newest release still runs with,
            absent from its metadata.
        once_standard: Modules that were part of Python and are not any more.
    """

    names: dict[str, str]
    needs: dict[str, tuple[str, ...]]
    uses: dict[str, tuple[str, ...]]
    magics: dict[str, str]
    lighter: dict[str, str]
    same_modules: tuple[frozenset[str], ...]
    bounds: dict[str, str]
    goes_with: dict[str, tuple[str, ...]]
    once_standard: frozenset[str]


@cache
def distributions() -> Distributions:
    """Return the tables of `distributions.yaml`.

    Raises:
        ValueError: An import name is in two tables with two distributions.
    """
    text = (resources.files(__package__) / "distributions.yaml").read_text(encoding="utf-8")
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # libyaml's takes a tenth of the time
    content: dict[str, Any] = yaml.load(text, loader)
    names: dict[str, str] = {name: canonicalize_name(name) for name in content["same"].split()}
    for name, distribution in content["renamed"].items():
        if names.get(name, canonicalize_name(distribution)) != canonicalize_name(distribution):
            raise ValueError(f"two distributions for the import name {name}")
        names[name] = canonicalize_name(distribution)
    return Distributions(
        names=names,
        needs=_lists(content["needs"]),
        uses=_lists(content["uses"]),
        magics=content["magics"],
        lighter=content["lighter"],
        same_modules=tuple(frozenset(group.split()) for group in content["same_modules"]),
        bounds=content["bounds"],
        goes_with={name: tuple(given) for name, given in content["goes_with"].items()},
        once_standard=frozenset(content["once_standard"].split()),
    )


def _lists(table: dict[str, list[str]]) -> dict[str, tuple[str, ...]]:
    return {key: tuple(canonicalize_name(name) for name in names) for key, names in table.items()}


def distribution_of(name: str) -> str | None:
    """Return the distribution of a top-level import name, or None if no table has it."""
    return distributions().names.get(name) or None


def same_modules(name: str) -> frozenset[str]:
    """Return the distributions with the modules of a distribution, under any of their names.

    Args:
        name: Normalized name of a distribution.
    """
    alike = (group for group in distributions().same_modules if name in group)
    return next(alike, frozenset({name}))


def is_standard(name: str) -> bool:
    """Return whether an import name is, or once was, part of Python."""
    return name in sys.stdlib_module_names or name in distributions().once_standard
