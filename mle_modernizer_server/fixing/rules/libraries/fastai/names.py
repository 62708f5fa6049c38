"""Names of fastai 1 and 2, and the notebooks that were written for fastai 1."""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import dotted_name
from mle_modernizer_server.fixing.rules.engine.context import Context, NewImport
from mle_modernizer_server.fixing.rules.tables import table

OLDER = table("fastai", "older-modules", frozenset[str])
"""Modules of fastai 0.7, which is another library."""
LATER = ("fastai.vision.all", "fastai.text.all", "fastai.tabular.all", "fastai.collab.all")
_OTHERS = frozenset({"keras", "tensorflow", "pytorch_lightning"})
"""Libraries whose models have methods of the same names."""


def modules(context: Context) -> set[str]:
    """Return the addresses that the notebook imports, with the modules above them."""
    return {name for cell in context.program.first.cells for name in cell.imported}


def is_first(context: Context) -> bool:
    """Return whether the notebook was written for fastai 1."""
    names = modules(context)
    return "fastai" in names and not (names & OLDER or names & set(LATER))


def is_alone(context: Context) -> bool:
    """Return whether no other library has models with methods of the same names."""
    return not {name.partition(".")[0] for name in modules(context)} & _OTHERS


def name_of(context: Context, node: cst.BaseExpression) -> str:
    """Return the name that an expression has in fastai; empty for anything else."""
    for address in context.qualnames(node):
        if address.startswith("fastai."):
            return address.rpartition(".")[2]
    return ""


def named(
    context: Context, node: cst.CSTNode, name: str, application: str = "vision"
) -> tuple[str, tuple[NewImport, ...]]:
    """Return the code for a name of fastai 2 at a node, and the import it needs."""
    places = (f"fastai.{application}", LATER_OF[application])
    if any(star in places for star in context.program.stars):
        return name, ()
    module = next((known for place in places if (known := context.known_as(node, place))), None)
    if module is not None:
        return f"{module}.{name}", ()
    return context.imported(node, LATER_OF[application], name, name)


LATER_OF = {
    "vision": "fastai.vision.all",
    "text": "fastai.text.all",
    "tabular": "fastai.tabular.all",
    "collab": "fastai.collab",
}
"""Module of fastai 2 with all names, by application."""


def module_of(node: cst.ImportFrom) -> str:
    """Return the module that an import takes names from."""
    return "" if node.relative else dotted_name(node.module)
