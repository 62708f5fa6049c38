"""A fixer's proposal: a plan and a patch, cell by cell; and the rules learned from one."""

from __future__ import annotations

from enum import Enum
from typing import Any

from pydantic import Field, model_validator

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.diagnosis import FixScope, FixType
from mle_modernizer_server.domain.execution import CellError, Environment
from mle_modernizer_server.domain.message import Messages, Parameter, coded
from mle_modernizer_server.domain.model_calls import Usage
from mle_modernizer_server.domain.notebook import Cell, CellType, Notebook

LEARNED = "learned-"
"""Prefix of the ids of rules learned from a model's fix."""


class FixerName(str, Enum):
    """Authors of fixes."""

    RULES = "rules"
    LLM = "llm"


class EditKind(str, Enum):
    """Kind of change to a cell."""

    MODIFY = "modify"
    INSERT = "insert"
    DELETE = "delete"


class Meaning(str, Enum):
    """Effect of an edit on the experiment."""

    RENAME = "rename"
    """A moved import, a renamed function, attribute or argument."""
    DEFAULT_PINNED = "default-pinned"
    """A default value of the notebook's era, written out."""
    BEHAVIOUR_RESTORED = "behaviour-restored"
    """Other code with the same result as the old call."""
    PATH = "path"
    DISPLAY = "display"
    """Plots, prints, options: no score depends on it."""
    SPEED = "speed"
    """The same result in less time."""
    EXPERIMENT = "experiment"
    """Data, features, model, hyper-parameters, seed or split: look twice."""
    OTHER = "other"


GRAVITY = (
    Meaning.DISPLAY,
    Meaning.RENAME,
    Meaning.SPEED,
    Meaning.PATH,
    Meaning.DEFAULT_PINNED,
    Meaning.BEHAVIOUR_RESTORED,
    Meaning.OTHER,
    Meaning.EXPERIMENT,
)
"""The meanings, the gravest last; it counts for an edit with several."""


class KnownChange(Value):
    """A library's change that an edit addresses, with the page that documents it."""

    name: str
    """Library and version: `pandas 2.0`."""
    link: str


class EditPart(Value):
    """Part of an edit by one rule: an edit may address several changes."""

    rule: str
    what: str
    """The library's change and the new code, the same in every cell."""
    reason: str
    """The same with the reason why this cell is affected."""
    short: str = ""
    """The replaced name and the new code, in a sentence or two; empty: `reason` is all there is."""
    link: str = ""
    lines: tuple[int, ...] = ()
    """Known first lines of its places in `base_source`, from 1."""
    places: int = 1
    """Number of places it changes."""


class CellEdit(Value):
    """One edit of one cell, made for one state of that cell."""

    id: str
    kind: EditKind
    cell_id: str
    """The affected cell; for an insertion the id of the new cell."""
    after: str | None = None
    """For an insertion: id of the preceding cell; None inserts it first."""
    cell_type: CellType = CellType.CODE
    base_source: str = ""
    """Source that the edit was made for; empty for an insertion."""
    base_hash: str = ""
    """SHA-256 of `base_source`, hex; empty for an insertion."""
    new_source: str = ""
    """Empty for a deletion."""
    reason: str = ""
    meaning: Meaning = Meaning.OTHER
    rules: tuple[str, ...] = ()
    """Ids of the rules that wrote it."""
    link: str = ""
    """Release note or documentation page that justifies it, of the gravest change if several."""
    changes: tuple[KnownChange, ...] = ()
    """All changes it addresses."""
    parts: tuple[EditPart, ...] = ()
    """Effect of each rule; empty if no rule wrote it."""
    group: str = ""
    """Edits of a proposal in the same group need each other: one without the others is wrong code.
    Empty: independent of other edits."""
    unseen: bool = False
    """No run has verified its effect: none reached its cell, or completed it."""

    @property
    def learned(self) -> bool:
        """Return whether a rule learned from a model's fix contributed: then a model wrote it."""
        return any(rule.startswith(LEARNED) for rule in self.rules)

    @property
    def known(self) -> bool:
        """Return whether only rules wrote it, none of them learned from a model's fix."""
        return bool(self.rules) and not self.learned


class IntegritySeverity(str, Enum):
    """Severity of an integrity note."""

    BLOCKER = "blocker"
    WARNING = "warning"


class IntegrityNote(Value):
    """An effect of a patch that a reviewer must know."""

    severity: IntegritySeverity
    code: str
    cell_id: str | None = None
    line: int | None = None
    """Line of the cell, from 1: of the new source, or of the old one for removed code."""
    parameters: dict[str, Parameter] = Field(default_factory=dict)
    """Parameters of the note's text, by name."""

    @model_validator(mode="before")
    @classmethod
    def _of_sentences(cls, value: Any) -> Any:
        """Drop the sentences that logs contain from before all notes had codes."""
        if not isinstance(value, dict):
            return value
        return {key: item for key, item in value.items() if key not in ("message", "allowed")}

    def __hash__(self) -> int:
        return hash((self.severity, self.code, self.cell_id, self.line))

    @property
    def message(self) -> Messages:
        """Return the note's text."""
        return coded(f"integrity.{self.code}", **self.parameters)

    @property
    def allowed(self) -> Messages:
        """Return an allowed form of the edit, if it is a blocker; else empty."""
        if self.severity is not IntegritySeverity.BLOCKER:
            return ()
        return coded(f"model.allowed.{self.code}", **self.parameters)


