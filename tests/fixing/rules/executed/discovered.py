"""All executed cases: those of every module `on_*` in this folder."""

from __future__ import annotations

import importlib
import pkgutil

from tests.fixing.rules import executed
from tests.fixing.rules.executed.case import Case


def _all(name: str) -> list[Case]:
    modules = [
        importlib.import_module(f"{executed.__name__}.{found.name}")
        for found in pkgutil.iter_modules(executed.__path__)
        if found.name.startswith("on_")
    ]
    return [case for module in modules for case in getattr(module, name)]


LOUD = _all("LOUD")
SILENT = _all("SILENT")
EVERY = [*LOUD, *SILENT]
