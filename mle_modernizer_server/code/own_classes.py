"""Classes of the notebook's own: which methods their objects may have."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable, Iterable, Sequence

import libcst as cst

from mle_modernizer_server.code.calls import LIBRARIES
from mle_modernizer_server.code.cell_code import CellCode
from mle_modernizer_server.code.tree import descendants


class OwnClasses:
    """The classes of a notebook.

    Args:
        cells: Its code.
        qualnames: Address of an expression.
    """

    def __init__(
        self, cells: Sequence[CellCode], qualnames: Callable[[cst.CSTNode], tuple[str, ...]]
    ) -> None:
        self._members: dict[str, set[str]] = {}
        self._inherits: dict[str, bool] = {}
        self._open = False
        found = [node for cell in cells for node in cell.nodes(cst.ClassDef)]
        own = {node.name.value for node in found}
        for node in found:
            members = self._members.setdefault(node.name.value, set())
            members.update(defined(node))
            for base in node.bases:
                if isinstance(base.value, cst.Name) and base.value.value in own:
                    continue
                address = next(iter(qualnames(base.value)), "")
                library, _, last = address.partition(".")
                if library == "builtins":
                    members.update(dir(getattr(builtins, last, object)))
                elif library in LIBRARIES:  # the rules know its methods
                    self._inherits[node.name.value] = True
                elif library not in sys.stdlib_module_names:
                    self._open = True
        self._any = frozenset().union(*self._members.values())

    def may_have(self, name: str) -> bool:
        """Return whether an object of one of the classes may have its own method of that name."""
        return self._open or name in self._any

    def inherits(self, owner: str, name: str) -> bool:
        """Return whether objects of a class may have a library's method of that name."""
        return name not in self._any and any(self._inherits.values()) and owner in self._members


def defined(owner: cst.ClassDef) -> Iterable[str]:
    """Return the names that a class defines for its objects: methods, attributes, those of
    `self`.
    """
    for node in descendants(owner.body):
        if isinstance(node, (cst.FunctionDef, cst.ClassDef)):
            yield node.name.value
        elif isinstance(node, (cst.AssignTarget, cst.AnnAssign)):
            target = node.target
            if isinstance(target, cst.Name):
                yield target.value
            elif isinstance(target, cst.Attribute):
                yield target.attr.value
