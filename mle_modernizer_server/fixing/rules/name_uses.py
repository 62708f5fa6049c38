"""Names of installed packages that a notebook's code uses, for a question to its environment.

Only names that surely belong to a package are listed. Code that expects them to be absent (a `try`
with a handler, a condition that asks for the version or for the name) is left out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from mle_modernizer_server.code.cell_code import CellCode
from mle_modernizer_server.code.program import BUILTINS, Program
from mle_modernizer_server.code.time_limit import is_over
from mle_modernizer_server.code.tree import dotted_name
from mle_modernizer_server.code.types.inference import TypeInference
from mle_modernizer_server.domain.environment import (
    COLAB,
    NameKind,
    NameQuestion,
    NameUse,
    hosted_module,
)

_MOST_PARTS = 12
_LONGEST_LINE = 200
_EXPECTED = frozenset(
    {
        "ImportError",
        "ModuleNotFoundError",
        "AttributeError",
        "NameError",
        "TypeError",
        "Exception",
        "BaseException",
    }
)
"""Exceptions whose handler shows that a name may be absent."""
_ASKS_FIRST = re.compile(r"hasattr|version|\bsys\b|find_spec|\bin dir\(|PY2|PY3|try_import")
"""A condition that asks whether a name is there."""
_BINDS_ANYTHING = re.compile(r"%(run|load|pylab|store|macro)\b|%%(?!(time|timeit|capture|prun)\b)")
"""Magics that may bind names."""
_READS_NAMES = frozenset({"exec", "eval", "globals", "locals", "vars", "execfile", "get_ipython"})
_INTERACTIVE = frozenset(
    {"In", "Out", "display", "exit", "quit", "get_ipython", "_", "__", "___", "__name__"}
    | {"__file__", "__doc__", "__builtins__", "spark", "sc", "dbutils"}
)
"""Names that a notebook's kernel binds."""


@dataclass(frozen=True)
class FoundUse:
    """A use of a name, with its place in the code."""

    use: NameUse
    cell: CellCode
    node: cst.CSTNode

    def line(self) -> str:
        """Return the source line in which it begins."""
        number = self.cell.lines(self.node)[0]
        lines = self.cell.masked.text.splitlines()
        return lines[number - 1].strip()[:_LONGEST_LINE] if 0 < number <= len(lines) else ""


def name_uses(program: Program, types: TypeInference) -> tuple[FoundUse, ...]:
    """Return the names of packages that a program uses, each once a cell.

    Args:
        program: The notebook's code.
        types: Types of its expressions.
    """
    found: dict[tuple[str, str], FoundUse] = {}
    reader = _Reader(program, types)
    for cell in program.cells:
        if is_over():
            break
        for node in cell.places:
            for question in reader.questions(cell, node):
                if len(question.address.split(".")) > _MOST_PARTS:
                    continue
                key = (cell.cell_id, question.key)
                known = found.get(key)
                if known is not None and known.use.sure:
                    continue
                is_sure = reader.is_reached(cell, node)
                use = NameUse(question=question, cell_id=cell.cell_id, sure=is_sure)
                found[key] = FoundUse(use, cell, node)
    return tuple(found.values())


