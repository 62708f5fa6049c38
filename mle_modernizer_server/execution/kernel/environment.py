"""Ask the kernel for its environment, before the first cell."""

from __future__ import annotations

import inspect
import re

from pydantic import ValidationError

from mle_modernizer_server import pools
from mle_modernizer_server.code.contents import imports
from mle_modernizer_server.code.ipython import is_python
from mle_modernizer_server.domain.execution import Environment
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.execution.kernel.inside import packages as inside
from mle_modernizer_server.execution.kernel.kernel import SandboxKernel

ALWAYS = ("IPython", "numpy", "pandas", "sklearn", "scipy", "matplotlib", "keras", "tf_keras")
"""Reported even if not imported: magics are IPython's, and the others affect imported libraries."""

_IMPORT = re.compile(r"^[ \t]*(?:import|from)\s+([A-Za-z_]\w*)", re.MULTILINE)
_QUESTION = (
    inspect.getsource(inside) + "\nimport json\nanswer = json.dumps(describe_packages(names))\n"
)
QUESTION_FOR_ALL = (
    inspect.getsource(inside) + "\nimport json\nprint(json.dumps(describe_packages(None)))\n"
)
"""A script that prints the answer for all packages."""
_LIMIT = 20.0
_LARGEST = 200


def imported_names(notebook: Notebook) -> tuple[str, ...]:
    """Return the top-level names of the modules a notebook imports, sorted."""
    names: set[str] = set()
    for cell in notebook.code_cells():
        found = imports(cell.source)
        if found is not None:
            names.update(one.root for one in found)
        elif is_python(cell.source):
            names.update(_IMPORT.findall(cell.source))
    return tuple(sorted(names))


async def ask_environment(kernel: SandboxKernel, notebook: Notebook) -> Environment:
    """Return Python's version and those of the packages the notebook imports.

    A kernel that does not answer has an environment without packages and Python "unknown".
    """
    imported = await pools.code.run(imported_names, notebook)
    names = sorted({*imported, *ALWAYS})[:_LARGEST]
    answer = await kernel.ask_json(_QUESTION, {"names": names}, limit=_LIMIT)
    try:
        return Environment.model_validate(answer)
    except ValidationError:
        return Environment(python="unknown", packages={})
