"""What the kernel runs on: asked from the kernel, before the first cell."""

from __future__ import annotations

import ast
import re

from pydantic import ValidationError

from mle_modernizer_server.domain.cell_source import is_python, parsed
from mle_modernizer_server.domain.execution import Environment
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.execution.kernel import SandboxKernel

ALWAYS = ("numpy", "pandas", "sklearn", "scipy", "matplotlib", "keras")
"""Told whether imported or not: what other packages do depends on them."""

_IMPORT = re.compile(r"^\s*(?:import|from)\s+([A-Za-z_]\w*)", re.MULTILINE)
_LIMIT = 20.0
_LARGEST = 200

QUESTION = """
import json, sys, importlib.metadata as metadata
wanted = None if names is None else set(names)
packages = {}
for distribution in metadata.distributions():
    modules = set((distribution.read_text("top_level.txt") or "").split())
    if not modules:
        files = [file.parts for file in distribution.files or () if file.suffix == ".py"]
        modules = {parts[0].partition(".")[0] for parts in files}
    for name in modules if wanted is None else modules & wanted:
        packages.setdefault(name, distribution.version)
answer = json.dumps({"python": "%d.%d.%d" % sys.version_info[:3], "packages": packages})
"""
"""Run in the sandbox's Python: `answer` tells of the packages in `names`, of all for None."""
# metadata.packages_distributions() does the same, but before Python 3.11 only for distributions
# with a top_level.txt, which most no longer have.


def imported_names(notebook: Notebook) -> tuple[str, ...]:
    """Top-level names of the modules a notebook imports, sorted."""
    names: set[str] = set()
    for cell in notebook.code_cells():
        tree = parsed(cell.source)
        if tree is not None:
            names.update(_imports(tree))
        elif is_python(cell.source):
            names.update(_IMPORT.findall(cell.source))
    return tuple(sorted(names))


def _imports(tree: ast.Module) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.partition(".")[0])
    return found


async def ask_environment(kernel: SandboxKernel, notebook: Notebook) -> Environment:
    """Python's version and those of the packages the notebook imports.

    A kernel that gives no answer has an environment without packages and Python "unknown".
    """
    names = sorted({*imported_names(notebook), *ALWAYS})[:_LARGEST]
    answer = await kernel.ask_json(QUESTION, {"names": names}, limit=_LIMIT)
    try:
        return Environment.model_validate(answer)
    except ValidationError:
        return Environment(python="unknown", packages={})
