"""Argument of a codemod (a node with its surroundings), and its possible results."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

import libcst as cst

from mle_modernizer_server.code.cell_code import Assigned, Bound, CellCode
from mle_modernizer_server.code.program import Program
from mle_modernizer_server.code.traceback import failing_lines, line_beside
from mle_modernizer_server.code.tree import expression
from mle_modernizer_server.code.types.inference import TypeInference
from mle_modernizer_server.code.types.observed import Observed
from mle_modernizer_server.code.types.type import Type
from mle_modernizer_server.domain.execution import CellError
from mle_modernizer_server.fixing.rules.engine.naming import NewImport as NewImport
from mle_modernizer_server.fixing.rules.engine.naming import imported, known_as
from mle_modernizer_server.fixing.rules.rule import Rule

_Node = TypeVar("_Node", bound=cst.CSTNode)
_logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Run:
    """Facts from a run of the notebook."""

    errors: tuple[CellError, ...] = ()
    """All errors its cells raised."""
    warned: frozenset[str] = frozenset()
    """Ids of cells that warned of a chained assignment without effect."""
    observed: Observed = field(default_factory=Observed)
    """Types of the notebook's globals that it saw."""
    none_texts: frozenset[tuple[str, str]] = frozenset()
    """As `FixRequest.none_texts`."""
    lacking: frozenset[str] = frozenset()
    """Addresses that the packages of the run do not have: no fix may write them."""


Replacement = cst.CSTNode | cst.FlattenSentinel[cst.CSTNode]


@dataclass(frozen=True)
class Change:
    """A node of the program and its replacement."""

    node: cst.CSTNode
    new: Replacement


@dataclass(frozen=True)
class Fix:
    """Changes that belong together: all of them or none."""

    changes: tuple[Change, ...]
    imports: tuple[NewImport, ...] = ()
    remark: str = ""
    """Something the user should know about this very fix."""
    assumed: tuple[str, ...] = ()
    """Assumptions of the fix that the code does not prove."""


@dataclass(frozen=True)
class Unsure:
    """The pattern may be there, but it is not certain enough to change the code."""

    why: str


Answer = Fix | Unsure | None


@dataclass(frozen=True)
class Examined:
    """A program for which the codemods of some rules have been asked.

    Attributes:
        program: The program.
        answers: Ids of the rules with an answer about a node, or that were not asked.
        quiet: Cells without such nodes.
    """

    program: Program
    answers: Mapping[cst.CSTNode, Collection[str]]
    quiet: Collection[CellCode]

    def is_about(self, program: Program) -> bool:
        """Return whether a program has the same cells, so that the same answers hold."""
        same = program.cells == self.program.cells  # each of them is equal to itself only
        return same and program.python2 == self.program.python2


