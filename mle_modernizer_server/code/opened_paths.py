"""Paths in code that something may open.

In doubt a text is one. It is none if all that happens to it is a call of a library that opens
nothing, a comparison or a look-up: `token_pattern=r"\\S+"`, `column == "/kg"`.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable

from mle_modernizer_server.code.expressions import called_name, full_name
from mle_modernizer_server.code.ipython import parsed
from mle_modernizer_server.code.named_paths import find_named

_OPENING = re.compile(
    r"open|read|load|scan|path|file|folder|dir|walk|glob|imag|copy|move|link|connect|from_"
    r"|run|system|exec|eval|call|spawn|import|join|data|zip|tar|getattr|map|apply|partial|submit",
    re.IGNORECASE,
)
"""Parts of the names of functions that open a path, or hand it on to another function."""
_OPENING_MODULES = frozenset({"os", "shutil", "subprocess", "pathlib", "io", "builtins"})
_OF_PATHS = re.compile(r"path|file|folder|dir|root|home|buf|name|src|dst|url|^(?:io|fp|f)$")
"""Parts of the names of parameters that take a path."""


def opened_paths(sources: Iterable[str]) -> frozenset[str]:
    """Return the paths in code that something may open.

    Args:
        sources: Of code cells.
    """
    cells = list(sources)
    texts = _Texts([tree for source in cells if (tree := parsed(source)) is not None])
    return frozenset(find_named(cells).paths) - texts.unopened()


class _Texts:
    """The texts of some code, with their uses."""

    def __init__(self, trees: list[ast.Module]) -> None:
        self._above: dict[ast.AST, ast.AST] = {}
        self._uses: defaultdict[str, list[ast.Name]] = defaultdict(list)
        self._own: set[str] = set()
        """Names that the code binds itself."""
        self._texts: defaultdict[str, list[ast.Constant]] = defaultdict(list)
        for node in (node for tree in trees for node in ast.walk(tree)):
            self._above.update(dict.fromkeys(ast.iter_child_nodes(node), node))
            if isinstance(node, ast.Name):
                if isinstance(node.ctx, ast.Load):
                    self._uses[node.id].append(node)
                else:
                    self._own.add(node.id)
            elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                self._own.add(node.name)
            elif isinstance(node, ast.arg):
                self._own.add(node.arg)
            elif isinstance(node, ast.alias) and node.asname:
                self._own.add(node.asname)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                self._texts[node.value.strip()].append(node)

    def unopened(self) -> set[str]:
        """Return the texts that no code opens, in any of their places."""
        return {
            text for text, nodes in self._texts.items() if not any(map(self._may_be_opened, nodes))
        }

    def _may_be_opened(self, node: ast.expr) -> bool:
        above = self._above.get(node)
        if isinstance(above, ast.keyword):
            call = self._above[above]
            if isinstance(call, ast.Call) and not self._opens(call):
                return False
            own = isinstance(call, ast.Call) and self._is_own(call)
            return own or above.arg is None or _OF_PATHS.search(above.arg) is not None
        if isinstance(above, ast.Call) and node is not above.func:
            return self._opens(above)
        if isinstance(above, ast.Assign) and isinstance(node, ast.Constant):
            names = [target.id for target in above.targets if isinstance(target, ast.Name)]
            whole = len(names) == len(above.targets)
            uses = [use for name in names for use in self._uses[name]]
            return not whole or any(map(self._may_be_opened, uses))
        looked_up = isinstance(above, ast.Subscript) and node is above.slice
        return not (looked_up or isinstance(above, (ast.Compare, ast.Expr)))

    def _opens(self, call: ast.Call) -> bool:
        """Return whether a call may open its arguments."""
        name = called_name(call)
        module = full_name(call.func).partition(".")[0] in _OPENING_MODULES
        return not name or module or self._is_own(call) or _OPENING.search(name) is not None

    def _is_own(self, call: ast.Call) -> bool:
        """Return whether a function of the code itself is called, or one by another name."""
        return isinstance(call.func, ast.Name) and call.func.id in self._own
