"""Facts about functions and methods, by name, from `calls.yaml`.

Names are the last parts of dotted names (`to_csv` of `table.to_csv`), modules have all parts.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def table(module: str) -> dict[str, Any]:
    """Return the YAML table next to a module.

    Args:
        module: `__file__` of the module; the table has the same name.
    """
    read: dict[str, Any] = yaml.load(
        Path(module).with_suffix(".yaml").read_text("utf-8"), Loader=_LOADER
    )
    return read


_FACTS: dict[str, dict[str, str]] = table(__file__)


def facts(group: str, name: str) -> frozenset[str]:
    """Return the names of a list in the table.

    Args:
        group: First key, e.g. `files`.
        name: Second key, e.g. `writers`.

    Raises:
        KeyError: The table has no such list.
    """
    return frozenset(_FACTS[group][name].split())


UNPACKING = facts("files", "unpacking")
"""pandas' readers that unpack a file by its suffix."""
TABLE_READERS = UNPACKING | facts("files", "tables")
READERS = TABLE_READERS | facts("files", "readers")
"""Functions whose first argument is a path that they read."""
LOADERS = facts("files", "loaders")
"""Functions that read a path if they belong to `LOADING_MODULES`."""
LOADING_MODULES = facts("files", "loading_modules")
OPENERS = facts("files", "openers")
LISTERS = facts("files", "listers")
"""Functions that go through the files of the folder that is their first argument."""
NAME_LISTERS = facts("files", "name_listers")
"""Functions and methods that return the names of a folder's files."""
WRITERS = facts("files", "writers")
"""Functions and methods whose first argument is a path that they write."""
CSV_WRITERS = facts("files", "csv_writers")
UNPACKERS = facts("files", "unpackers")
"""Methods that write files of any name into a folder."""
MAKERS = facts("files", "makers")
"""Functions and methods that make a folder."""
HIDDEN = facts("files", "hidden")
"""Functions with effects that the code does not show."""
PATH_PARAMETERS = facts("files", "parameters")
ASKERS = facts("downloads", "askers")
"""Functions that request a web address."""


def _of_modules(names: frozenset[str]) -> dict[str, frozenset[str] | None]:
    found: dict[str, frozenset[str] | None] = {}
    for name in names:
        module, _, last = name.rpartition(".")
        found[last] = frozenset({module}) if module else None
    return found


WRITERS_OF_SECOND = _of_modules(facts("files", "second"))
"""Functions that write the path in their second argument, with the modules they must belong to;
None for any module."""

BUILTINS = facts("effects", "builtins")
"""Functions of Python and IPython without side effects."""
MODULES = facts("effects", "modules")
"""Modules whose functions are classified; side effects of other modules are unknown."""
CHANGING_FUNCTIONS = facts("effects", "changing") | WRITERS
"""Functions of these modules that have side effects, write files or draw random numbers."""
CHANGES_ARGUMENTS = facts("effects", "changes_arguments")
"""Functions of modules that change an argument."""
UNSURE = facts("effects", "unsure")
"""Functions that may change anything."""
LIBRARIES = facts("effects", "libraries")
"""Modules whose functions leave their arguments unchanged, except those of other lists."""
SHARING = facts("effects", "sharing")
"""Functions whose result is one of their arguments, or contains it."""
VIEWS = facts("effects", "views")
"""Methods whose result is a part of their receiver."""
VALUES = facts("effects", "values")
"""Attributes whose value nothing changes."""
CONTAINER_CHANGES = facts("effects", "containers")
"""Methods that change a list, a set or a dict."""
FILLS = facts("effects", "fills")
"""Methods that add items to a list, a set or a dict."""
OS = facts("effects", "os")
"""Functions of `os` that only read."""
BUILDING = facts("effects", "building")
"""Functions that return a new object without shared parts."""
METHODS = facts("effects", "methods")
"""Methods of any object without side effects, except those of the notebook's own classes."""
MAGICS = facts("effects", "magics")
"""Line magics that change nothing a result depends on."""

RANDOM = facts("random", "modules")
"""Modules whose functions draw from a generator that the whole notebook shares."""
GENERATORS = facts("random", "generators")
SEEDED_FUNCTIONS = facts("random", "seeded")
"""Functions that repeat their result only with a seed."""
SEEDS = facts("random", "seeds")
"""Parameters that take a seed."""

FITTERS = facts("models", "fitters")
RESETTING = facts("models", "resetting")
"""Methods that fit an estimator of scikit-learn's kind anew, whatever its state."""
PREDICTORS = facts("models", "predictors")
TRANSFORMERS = facts("models", "transformers")
SCORED_ON_FOLDS = facts("models", "scored_on_folds")
UNSEEDED = facts("models", "unseeded")
"""Estimators that draw no random numbers."""

CLEANING = facts("tables", "cleaning")
ENCODING = facts("tables", "encoding")
FEATURES = facts("tables", "features")
NO_ROWS = facts("tables", "no_rows")
CHOOSERS = facts("tables", "choosers")
SAME_COLUMNS = facts("tables", "same_columns")
STATISTICS = facts("tables", "statistics")
SCALING = facts("tables", "scaling")
EARLIER = facts("tables", "earlier")
GROUPS = facts("tables", "groups")

DISPLAY_METHODS = facts("display", "methods")
LOOKS = METHODS | SEEDED_FUNCTIONS | facts("display", "looks")
"""Methods that change nothing of their receiver but its display."""
DISPLAY_BEGINNINGS = tuple(sorted(facts("display", "beginnings")))

ARRAY_READERS = facts("flow", "array_readers")
PREPARING_FITTERS = facts("flow", "preparing_fitters")
"""Methods that fit and return prepared rows."""
DRAWING = facts("flow", "drawing")
