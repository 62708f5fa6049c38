"""Which cells are on the way to the submission: those whose names its writing depends on."""

from __future__ import annotations

import ast
import re

from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.fixing.cell_syntax import parse_what_can_be_read
from mle_modernizer_server.fixing.integrity.flow.scope import root_name, root_names

_WRITES = re.compile(r"\.to_csv\s*\(|csv\.writer|savetxt\s*\(|submi(?:ssion|t)\w*\.csv", re.I)


def way_to_submission(notebook: Notebook) -> frozenset[str]:
    """Ids of the cells that what is submitted depends on, by the names they bind and change.

    Empty where no cell writes anything that looks like a submission.
    """
    cells = [(cell.id, cell.source) for cell in notebook.code_cells()]
    found: set[str] = set()
    needed: set[str] = set()
    for cell_id, source in reversed(cells):
        tree = parse_what_can_be_read(source)
        changed = _changed(tree)
        if _WRITES.search(source) or changed & needed:
            found.add(cell_id)
            needed |= _used(tree)
    return frozenset(found)


def _used(tree: ast.Module) -> set[str]:
    return {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    }


def _changed(tree: ast.Module) -> set[str]:
    """Names that a cell binds, or whose value it changes in place."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, ast.alias):
            found.add(node.asname or node.name.partition(".")[0])
        elif isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)):
            if isinstance(node.ctx, ast.Store):
                found.add(root_name(node))
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            func = node.value.func  # model.fit(X, y), df.drop(…, inplace=True)
            if isinstance(func, ast.Attribute) and func.attr not in ("head", "show", "plot"):
                found.add(root_name(func))
    for node in ast.walk(tree):
        # for df in [train, test]: df["a"] = …
        if isinstance(node, ast.For) and isinstance(node.target, ast.Name):
            inner = {
                root_name(one)
                for stmt in node.body
                for one in ast.walk(stmt)
                if isinstance(one, (ast.Attribute, ast.Subscript))
                and isinstance(one.ctx, ast.Store)
            }
            if node.target.id in inner:
                found |= root_names(node.iter)
    return found - {""}
