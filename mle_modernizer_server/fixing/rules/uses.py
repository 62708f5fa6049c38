"""Names, imported libraries and arguments of calls in a notebook's code."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import lru_cache

from mle_modernizer_server.code.cell_syntax import parse_cell
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.fixing.rules.rule import CallFix, Rule

_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
_LANGUAGE = frozenset({"python", "IPython"})
"""Languages, which no notebook imports."""
# Libraries that are imported together with another one.
_TOGETHER = {
    "keras": ("tensorflow", "tf_keras"),
    "tensorflow": ("keras",),
    "joblib": ("sklearn",),
    "matplotlib": ("pylab", "seaborn", "mpl_toolkits"),
    "numpy": ("pandas", "pylab"),
    "scipy": ("sklearn",),
}


class Uses:
    """The names that the code of a notebook uses; comments are no code.

    Attributes:
        names: Names, attributes, arguments, and the words of short texts.
    """

    def __init__(self, notebook: Notebook) -> None:
        self.names: set[str] = set()
        self._roots: set[str] = set()
        self._calls: dict[str, list[set[str]]] = {}
        self._by_place: dict[str, int] = {}
        self._unread: set[str] = set()
        self._settings: set[tuple[str, str]] = set()
        for cell in notebook.run_cells():
            tree = _tree(cell.source)
            if tree is None:  # for example Python 2
                words = _IDENTIFIER.findall(cell.source)
                self.names.update(words)
                self._roots.update(words)
                self._unread.update(words)
                continue
            for node in ast.walk(tree):
                self._take(node)
                self._settings.update(_setting(node))
        self._roots |= {one for one, others in _TOGETHER.items() if self._roots & set(others)}

    def may_use(self, library: str) -> bool:
        """Return whether a library is imported, directly or with another one."""
        return library in self._roots or library in _LANGUAGE

    def gives_all(self, rule: Rule) -> bool:
        """Return whether a rule is about defaults only, and every call has these arguments."""
        fixes = [fix for fix in rule.fixes if isinstance(fix, CallFix)]
        if not fixes or len(fixes) < len(rule.fixes):
            return False
        if not all(fix.add and not (fix.rename or fix.remove or fix.values) for fix in fixes):
            return False
        wanted = [
            (function.rpartition(".")[2], set(fix.add))
            for fix in fixes
            for function in fix.functions
        ]
        calls = [added <= given for name, added in wanted for given in self._calls.get(name, ())]
        return bool(calls) and all(calls)

    def sets(self, rule: Rule) -> bool:
        """Return whether a text names a removed argument as pipelines do: `ridge__normalize`."""
        return any(
            (address.rpartition(".")[2].lower(), argument) in self._settings
            for fix in rule.fixes
            if isinstance(fix, CallFix)
            for address in fix.functions
            for argument in (*fix.rename, *fix.remove)
        )

    def gives_none(self, rule: Rule) -> bool:
        """Return whether a rule is about arguments only, and no call has one of these."""
        if self.sets(rule):
            return False
        fixes = [fix for fix in rule.fixes if isinstance(fix, CallFix)]
        return (
            bool(fixes)
            and len(fixes) == len(rule.fixes)
            and not any(self._is_concerned(fix) for fix in fixes)
        )

    def _is_concerned(self, fix: CallFix) -> bool:
        about = {*fix.rename, *fix.remove, *fix.remove_values, *fix.values, *fix.wrap}
        if fix.add or fix.inside or not (about or fix.keyword_after is not None):
            return True  # the arguments of the calls do not show whether these fixes apply
        names = {address.rpartition(".")[2] for address in (*fix.functions, *fix.methods)}
        if names & self._unread and about & self._unread:
            return True
        places = [at for at, name in enumerate(fix.parameters) if name in about]
        if fix.keyword_after is not None:
            places.append(fix.keyword_after)
        return any(
            given & {*about, ""} or (places and self._by_place.get(name, 0) > min(places))
            for name in names
            for given in self._calls.get(name, ())
        )

    def _take(self, node: ast.AST) -> None:
        if isinstance(node, ast.Import):
            self._modules([alias.name for alias in node.names])
        elif isinstance(node, ast.ImportFrom):
            self._modules([node.module or ""])
            self.names.update(alias.name for alias in node.names)
        else:
            self.names.update(_words(node))
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
            name = node.func.id if isinstance(node.func, ast.Name) else name
            given = {keyword.arg or "" for keyword in node.keywords}
            self._calls.setdefault(name, []).append(given)
            starred = any(isinstance(one, ast.Starred) for one in node.args)
            count = 99 if starred else len(node.args)
            self._by_place[name] = max(self._by_place.get(name, 0), count)

    def _modules(self, modules: list[str]) -> None:
        self._roots.update(module.partition(".")[0] for module in modules)
        self.names.update(part for module in modules for part in module.split("."))


def _setting(node: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield the step (in lower case) and parameter of a pipeline if a text is the name of one."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        *_, step, parameter = ("", "", *node.value[:200].split("__"))
        yield step.lower(), parameter


def _words(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.Attribute):
        yield node.attr
    elif isinstance(node, ast.keyword) and node.arg:
        yield node.arg
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield from _IDENTIFIER.findall(node.value[:200])


@lru_cache(maxsize=512)
def _tree(source: str) -> ast.Module | None:
    try:
        return parse_cell(source)
    except SyntaxError:
        return None
