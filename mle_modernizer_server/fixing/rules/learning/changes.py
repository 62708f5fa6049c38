"""The calls, attributes and imports that a fix rewrote."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

import libcst as cst

from mle_modernizer_server.code.cell_code import CellCode
from mle_modernizer_server.code.program import Program
from mle_modernizer_server.code.tree import children, dotted_name
from mle_modernizer_server.code.types.inference import TypeInference


@dataclass(frozen=True)
class Callee:
    """A called or read object: a function by its address, or a method of a class.

    Attributes:
        address: Of a function, class or constant; empty for a method.
        method: Its name; empty for a function.
        of: Address of the object's class if it can be inferred.
    """

    address: str = ""
    method: str = ""
    of: str = ""

    @property
    def name(self) -> str:
        """Return its last part, as in the code and in an error's text."""
        return self.method or self.address.rpartition(".")[2]


@dataclass(frozen=True)
class Rewritten:
    """A place of a cell before and after the fix.

    Attributes:
        callee: The object that the old place calls or reads.
        old: The call, or an attribute or name that is not called.
        new: The expression in its place.
        before: The cell of the old place.
        after: The cell of the new one.
    """

    callee: Callee
    old: cst.Call | cst.Attribute | cst.Name
    new: cst.BaseExpression
    before: CellCode
    after: CellCode


class Changes:
    """The changes of a fix to a notebook's cells.

    Args:
        before: The notebook that failed.
        after: The notebook that ran.
    """

    def __init__(self, before: Program, after: Program) -> None:
        self.before = before
        self.after = after
        self._types = TypeInference(before)

    def of_cell(self, cell_id: str) -> list[Rewritten]:
        """Return the places that differ in one cell, if they are calls or attributes."""
        old = next((cell for cell in self.before.cells if cell.cell_id == cell_id), None)
        new = next((cell for cell in self.after.cells if cell.cell_id == cell_id), None)
        if old is None or new is None:
            return []
        found: list[Rewritten] = []
        _Walk(self, old, new, found).differ(old.module, new.module)
        return found

    def callee(self, node: cst.CSTNode) -> Callee | None:
        """Return the object that an old expression calls or reads; None if unknown."""
        func = node.func if isinstance(node, cst.Call) else node
        addresses = self.before.qualnames(func)
        if addresses and not addresses[0].startswith("builtins."):
            return Callee(address=addresses[0]) if "." in addresses[0] else None
        if addresses or not isinstance(func, cst.Attribute):
            return None
        inferred = self._types.of(func.value)
        return Callee(method=func.attr.value, of="" if inferred is None else inferred.name)


class _Walk:
    """Comparison of two trees, down to the smallest places that differ."""

    def __init__(
        self, changes: Changes, before: CellCode, after: CellCode, found: list[Rewritten]
    ) -> None:
        self._changes = changes
        self._before = before
        self._after = after
        self._found = found

    def differ(self, old: cst.CSTNode, new: cst.CSTNode) -> bool:
        """Collect the differing places below two nodes; return whether they explain everything."""
        if code(old) == code(new):
            return True
        if isinstance(old, (cst.ImportFrom, cst.Import)) and isinstance(
            new, (cst.ImportFrom, cst.Import)
        ):
            return False  # the uses of an import show the difference
        if isinstance(old, (cst.Module, cst.IndentedBlock)) and type(old) is type(new):
            assert isinstance(new, (cst.Module, cst.IndentedBlock))
            return self._statements(old.body, new.body)
        mark = len(self._found)
        if self._below(old, new):
            return True
        del self._found[mark:]
        if isinstance(old, (cst.Call, cst.Attribute, cst.Name)) and isinstance(
            new, cst.BaseExpression
        ):
            callee = self._changes.callee(old)
            if callee is not None:
                self._found.append(Rewritten(callee, old, new, self._before, self._after))
                return True
        return False

    def _below(self, old: cst.CSTNode, new: cst.CSTNode) -> bool:
        """Return whether the differences are in calls or attributes below these nodes."""
        if type(old) is not type(new):
            return False
        olds, news = tuple(children(old)), tuple(children(new))
        if not olds or len(olds) != len(news):
            return False
        if isinstance(old, cst.Call) and isinstance(new, cst.Call) and not _alike(old, new):
            return False
        if isinstance(old, cst.Arg) and isinstance(new, cst.Arg):
            return self.differ(old.value, new.value)
        if isinstance(old, cst.Attribute) and isinstance(new, cst.Attribute):
            return old.attr.value == new.attr.value and self.differ(old.value, new.value)
        return self._pairs(olds, news)

    def _statements(self, olds: Sequence[cst.CSTNode], news: Sequence[cst.CSTNode]) -> bool:
        """Compare two blocks: match unchanged statements, then those in the gaps."""
        matcher = SequenceMatcher(
            None, [code(one) for one in olds], [code(one) for one in news], autojunk=False
        )
        explained = True
        for kind, start, end, new_start, new_end in matcher.get_opcodes():
            if kind == "equal":
                continue
            pairs = tuple(
                _without_imports(one) for one in (olds[start:end], news[new_start:new_end])
            )
            if len(pairs[0]) != len(pairs[1]):
                explained = False
                continue
            explained = self._pairs(*pairs) and explained
        return explained

    def _pairs(self, olds: Sequence[cst.CSTNode], news: Sequence[cst.CSTNode]) -> bool:
        """Compare every pair, also after one that is not explained."""
        answers = [self.differ(*pair) for pair in zip(olds, news, strict=True)]
        return all(answers)


def _alike(old: cst.Call, new: cst.Call) -> bool:
    """Return whether two calls differ at most in the values of arguments, or before the dot."""
    if [keyword_of(arg) for arg in old.args] != [keyword_of(arg) for arg in new.args]:
        return False
    if isinstance(old.func, cst.Attribute) and isinstance(new.func, cst.Attribute):
        return old.func.attr.value == new.func.attr.value
    return code(old.func) == code(new.func)


def _without_imports(statements: Sequence[cst.CSTNode]) -> list[cst.CSTNode]:
    return [
        one
        for one in statements
        if not (
            isinstance(one, cst.SimpleStatementLine)
            and all(isinstance(part, (cst.Import, cst.ImportFrom)) for part in one.body)
        )
    ]


_EMPTY = cst.Module([])


def code(node: cst.CSTNode) -> str:
    """Return a node's code, without comments and blank lines around a statement."""
    if isinstance(node, cst.Module):
        return node.code
    if isinstance(node, (cst.SimpleStatementLine, cst.BaseCompoundStatement)):
        node = node.with_changes(leading_lines=())
    return _EMPTY.code_for_node(node).strip()


def keyword_of(arg: cst.Arg) -> str:
    """Return the keyword of an argument; empty for a positional one."""
    return dotted_name(arg.keyword) if arg.keyword is not None else ""
