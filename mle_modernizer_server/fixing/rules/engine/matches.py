"""Rules that concern a notebook as it is: one look at every node, no rewriting."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import libcst as cst

from mle_modernizer_server.code.cell_code import CellCode
from mle_modernizer_server.code.own_classes import defined
from mle_modernizer_server.code.program import Program
from mle_modernizer_server.code.time_limit import NODES_AT_ONCE, is_over
from mle_modernizer_server.code.types.inference import TypeInference
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.fixing.rules.engine.context import Context, Examined, Fix, Run, Unsure
from mle_modernizer_server.fixing.rules.engine.registry import Handler, handlers
from mle_modernizer_server.fixing.rules.python2.conversion import convert
from mle_modernizer_server.fixing.rules.rule import ChangeKind, Rule

_ALWAYS_THERE = frozenset({"python", "IPython"})
_INSIDE = {"keras": "tensorflow"}
"""Libraries that another one brings along under its own name."""

_PARTS = {"keras_applications": "keras", "keras_preprocessing": "keras"}
"""Packages with a name of their own that belong to another library."""


@dataclass(frozen=True)
class RuleMatch:
    """A rule whose old form is, or may be, in a cell."""

    rule: Rule
    cell_id: str
    sure: bool
    """It is the old form beyond doubt; False: only a name was seen, or the codemod is not sure."""
    fixed: bool = False
    """Its fix applies, even if it takes something for granted."""
    why: str = ""
    """Reason why its codemod leaves the code unchanged, if it states one."""


class Survey:
    """A notebook examined for rules.

    Attributes:
        program: The notebook, converted from Python 2 if needed.
        types: Types of its expressions.
        examined: The answers of the codemods.
        unexamined: Ids of the cells that were not fully examined before the time was used up.
        sightings: Each rule once a cell, in the order of the notebook; once a notebook if only its
            name was seen.
    """

    def __init__(self, notebook: Notebook, rules: Sequence[Rule], *, python2: bool = False) -> None:
        """Examine a notebook for rules.

        Args:
            notebook: The sources.
            rules: The rules to find.
            python2: Whether it is known to be written in Python 2.
        """
        converted = convert(notebook, rules)
        python2 = python2 or converted.is_python2
        self.program = Program(converted.notebook, python2=python2)
        self.types = TypeInference(self.program)
        self._roots = _roots_of_imports(self.program)
        self.unexamined = frozenset(self.program.unread)
        answers: dict[cst.CSTNode, set[str]] = {}
        quiet = set(self.program.cells)
        self.examined = Examined(self.program, answers, quiet)
        found: dict[tuple[str, str], RuleMatch] = {}
        for rule, cell_id in converted.applied:
            found[rule.id, cell_id] = RuleMatch(rule, cell_id, True, fixed=True)
        for one in (*self._answers(rules, answers), *self._mentions(rules)):
            key = (one.rule.id, one.cell_id)
            known = found.get(key)
            if known is None or (one.sure, one.fixed) > (known.sure, known.fixed):
                found[key] = one
        quiet.difference_update(self.program.cell_of(node) for node in answers)
        order = {cell.id: place for place, cell in enumerate(notebook.cells)}
        self.matches = sorted(found.values(), key=lambda one: order[one.cell_id])

    def _answers(
        self, rules: Sequence[Rule], answers: dict[cst.CSTNode, set[str]]
    ) -> Iterator[RuleMatch]:
        """Collect the codemods' answers for each node, and note the rules that have one."""
        interests = handlers(rules)
        for number, cell in enumerate(self.program.cells):
            for at, node in enumerate(cell.places):
                if not at % NODES_AT_ONCE and is_over():
                    rest = (left.cell_id for left in self.program.cells[number:])
                    self.unexamined |= frozenset(rest)
                    return
                answered: list[Handler] = []
                for rule, handler in interests.at(self.program, node):
                    if handler in answered:
                        answers[node].add(rule.id)
                        continue  # several rules share this codemod: the heaviest one speaks
                    context = Context(rule, self.program, self.types, cell, Run())
                    answer = context.answer(handler, node)
                    if answer is not None:
                        answers.setdefault(node, set()).add(rule.id)
                    if isinstance(answer, Fix):
                        answered.append(handler)
                        yield RuleMatch(rule, cell.cell_id, not answer.assumed, fixed=True)
                    elif isinstance(answer, Unsure) and self._is_used(rule):
                        yield RuleMatch(rule, cell.cell_id, False, why=answer.why)

    def _mentions(self, rules: Sequence[Rule]) -> Iterator[RuleMatch]:
        """Return the rules without a fix whose names are in the code as names of their library."""
        wanted: dict[str, list[Rule]] = {}
        for rule in rules:
            if not rule.automatic and self._is_used(rule):
                for name in rule.identifiers:
                    wanted.setdefault(name, []).append(rule)
        seen: set[str] = set()
        for cell in self.program.cells:
            named = (*cell.nodes(cst.Attribute), *cell.nodes(cst.Name), *cell.nodes(cst.Arg))
            for node in named:
                for name, owners in self._names_at(cell, node, wanted):
                    for rule in wanted[name]:
                        if isinstance(node, cst.Arg) and _is_attribute(rule, name):
                            continue
                        if rule.library in owners and rule.id not in seen:
                            seen.add(rule.id)
                            yield RuleMatch(rule, cell.cell_id, False)

    def _names_at(
        self, cell: CellCode, node: cst.CSTNode, wanted: dict[str, list[Rule]]
    ) -> Iterator[tuple[str, set[str]]]:
        """Return a name that the node uses, with the libraries it may belong to."""
        if isinstance(node, cst.Attribute) and node.attr.value in wanted:
            yield node.attr.value, self._owners(node, node.value)
        elif isinstance(node, cst.Name) and node.value in wanted:
            parent = cell.places[node].parent
            removed = any(rule.kind is ChangeKind.REMOVED for rule in wanted[node.value])
            if removed or not isinstance(parent, cst.ImportAlias):
                yield node.value, _roots(self.program.qualnames(node))
        elif isinstance(node, cst.Arg) and node.keyword and node.keyword.value in wanted:
            call = cell.places[node].parent
            if isinstance(call, cst.Call):
                receiver = call.func.value if isinstance(call.func, cst.Attribute) else None
                yield node.keyword.value, self._owners(call.func, receiver)

    def _owners(self, node: cst.CSTNode, receiver: cst.CSTNode | None) -> set[str]:
        inferred = None if receiver is None else self.types.of(receiver)
        found = _roots(self.program.qualnames(node))
        if isinstance(receiver, cst.Name) and receiver.value == "self":
            found |= self._inherited(receiver, node)
        return found if inferred is None else found | _roots((inferred.name,))

    def _inherited(self, own: cst.Name, node: cst.CSTNode) -> set[str]:
        """Return the libraries that `self.name` may come from: those of the class's bases."""
        for above in self.program.cell_of(own).ancestors(own):
            if isinstance(above, cst.ClassDef):
                if isinstance(node, cst.Attribute) and node.attr.value in set(defined(above)):
                    return set()
                bases = (self.program.qualnames(base.value) for base in above.bases)
                return {root for names in bases for root in _roots(names)}
        return set()

    def _is_used(self, rule: Rule) -> bool:
        library = rule.library
        return library in self._roots or _INSIDE.get(library) in self._roots


def _is_attribute(rule: Rule, name: str) -> bool:
    """Return whether a rule is about an attribute of that name, so not about an argument."""
    about = [symptom for symptom in rule.symptoms if re.search(rf"\b{name}\b", symptom)]
    return bool(about) and all("attribute" in symptom for symptom in about)


def _roots_of_imports(program: Program) -> frozenset[str]:
    found = (name for cell in program.cells for name in cell.imported)
    return frozenset(_roots([*found, *program.stars])) | _ALWAYS_THERE


def _roots(names: Sequence[str]) -> set[str]:
    roots = {name.partition(".")[0] for name in names}
    return roots | {_PARTS[root] for root in roots & _PARTS.keys()}
