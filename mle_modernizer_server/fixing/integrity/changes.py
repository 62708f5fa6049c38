"""List the facts that a patch adds to the code and removes from it, cell by cell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from mle_modernizer_server.code.canonical.library_forms import canonical_pair
from mle_modernizer_server.code.cell_syntax import parse_what_can_be_read, shared_tree
from mle_modernizer_server.code.experiment.fact import Fact, FactKind
from mle_modernizer_server.code.experiment.facts import facts_by_line
from mle_modernizer_server.code.expressions import import_aliases
from mle_modernizer_server.domain.message import Parameter
from mle_modernizer_server.domain.notebook import CellType, Notebook
from mle_modernizer_server.domain.proposal import CellEdit, IntegrityNote, Meaning
from mle_modernizer_server.fixing.integrity.notes import note

Facts = Mapping[Fact, Sequence[int]]
"""The facts of a cell, each with its lines."""


@dataclass(frozen=True)
class Located:
    """A fact that came or went: the edit that did it, and the line in its new or old source."""

    fact: Fact
    edit: CellEdit
    line: int

    @property
    def is_known(self) -> bool:
        """Return whether a rule made it that does not touch the experiment."""
        return self.edit.known and self.edit.meaning is not Meaning.EXPERIMENT

    def note(self, code: str, **parameters: Parameter) -> IntegrityNote:
        """Return a note at this place; its code decides whether it blocks."""
        return note(code, self.edit.cell_id, self.line, **parameters)


@dataclass(frozen=True)
class CellChange:
    """Facts of one edited cell, before and after."""

    edit: CellEdit
    before: Facts
    after: Facts


@dataclass(frozen=True)
class PatchChange:
    """Facts of all edited cells together: code that only moved is no change."""

    cells: tuple[CellChange, ...]
    before: Counter[Fact]
    after: Counter[Fact]

    def added(self, kind: FactKind) -> list[Located]:
        """Return the new facts of a kind, each with the edit that adds it."""
        return self._surplus(kind, self.after - self.before, after=True)

    def removed(self, kind: FactKind) -> list[Located]:
        """Return the removed facts of a kind, each with the edit that removes it."""
        return self._surplus(kind, self.before - self.after, after=False)

    def loses(self, *kinds: FactKind) -> bool:
        """Return whether there are fewer facts of some kinds than before."""
        before, after = (
            sum(number for fact, number in facts.items() if fact.kind in kinds)
            for facts in (self.before, self.after)
        )
        return after < before

    def _surplus(self, kind: FactKind, surplus: Counter[Fact], *, after: bool) -> list[Located]:
        places = []
        for fact in surplus:
            if fact.kind is not kind:
                continue
            for cell in self.cells:
                here, there = (cell.after, cell.before) if after else (cell.before, cell.after)
                if len(here.get(fact, ())) > len(there.get(fact, ())):
                    places.append(Located(fact, cell.edit, here[fact][-1]))
                    break
        return places


def changes_of(notebook: Notebook, edits: Sequence[CellEdit]) -> PatchChange:
    """Return the changes of a patch in the code cells of a notebook."""
    code = [edit for edit in edits if edit.cell_type is CellType.CODE]
    trees = {
        edit.id: canonical_pair(*map(parse_what_can_be_read, (edit.base_source, edit.new_source)))
        for edit in code
    }
    edited = {edit.cell_id for edit in code}
    others = [shared_tree(cell.source) for cell in notebook.code_cells() if cell.id not in edited]
    old_names = import_aliases([*others, *(old for old, _ in trees.values())])
    new_names = import_aliases([*others, *(new for _, new in trees.values())])
    cells = tuple(
        CellChange(
            edit,
            before=facts_by_line(trees[edit.id][0], old_names),
            after=facts_by_line(trees[edit.id][1], {**old_names, **new_names}),
        )
        for edit in code
    )
    return PatchChange(
        cells=cells,
        before=_sum(cell.before for cell in cells),
        after=_sum(cell.after for cell in cells),
    )


def _sum(cells: Iterable[Facts]) -> Counter[Fact]:
    total: Counter[Fact] = Counter()
    for cell in cells:
        total.update({fact: len(lines) for fact, lines in cell.items()})
    return total
