"""All executed cases: those of every module `cases*` below `libraries`."""

from __future__ import annotations

import importlib
import pkgutil

from tests.fixing.rules import libraries
from tests.fixing.rules.executed.case import Case


def _all(name: str) -> list[Case]:
    modules = [
        importlib.import_module(found.name)
        for found in pkgutil.walk_packages(libraries.__path__, f"{libraries.__name__}.")
        if found.name.rpartition(".")[2].startswith("cases")
    ]
    return [case for module in modules for case in getattr(module, name)]


LOUD = _all("LOUD")
SILENT = _all("SILENT")
EVERY = [*LOUD, *SILENT]