@dataclass
class Context:
    """A node, its cell and all that is known about the notebook and its run."""

    rule: Rule
    program: Program
    types: TypeInference
    cell: CellCode
    run: Run
    """Facts from the run of the notebook."""
    promised: dict[tuple[str, str], str] = field(default_factory=dict)
    """Names by (module, name) that other fixes of this round are going to import."""
    assumed: list[str] = field(default_factory=list)
    """Assumptions of the codemod so far."""

    def qualnames(self, node: cst.CSTNode) -> tuple[str, ...]:
        """Return the possible addresses of an expression."""
        return self.program.qualnames(node)

    def refers_to(self, node: cst.CSTNode, *addresses: str) -> bool:
        """Return whether an expression may refer to one of these addresses."""
        return any(name in addresses for name in self.program.qualnames(node))

    def comes_from(self, node: cst.CSTNode, *packages: str) -> bool:
        """Return whether an expression may refer to something in one of these packages."""
        inside = tuple(f"{package}." for package in packages)
        return any(name.startswith(inside) for name in self.program.qualnames(node))

    def type_of(self, node: cst.CSTNode) -> Type | None:
        """Return the kind of an expression; None if unknown."""
        return self.types.of(node)

    def type_name(self, node: cst.CSTNode) -> str:
        """Return the address of the type of an expression; empty if unknown."""
        inferred = self.types.of(node)
        return "" if inferred is None else inferred.name

    def guess(self, node: cst.CSTNode) -> Type | None:
        """Return the certain or probable kind of an expression; a caller that acts on it must
        `assume` it.
        """
        return self.types.guess(node)

    def assume(self, what: str) -> None:
        """Note something that the fix takes for granted and the code does not prove."""
        if what not in self.assumed:
            self.assumed.append(what)

    def answer(self, handler: Callable[..., Answer], node: cst.CSTNode) -> Answer:
        """Return the codemod's answer for the node, with its assumptions."""
        try:
            answer = handler(self, node)
        except RecursionError:
            return Unsure("the code is nested too deeply")
        except (cst.CSTValidationError, cst.ParserSyntaxError):
            _logger.exception("a rule writes no valid code: %s", self.cell.code(node)[:200])
            return Unsure("the rule would write what is no valid code")
        if isinstance(answer, Fix) and self.assumed:
            return replace(answer, assumed=tuple(self.assumed))
        return answer

    def code(self, node: cst.CSTNode) -> str:
        """Return the source text of a node of any cell."""
        return self.cell.code(node)

    def parent(self, node: cst.CSTNode | None) -> cst.CSTNode | None:
        """Return the parent of a node of any cell; None of none."""
        return None if node is None else self.program.place(node)[1].parent

    def nodes(self, kind: type[_Node]) -> Iterator[_Node]:
        """Yield the nodes of a type in the whole notebook, in order."""
        for cell in self.program.cells:
            yield from cell.nodes(kind)

    def bounds(self, node: cst.CSTNode) -> list[Bound]:
        """Return everything that a name may refer to; empty for any other expression."""
        if not isinstance(node, cst.Name):
            return []
        return [binding.bound for binding in self.program.lookup(node.value, node).bindings]

    def only_bound(self, node: cst.CSTNode) -> Bound | None:
        """Return the single thing that a name may refer to; None if there are several, or none."""
        bounds = self.bounds(node)
        return bounds[0] if len(bounds) == 1 else None

    def every_value(self, node: cst.CSTNode) -> list[cst.BaseExpression]:
        """Return the values of a name that is only bound to whole values; else an empty list."""
        bounds = self.bounds(node)
        values = [one.value for one in bounds if isinstance(one, Assigned) and not one.path]
        return values if len(values) == len(bounds) else []

    def statement(self, node: cst.CSTNode) -> cst.SimpleStatementLine | None:
        """Return the simple statement that contains the node."""
        for above in (node, *self.cell.ancestors(node)):
            if isinstance(above, cst.SimpleStatementLine):
                return above
        return None

    def failing(self) -> tuple[CellError, ...]:
        """Return this cell's errors that are symptoms of the rule."""
        return tuple(
            error
            for error in self.run.errors
            if error.cell_id == self.cell.cell_id and self.rule.matches(error)
        )

    def evidence(self, node: cst.CSTNode) -> bool:
        """Return whether the run failed at this very node with the rule's symptom."""
        statement: cst.CSTNode = self.statement(node) or node
        for error in self.failing():
            if line_beside(error) is not None:
                continue  # the cell only called it
            first, last = self.cell.lines(statement)
            if error.line is not None and first <= error.line <= last:
                return True
        return self._raised_inside(statement)

    def _raised_inside(self, statement: cst.CSTNode) -> bool:
        """Return whether a call from elsewhere failed here, in a function, at a line of this
        text.
        """
        if not any(isinstance(above, cst.FunctionDef) for above in self.cell.ancestors(statement)):
            return False
        lines = {line.strip() for line in self.code(statement).splitlines()}
        return any(
            (own := failing_lines(error)) and own[-1].strip() in lines
            for error in self.run.errors
            if self.rule.matches(error)
        )

    def module(self, node: cst.CSTNode, name: str, alias: str) -> tuple[str, tuple[NewImport, ...]]:
        """Return a module's name at a node, and the import needed for it."""
        return self.imported(node, name, "", alias)

    def imported(
        self, node: cst.CSTNode, module: str, name: str, alias: str
    ) -> tuple[str, tuple[NewImport, ...]]:
        """Return the name of `module` or `module.name` at a node, and the import needed for it."""
        return imported(self.program, node, module, name, alias, self.promised)

    def known_as(self, node: cst.CSTNode, wanted: str) -> str | None:
        """Name under which the notebook has imported something before the node, if it has."""
        return known_as(self.program, node, wanted)

    def written(self, node: cst.BaseExpression) -> cst.BaseExpression:
        """Return the value assigned to a name if it is the only one; any other expression
        unchanged.
        """
        if not isinstance(node, cst.Name):
            return node
        bound = self.only_bound(node)
        return bound.value if isinstance(bound, Assigned) and not bound.path else node

    def last_written(self, node: cst.Name) -> cst.BaseExpression | None:
        """Return the value that a name was assigned last; None if it is no whole value."""
        bound = next(reversed(self.bounds(node)), None)
        return bound.value if isinstance(bound, Assigned) and not bound.path else None

    def all_written(self, node: cst.BaseExpression) -> list[cst.BaseExpression]:
        """Return the whole values that a name may have; any other expression unchanged."""
        if not isinstance(node, cst.Name):
            return [node]
        bounds = self.bounds(node)
        return [one.value for one in bounds if isinstance(one, Assigned) and not one.path]

    def uses(self, made: cst.BaseExpression) -> list[cst.BaseExpression]:
        """Return the expression and every use of a name that may refer to its result."""
        cells = self.program.cells
        names = set().union(*(cell.named.get(made, ()) for cell in cells))
        return [
            made,
            *(
                node
                for cell in cells
                for node in cell.uses_of(names)
                if self.is_made_by(node, made)
            ),
        ]

    def whole_uses(self, made: cst.BaseExpression) -> list[cst.BaseExpression]:
        """Return the uses that may refer to the whole result, not to an item of a loop."""
        return [use for use in self.uses(made) if use is made or self._may_be_all(use, made)]

    def _may_be_all(self, use: cst.BaseExpression, made: cst.BaseExpression) -> bool:
        return any(
            isinstance(one, Assigned) and one.value is made and not one.path
            for one in self.bounds(use)
        )

    def method_calls(self, made: cst.Call, *methods: str) -> list[tuple[cst.Call, cst.Attribute]]:
        """Return the calls of these methods, with their functions, on the result of a call."""
        return [
            (call, func)
            for call in self.nodes(cst.Call)
            if isinstance(func := call.func, cst.Attribute)
            and func.attr.value in methods
            and self.is_made_by(func.value, made)
        ]

    def is_made_by(self, receiver: cst.BaseExpression, made: cst.BaseExpression) -> bool:
        """Return whether it is the expression itself, or a name that may refer to its result."""
        if receiver is made:
            return True
        return any(isinstance(one, Assigned) and one.value is made for one in self.bounds(receiver))


def one(change_of: cst.CSTNode, new: cst.CSTNode, imports: Sequence[NewImport] = ()) -> Fix:
    """Return a fix that replaces one node."""
    return Fix((Change(change_of, new),), tuple(imports))


def rewritten(node: cst.BaseExpression, text: str, imports: Sequence[NewImport] = ()) -> Fix:
    """Return a fix that replaces an expression by code, in the brackets that it has."""
    new = expression(text).with_changes(lpar=node.lpar, rpar=node.rpar)
    return one(node, new, imports)
