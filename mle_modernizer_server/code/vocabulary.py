"""Names, imported packages and arguments of calls in a notebook's code; comments are no code."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from mle_modernizer_server.code.cell_syntax import shared_cell
from mle_modernizer_server.domain.notebook import Notebook

_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
_LONGEST_TEXT = 200


class Vocabulary:
    """The names that the code of a notebook uses.

    Attributes:
        names: Names, attributes, arguments, and the words of short texts.
        packages: Packages that it imports.
        unread: Words of the cells that cannot be parsed, as those of Python 2.
        settings: Step (in lower case) and parameter in texts such as `ridge__normalize`.
    """

    def __init__(self, notebook: Notebook) -> None:
        """Read a notebook.

        Args:
            notebook: The sources.
        """
        self.names: set[str] = set()
        self.packages: set[str] = set()
        self.unread: set[str] = set()
        self.settings: set[tuple[str, str]] = set()
        self._keywords: dict[str, list[set[str]]] = {}
        self._places: dict[str, int] = {}
        for cell in notebook.run_cells():
            tree = shared_cell(cell.source)
            if tree is None:
                self.unread.update(_IDENTIFIER.findall(cell.source))
                continue
            for node in ast.walk(tree):
                self._take(node)
        self.names |= self.unread
        self.packages |= self.unread

    def keywords(self, function: str) -> list[set[str]]:
        """Return the keywords of each call of a function or method; empty text for `**more`."""
        return self._keywords.get(function, [])

    def places(self, function: str) -> int:
        """Return the most arguments that a call passes by position; 99 for `*more`."""
        return self._places.get(function, 0)

    def _take(self, node: ast.AST) -> None:
        if isinstance(node, ast.Import):
            self._modules([alias.name for alias in node.names])
        elif isinstance(node, ast.ImportFrom):
            self._modules([node.module or ""])
            self.names.update(alias.name for alias in node.names)
        else:
            self.names.update(_words(node))
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            *_, step, parameter = ("", "", *node.value[:_LONGEST_TEXT].split("__"))
            self.settings.add((step.lower(), parameter))
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
            name = node.func.id if isinstance(node.func, ast.Name) else name
            given = {keyword.arg or "" for keyword in node.keywords}
            self._keywords.setdefault(name, []).append(given)
            starred = any(isinstance(one, ast.Starred) for one in node.args)
            count = 99 if starred else len(node.args)
            self._places[name] = max(self._places.get(name, 0), count)

    def _modules(self, modules: list[str]) -> None:
        self.packages.update(module.partition(".")[0] for module in modules)
        self.names.update(part for module in modules for part in module.split("."))


def _words(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.Attribute):
        yield node.attr
    elif isinstance(node, ast.keyword) and node.arg:
        yield node.arg
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield from _IDENTIFIER.findall(node.value[:_LONGEST_TEXT])
