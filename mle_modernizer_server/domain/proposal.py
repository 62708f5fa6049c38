"""What a fixer answers: a plan and a patch, cell by cell."""

from __future__ import annotations

from datetime import date
from enum import Enum
from typing import Any

from pydantic import Field, model_validator

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.diagnosis import FixScope, FixType
from mle_modernizer_server.domain.message import Messages, Parameter, coded
from mle_modernizer_server.domain.notebook import Cell, CellType, Notebook
from mle_modernizer_server.domain.price import Price

LEARNED = "learned-"
"""The ids of rules that a model's fix taught begin so."""


class FixerName(str, Enum):
    """Who can propose fixes."""

    RULES = "rules"
    LLM = "llm"


class EditKind(str, Enum):
    """What an edit does to a cell."""

    MODIFY = "modify"
    INSERT = "insert"
    DELETE = "delete"


class Meaning(str, Enum):
    """What an edit means to the experiment."""

    RENAME = "rename"
    """A moved import, a renamed function, attribute or argument."""
    DEFAULT_PINNED = "default-pinned"
    """A default value of the notebook's era, written out."""
    BEHAVIOUR_RESTORED = "behaviour-restored"
    """Other code with the same result as the old call."""
    PATH = "path"
    DISPLAY = "display"
    """Plots, prints, options: nothing that a score depends on."""
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
"""The meanings, the gravest last: it counts for an edit that has several."""


class KnownChange(Value):
    """A library's change that an edit answers, with the page that documents it."""

    name: str
    """Library and version: `pandas 2.0`."""
    link: str


class EditPart(Value):
    """What one rule does in a cell: an edit may answer several changes."""

    rule: str
    what: str
    """What changed in the library and what is written now, the same in every cell."""
    reason: str
    """The same with the reason why this cell is concerned."""
    link: str = ""
    lines: tuple[int, ...] = ()
    """Lines of `base_source`, from 1, where its places begin; those known."""
    places: int = 1
    """How many places it changes."""


class CellEdit(Value):
    """One edit of one cell, made for one state of that cell."""

    id: str
    kind: EditKind
    cell_id: str
    """The cell concerned; for an insertion the id the new cell will have."""
    after: str | None = None
    """For an insertion: id of the cell it goes behind; None puts it first."""
    cell_type: CellType = CellType.CODE
    base_source: str = ""
    """Source the edit was made for; empty for an insertion."""
    base_hash: str = ""
    """SHA-256 of `base_source`, hex; empty for an insertion."""
    new_source: str = ""
    """Empty for a deletion."""
    reason: str = ""
    meaning: Meaning = Meaning.OTHER
    rules: tuple[str, ...] = ()
    """Ids of the rules that made it."""
    link: str = ""
    """Release note or documentation page that speaks for it, the gravest change's of several."""
    changes: tuple[KnownChange, ...] = ()
    """All changes it answers."""
    parts: tuple[EditPart, ...] = ()
    """What each rule does; empty where no rule made it."""
    group: str = ""
    """Edits of a proposal with the same name need each other: one without the others is wrong
    code. Empty: it stands by itself."""
    unseen: bool = False
    """No run has shown its effect: none got to its cell, or to the end of it."""

    @property
    def learned(self) -> bool:
        """Whether a rule that a model's fix taught had a part in it: then a model wrote it."""
        return any(rule.startswith(LEARNED) for rule in self.rules)

    @property
    def known(self) -> bool:
        """Whether rules made it, and none that a model's fix taught."""
        return bool(self.rules) and not self.learned


class IntegritySeverity(str, Enum):
    """How grave an integrity note is."""

    BLOCKER = "blocker"
    WARNING = "warning"


class IntegrityNote(Value):
    """Something a patch does that a reviewer must know."""

    severity: IntegritySeverity
    code: str
    cell_id: str | None = None
    line: int | None = None
    """The line of the cell, from 1: of the new source, or of the old one for what is gone."""
    parameters: dict[str, Parameter] = Field(default_factory=dict)
    """What the note speaks of, by the names in its words."""

    @model_validator(mode="before")
    @classmethod
    def _of_sentences(cls, value: Any) -> Any:
        """Logs from before notes were all codes hold their sentences as well."""
        if not isinstance(value, dict):
            return value
        return {key: item for key, item in value.items() if key not in ("message", "allowed")}

    def __hash__(self) -> int:
        return hash((self.severity, self.code, self.cell_id, self.line))

    @property
    def message(self) -> Messages:
        """What it says."""
        return coded(f"integrity.{self.code}", **self.parameters)

    @property
    def allowed(self) -> Messages:
        """For a blocker: a form of the edit that would be allowed."""
        if self.severity is not IntegritySeverity.BLOCKER:
            return ()
        return coded(f"model.allowed.{self.code}", **self.parameters)


