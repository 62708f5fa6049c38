"""Which entries a notebook has to do with, as it stands: one look at every node, no rewriting."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import libcst as cst

from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.fixing.rules.engine.cell_code import CellCode
from mle_modernizer_server.fixing.rules.engine.context import Fix, Run, Scene, Unsure
from mle_modernizer_server.fixing.rules.engine.program import Program
from mle_modernizer_server.fixing.rules.engine.registry import Handler, handlers, imported
from mle_modernizer_server.fixing.rules.python2.conversion import convert
from mle_modernizer_server.fixing.rules.rule import ChangeKind, Entry
from mle_modernizer_server.fixing.rules.types.inference import Kinds

_ALWAYS_THERE = frozenset({"python", "IPython"})
_INSIDE = {"keras": "tensorflow"}
"""Libraries that another one brings along under its own name."""


@dataclass(frozen=True)
class Sighting:
    """An entry whose old form stands, or may stand, in a cell."""

    entry: Entry
    cell_id: str
    sure: bool
    """It is the old form beyond doubt; False: only a name was seen, or the codemod is not sure."""
    fixed: bool = False
    """Its fix applies, even if it takes something for granted."""


class Survey:
    """A notebook looked through for entries.

    Attributes:
        program: The notebook, after its conversion from Python 2 where it needed one.
        sightings: Each entry once a cell, in the order of the notebook; where only its name was
            seen, once a notebook.
    """

    def __init__(
        self, notebook: Notebook, entries: Sequence[Entry], *, python2: bool = False
    ) -> None:
        """Look through a notebook.

        Args:
            notebook: The sources.
            entries: What to look for.
            python2: Whether it is known to be written in Python 2.
        """
        converted = convert(notebook, entries)
        python2 = python2 or bool(converted.applied)
        self.program = Program(converted.notebook, python2=python2)
        self._kinds = Kinds(self.program)
        self._roots = _roots_of_imports(self.program)
        found: dict[tuple[str, str], Sighting] = {}
        for entry, cell_id in converted.applied:
            found[entry.id, cell_id] = Sighting(entry, cell_id, True, fixed=True)
        for one in (*self._answers(entries), *self._mentions(entries)):
            key = (one.entry.id, one.cell_id)
            known = found.get(key)
            if known is None or (one.sure, one.fixed) > (known.sure, known.fixed):
                found[key] = one
        order = {cell.id: place for place, cell in enumerate(notebook.cells)}
        self.sightings = sorted(found.values(), key=lambda one: order[one.cell_id])

    def _answers(self, entries: Sequence[Entry]) -> Iterator[Sighting]:
        """What the codemods say of each node."""
        interests = handlers(entries)
        for cell in self.program.cells:
            for node in cell.places:
                answered: list[Handler] = []
                for entry, handler in interests.at(self.program, node):
                    if handler in answered:
                        continue  # several entries share this codemod: the heaviest one speaks
                    scene = Scene(entry, self.program, self._kinds, cell, Run())
                    answer = scene.answer(handler, node)
                    if isinstance(answer, Fix):
                        answered.append(handler)
                        yield Sighting(entry, cell.cell_id, not answer.assumed, fixed=True)
                    elif isinstance(answer, Unsure) and self._is_used(entry):
                        yield Sighting(entry, cell.cell_id, False)

    def _mentions(self, entries: Sequence[Entry]) -> Iterator[Sighting]:
        """Entries without a fix whose names stand in the code as names of their library."""
        wanted: dict[str, list[Entry]] = {}
        for entry in entries:
            if not entry.automatic and self._is_used(entry):
                for name in entry.identifiers:
                    wanted.setdefault(name, []).append(entry)
        seen: set[str] = set()
        for cell in self.program.cells:
            for node in cell.places:
                for name, owners in self._names_at(cell, node, wanted):
                    for entry in wanted[name]:
                        if entry.library in owners and entry.id not in seen:
                            seen.add(entry.id)
                            yield Sighting(entry, cell.cell_id, False)

    def _names_at(
        self, cell: CellCode, node: cst.CSTNode, wanted: dict[str, list[Entry]]
    ) -> Iterator[tuple[str, set[str]]]:
        """A name the node uses, with the libraries it may belong to."""
        if isinstance(node, cst.Attribute) and node.attr.value in wanted:
            yield node.attr.value, self._owners(node, node.value)
        elif isinstance(node, cst.Name) and node.value in wanted:
            parent = cell.places[node].parent
            removed = any(entry.kind is ChangeKind.REMOVED for entry in wanted[node.value])
            if removed or not isinstance(parent, cst.ImportAlias):
                yield node.value, _roots(self.program.qualnames(node))
        elif isinstance(node, cst.Arg) and node.keyword and node.keyword.value in wanted:
            call = cell.places[node].parent
            if isinstance(call, cst.Call):
                receiver = call.func.value if isinstance(call.func, cst.Attribute) else None
                yield node.keyword.value, self._owners(call.func, receiver)

    def _owners(self, node: cst.CSTNode, receiver: cst.CSTNode | None) -> set[str]:
        kind = None if receiver is None else self._kinds.of(receiver)
        found = _roots(self.program.qualnames(node))
        return found if kind is None else found | _roots((kind.name,))

    def _is_used(self, entry: Entry) -> bool:
        library = entry.library
        return library in self._roots or _INSIDE.get(library) in self._roots


def _roots_of_imports(program: Program) -> frozenset[str]:
    found = {
        name.partition(".")[0]
        for cell in program.cells
        for node in cell.places
        if isinstance(node, (cst.Import, cst.ImportFrom))
        for name in imported(node)
    }
    return frozenset(found) | {star.partition(".")[0] for star in program.stars} | _ALWAYS_THERE


def _roots(names: Sequence[str]) -> set[str]:
    return {name.partition(".")[0] for name in names}
