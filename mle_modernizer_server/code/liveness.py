"""Check whether the rest of a notebook would read names that a half-run cell has bound."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

from mle_modernizer_server.code.calls import RANDOM
from mle_modernizer_server.code.ipython import parsed
from mle_modernizer_server.code.names import names, names_of_function
from mle_modernizer_server.code.statements import blocks, head

_SEEDS = {f"{module}.seed": f"{module}.seed" for module in RANDOM}
_SEEDS["np.random.seed"] = "numpy.random.seed"
"""Names of the functions that seed a module's random numbers, by their usual names in code."""


def read_before_bound(names: Iterable[str], before: Iterable[str], rest: Iterable[str]) -> str:
    """Return the first name that the rest of a notebook reads before it binds it; "" for none.

    Args:
        names: The names a half-run cell has bound. A module's `seed` function represents
            its random numbers: the rest has to seed them before anything else.
        before: Sources of the cells that ran: their functions may read global names.
        rest: Sources of the cells that are still to run, in order.
    """
    left = set(names)
    for source in before:
        tree = parsed(source)
        for node in ast.walk(tree or ast.Module(body=[], type_ignores=[])):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
                read = left & names_of_function(node).read.keys()
                if read:
                    return min(read)
    for source in rest:
        tree = parsed(source)
        if tree is None:
            read = left & set(re.findall(r"\w+", source))
            found = min(read, default="")
        else:
            found = _read_first(tree.body, left)
        if found:
            return found
    # A name that is never read is harmless; random numbers that are not reseeded are not.
    return min(left & set(_SEEDS.values()), default="")


def _read_first(body: Iterable[ast.stmt], left: set[str]) -> str:
    """Return a name that statements read before they bind it, else ""; drop those they bind.

    In doubt a name is read: so are those in functions, which a statement may call.
    """
    for statement in body:
        inner = blocks(statement)
        clauses = (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ()))
        parts = (one for clause in clauses for one in ast.iter_child_nodes(clause))
        outside = [*head(statement), *(one for one in parts if not isinstance(one, ast.stmt))]
        own = names(outside if inner else [statement])
        read = {name: at for name, at in (own.read | own.deleted).items() if name in left}
        if read:
            return min(read, key=lambda name: read[name])
        left.difference_update(own.bound)
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            left.discard(_SEEDS.get(ast.unparse(statement.value.func), ""))
        if isinstance(statement, ast.If):
            otherwise = set(left)
            found = _read_first(statement.body, left) or _read_first(statement.orelse, otherwise)
            left |= otherwise
        else:
            found = _read_first(inner, left)
        if found:
            return found
    return ""