class Usage(Value):
    """What a fix cost."""

    calls: int = 0
    input_tokens: int = 0
    """All input tokens, cached ones included."""
    cached_input_tokens: int = 0
    output_tokens: int = 0
    """All output tokens, reasoning ones included."""
    reasoning_tokens: int = 0
    """What the model thought to itself; 0 where the provider does not say."""
    cost_usd: float | None = None
    """Of the calls whose price is known; None where that is none."""
    unpriced_calls: int = 0
    """How many of several calls have no known price and are not in `cost_usd`."""
    prices_as_of: date | None = None
    """The day of the price list behind `cost_usd`, the earliest of several; None: not known."""
    estimated: bool = False
    """The provider reported no usage: about four characters a token."""

    def __add__(self, other: Usage) -> Usage:
        costs = [cost for cost in (self.cost_usd, other.cost_usd) if cost is not None]
        days = [day for day in (self.prices_as_of, other.prices_as_of) if day is not None]
        return Usage(
            calls=self.calls + other.calls,
            input_tokens=self.input_tokens + other.input_tokens,
            cached_input_tokens=self.cached_input_tokens + other.cached_input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            reasoning_tokens=self.reasoning_tokens + other.reasoning_tokens,
            cost_usd=sum(costs) if costs else None,
            unpriced_calls=self._unpriced + other._unpriced,
            prices_as_of=min(days) if days else None,
            estimated=self.estimated or other.estimated,
        )

    @property
    def fresh_input_tokens(self) -> int:
        """Input tokens that came from no cache."""
        return max(self.input_tokens - self.cached_input_tokens, 0)

    @property
    def _unpriced(self) -> int:
        return self.calls if self.cost_usd is None else self.unpriced_calls

    def priced(self, price: Price | None) -> Usage:
        """The same tokens at a price; without one their cost is unknown."""
        if price is None:
            return self.model_copy(
                update={"cost_usd": None, "unpriced_calls": self.calls, "prices_as_of": None}
            )
        cost = price.cost(
            input_tokens=self.input_tokens,
            cached_input_tokens=self.cached_input_tokens,
            output_tokens=self.output_tokens,
        )
        return self.model_copy(
            update={"cost_usd": cost, "unpriced_calls": 0, "prices_as_of": price.as_of}
        )


class Proposal(Value):
    """A plan and its patch, staged for review; no document has changed yet."""

    id: str
    fixer: FixerName
    model: str = ""
    """Which model, for the LLM."""
    fix_type: FixType
    scope: FixScope
    plan: tuple[str, ...]
    edits: tuple[CellEdit, ...]
    notes: tuple[IntegrityNote, ...] = ()
    usage: Usage = Usage()
    remarks: Messages = ()
    """What the fixer could not do and why (a rule that was not sure, say)."""

    @property
    def blockers(self) -> Messages:
        """What the notes say that block it; empty where it may be shown."""
        return tuple(
            one
            for note in self.notes
            if note.severity is IntegritySeverity.BLOCKER
            for one in note.message
        )

    @property
    def by_model(self) -> bool:
        """Whether a model wrote any of it, or taught the rule that did."""
        return self.fixer is FixerName.LLM or any(edit.learned for edit in self.edits)

    @model_validator(mode="after")
    def _one_edit_a_cell(self) -> Proposal:
        ids = [edit.cell_id for edit in self.edits]
        if len(set(ids)) != len(ids):
            raise ValueError("a proposal edits each cell at most once")
        return self


def apply_edits(notebook: Notebook, edits: tuple[CellEdit, ...]) -> Notebook:
    """The notebook with the edits carried out; untouched cells are the same objects.

    Args:
        notebook: What the edits were made for.
        edits: In the order of the proposal; an insertion may follow an inserted cell.

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