class _Reader:
    """Reads one program.

    Args:
        program: The notebook's code.
        types: Types of its expressions.
    """

    def __init__(self, program: Program, types: TypeInference) -> None:
        self._program = program
        self._types = types
        self._stars = tuple(star for star in program.stars if not star.startswith("."))
        self._with_stars = bool(self._stars) and self._binds_all_names_itself()
        self._has_pylab = any("pylab" in cell.source for cell in program.cells)
        self._names = Counter(node.value for cell in program.cells for node in cell.nodes(cst.Name))
        self._assigned = {
            address
            for cell in program.cells
            for node in cell.nodes(cst.Attribute)
            if _is_target(cell, node)
            for address in program.qualnames(node)
        }
        self._expected: dict[cst.CSTNode, bool] = {}

    def questions(self, cell: CellCode, node: cst.CSTNode) -> Iterator[NameQuestion]:
        """Yield the names that one node uses."""
        kind = type(node)
        if kind not in (cst.Import, cst.ImportFrom, cst.Attribute, cst.Call, cst.Name):
            return
        if kind is cst.Name and not self._with_stars:
            return
        questions = list(self._asked(cell, node))
        if questions and not self._is_expected(cell, node):
            yield from questions

    def is_reached(self, cell: CellCode, node: cst.CSTNode) -> bool:
        """Return whether code surely runs: in no branch, and in no function that nobody calls."""
        inner: cst.CSTNode = node
        for above in cell.ancestors(node):
            if isinstance(above, cst.If) and inner is not above.test:
                if not re.search(r"__name__|^True$", cell.code(above.test)):
                    return False
            elif isinstance(above, (cst.ExceptHandler, cst.IfExp, cst.While)):
                return False
            elif isinstance(above, (cst.FunctionDef, cst.ClassDef)):
                name = above.name.value
                if self._names[name] < 2 and not name.startswith("_"):
                    return False
            inner = above
        return True

    def _asked(self, cell: CellCode, node: cst.CSTNode) -> Iterator[NameQuestion]:
        if isinstance(node, cst.Import):
            for alias in node.names:
                if hosted_module(dotted_name(alias.name)) != COLAB:  # a rule leaves that out
                    yield NameQuestion(kind=NameKind.MODULE, address=dotted_name(alias.name))
        elif isinstance(node, cst.ImportFrom):
            yield from _imported(node)
        elif isinstance(node, cst.Attribute):
            yield from self._attribute(cell, node)
        elif isinstance(node, cst.Call):
            yield from self._call(node)
        elif isinstance(node, cst.Name):
            yield from self._starred(cell, node)

    def _attribute(self, cell: CellCode, node: cst.Attribute) -> Iterator[NameQuestion]:
        parent = cell.places[node].parent
        if isinstance(parent, cst.Attribute) and parent.value is node:
            return  # the question is about the whole chain
        if isinstance(parent, (cst.ImportAlias, cst.ImportFrom)) or _is_target(cell, node):
            return
        address = self._address(node)
        if address and address not in self._assigned:
            yield NameQuestion(kind=NameKind.ATTRIBUTE, address=address)

    def _call(self, node: cst.Call) -> Iterator[NameQuestion]:
        address = self._address(node.func)
        if not address and isinstance(node.func, cst.Attribute):
            address = self._method(node.func)
            if address:
                yield NameQuestion(kind=NameKind.METHOD, address=address)
        if not address or any(argument.star == "**" for argument in node.args):
            return
        for argument in node.args:
            if argument.keyword is not None:
                detail = argument.keyword.value
                yield NameQuestion(kind=NameKind.ARGUMENT, address=address, detail=detail)

    def _method(self, node: cst.Attribute) -> str:
        """Return the address of a method of an object whose class is known; "" of any other."""
        receiver = self._types.of(node.value)
        if receiver is None or receiver.name.count(".") == 0:
            return ""
        top, _, last = receiver.name.rpartition(".")
        is_class = last[:1].isupper() and top.partition(".")[0] not in ("builtins", "notebook")
        return f"{receiver.name}.{node.attr.value}" if is_class else ""

    def _starred(self, cell: CellCode, node: cst.Name) -> Iterator[NameQuestion]:
        parent = cell.places[node].parent
        if isinstance(parent, cst.Attribute) and parent.attr is node:
            return
        if isinstance(parent, cst.Arg) and parent.keyword is node:
            return
        if isinstance(parent, (cst.Param, cst.AsName, cst.AssignTarget, cst.NameItem, cst.Del)):
            return
        if any(isinstance(one, (cst.Import, cst.ImportFrom)) for one in cell.ancestors(node)):
            return
        name = node.value
        if name in _INTERACTIVE or name in BUILTINS or name in cell.masked.magics:
            return
        if not self._program.lookup(name, node).bindings:
            for star in self._stars:
                yield NameQuestion(kind=NameKind.STARRED, address=star, detail=name)

    def _address(self, node: cst.CSTNode) -> str:
        """Return the one address of an expression in a package; "" if it is none of a package."""
        addresses = self._program.qualnames(node)
        if len(addresses) != 1 or "." not in addresses[0] or addresses[0].startswith("."):
            return ""
        address = addresses[0]
        if address.startswith("builtins."):
            return ""
        if isinstance(node, cst.Name) and not self._program.lookup(node.value, node).bindings:
            return ""  # a star import may have brought it
        root = _root(node)
        if root is not None and not self._program.lookup(root.value, root).bindings:
            return ""
        if self._has_pylab and address.startswith("matplotlib.pyplot."):
            return ""  # pylab has more names
        return address

    def _binds_all_names_itself(self) -> bool:
        """Return whether nothing but code that was read binds the notebook's names."""
        if self._program.unparsed or self._program.unread or self._program.pylab:
            return False
        for cell in self._program.cells:
            if any(_BINDS_ANYTHING.match(text.strip()) for text in cell.masked.magics.values()):
                return False
            if cell.uses_of(_READS_NAMES):
                return False
        return True

    def _is_expected(self, cell: CellCode, node: cst.CSTNode) -> bool:
        """Return whether the code around a node expects that it may fail."""
        for above in cell.ancestors(node):
            if above not in self._expected:
                self._expected[above] = _expects(cell, above)
            if self._expected[above]:
                return True
        return False


def _expects(cell: CellCode, node: cst.CSTNode) -> bool:
    if isinstance(node, cst.Try):
        for handler in node.handlers:
            if handler.type is None or _caught(handler.type) & _EXPECTED:
                return True
        return False
    if isinstance(node, cst.With):
        items = " ".join(cell.code(item) for item in node.items)
        return "suppress" in items or "raises" in items
    if isinstance(node, (cst.If, cst.IfExp, cst.While)):
        return bool(_ASKS_FIRST.search(cell.code(node.test)))
    return False


def _caught(node: cst.BaseExpression) -> set[str]:
    if isinstance(node, cst.Tuple):
        return {dotted_name(element.value) for element in node.elements}
    return {dotted_name(node)}


def _imported(node: cst.ImportFrom) -> Iterator[NameQuestion]:
    module = dotted_name(node.module)
    if node.relative or not module or module == "__future__" or hosted_module(module) == COLAB:
        return
    yield NameQuestion(kind=NameKind.MODULE, address=module)
    if not isinstance(node.names, cst.ImportStar):
        for alias in node.names:
            address = f"{module}.{dotted_name(alias.name)}"
            yield NameQuestion(kind=NameKind.MEMBER, address=address)


def _is_target(cell: CellCode, node: cst.CSTNode) -> bool:
    parent = cell.places[node].parent
    return isinstance(parent, (cst.AssignTarget, cst.Del, cst.AugAssign, cst.AnnAssign))


def _root(node: cst.CSTNode) -> cst.Name | None:
    while isinstance(node, cst.Attribute):
        node = node.value
    return node if isinstance(node, cst.Name) else None