class Proposal(Value):
    """A plan and its patch, staged for review; no document has changed yet."""

    id: str
    fixer: FixerName
    model: str = ""
    """Name of the model, for the LLM."""
    fix_type: FixType
    scope: FixScope
    plan: Messages
    edits: tuple[CellEdit, ...]
    notes: tuple[IntegrityNote, ...] = ()
    usage: Usage = Usage()
    remarks: Messages = ()
    """Fixes that the fixer could not make, with reasons (an uncertain rule, for example)."""

    @property
    def blockers(self) -> Messages:
        """Return the notes that block it; empty if it may be presented."""
        return tuple(
            one
            for note in self.notes
            if note.severity is IntegritySeverity.BLOCKER
            for one in note.message
        )

    @property
    def by_model(self) -> bool:
        """Return whether a model wrote any of it, or the fix that a rule was learned from."""
        return self.fixer is FixerName.LLM or any(edit.learned for edit in self.edits)

    @model_validator(mode="after")
    def _one_edit_a_cell(self) -> Proposal:
        ids = [edit.cell_id for edit in self.edits]
        if len(set(ids)) != len(ids):
            raise ValueError("a proposal edits each cell at most once")
        return self


def apply_edits(notebook: Notebook, edits: tuple[CellEdit, ...]) -> Notebook:
    """Return the notebook with the edits applied; untouched cells are the same objects.

    Args:
        notebook: The notebook that the edits were made for.
        edits: The edits in the proposal's order; an insertion may follow an inserted cell.

    Raises:
        KeyError: An edit names a cell that does not exist.
        ValueError: A cell's source is not the one the edit was made for.
    """
    cells = list(notebook.cells)
    for edit in edits:
        positions = {cell.id: position for position, cell in enumerate(cells)}
        if edit.kind is EditKind.INSERT:
            at = 0 if edit.after is None else positions[edit.after] + 1
            cells.insert(at, Cell(id=edit.cell_id, type=edit.cell_type, source=edit.new_source))
            continue
        position = positions[edit.cell_id]
        if cells[position].source != edit.base_source:
            raise ValueError(f"cell {edit.cell_id} is not what the edit was made for")
        if edit.kind is EditKind.DELETE:
            del cells[position]
        else:
            cells[position] = cells[position].model_copy(update={"source": edit.new_source})
    return notebook.model_copy(update={"cells": tuple(cells)})


class Origin(Value):
    """Origin of the notebook of an iteration in auto mode."""

    proposal: str
    """Id of the proposal; stored with the iteration it was made for."""
    number: int = 1
    """Number of this alternative for that iteration, from 1."""
    of: int = 1
    """Number of alternatives tried at the same time."""


class Trial(Value):
    """Result of running unchanged cells with the notebook's original library versions.

    Attributes:
        libraries: The libraries and their time: `pandas 0.24.2 (2019-06)`.
        ran: Ids of the cells that completed.
        failed: Ids of the cells that failed there too, not because of another cell.
    """

    libraries: str
    ran: tuple[str, ...]
    failed: tuple[str, ...]


class Lesson(Value):
    """A successful fix: the notebook before and after it, and the errors it fixed.

    Attributes:
        before: Notebook that ran with the errors.
        after: Notebook that ran without them.
        cells: Ids of the cells that the fix changed and that then completed.
        errors: Errors of those cells before the fix.
        sound: Ids of the cells that also completed before the fix.
        environment: Environment of the runs.
        model: Name of the model that wrote the fix.
        trial: Result of the cells in old libraries; None if not tried.
    """

    before: Notebook
    after: Notebook
    cells: tuple[str, ...]
    errors: tuple[CellError, ...]
    sound: tuple[str, ...]
    environment: Environment
    model: str = ""
    trial: Trial | None = None


class LearnedRule(Value):
    """A rule derived from a successful fix."""

    id: str
    """Id of the change, independent of the notebook it was learned from."""
    library: str
    """Import name of the library that changed."""
    old: str
    """Code of one of the places before the fix."""
    new: str
    """Code of the same place after the fix."""
    places: int
    """Number of places of the notebook with this change."""
    tried: str = ""
    """The old libraries in which the old call ran unchanged; empty if unknown."""
    content: str
    """A YAML file with the rule, for a folder of custom rules."""


class Learned(Value):
    """Rules learned from a fix; empty if the fix is not about calls."""

    rules: tuple[LearnedRule, ...] = ()


class LearnedRules(Value):
    """The rules learned from a session's fixes, and which of them are stored."""

    rules: tuple[LearnedRule, ...]
    kept: tuple[str, ...] = ()
    """Ids of the rules that are in the folder of custom rules."""
    folder: bool = False
    """Whether the server has such a folder."""
