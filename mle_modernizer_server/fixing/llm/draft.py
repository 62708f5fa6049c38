"""A proposal built over several model turns: valid edits and open problems."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import uuid4

from mle_modernizer_server.domain.message import Messages, coded, verbatim
from mle_modernizer_server.domain.proposal import (
    CellEdit,
    EditKind,
    FixerName,
    IntegrityNote,
    Proposal,
)
from mle_modernizer_server.fixing.fixer import FixRequest, NoFix
from mle_modernizer_server.fixing.integrity import LeftOut, judge_edits, remarks
from mle_modernizer_server.fixing.llm.client import Answer
from mle_modernizer_server.fixing.llm.patch import PatchRules, build_patch
from mle_modernizer_server.fixing.llm.prompting import Prompt
from mle_modernizer_server.fixing.llm.redaction import Redactor
from mle_modernizer_server.fixing.llm.reply import UnusableReply, parse_reply
from mle_modernizer_server.words import text


class Draft:
    """State of a proposal after a model's replies so far.

    Attributes:
        mistakes: Errors of the last reply, a line each, for the model.
    """

    def __init__(self, request: FixRequest, model: str) -> None:
        self._request = request
        self._model = model
        self._plan: Messages = ()
        self._edits: tuple[CellEdit, ...] = ()
        self._notes: tuple[IntegrityNote, ...] = ()
        self._remarks: Messages = ()
        self._missing: Messages = ()
        self._names: dict[str, str] = {}
        self.mistakes: tuple[str, ...] = ()

    @property
    def stands(self) -> bool:
        """Return whether some edit is valid."""
        return bool(self._edits)

    @property
    def standing(self) -> tuple[str, ...]:
        """Return the names of the cells with valid edits, for the model."""
        return tuple(
            "a new cell" if edit.kind is EditKind.INSERT else f"cell {self._name(edit.cell_id)}"
            for edit in self._edits
        )

    def broken(self, reason: str) -> None:
        """Note that the last answer did not arrive."""
        self.mistakes = (reason,)

    def take(self, answer: Answer, prompt: Prompt, redactor: Redactor) -> Proposal | NoFix | None:
        """Process an answer.

        Returns:
            The result of the conversation, or None: the model needs another turn.
        """
        self._names = {cell_id: name for name, cell_id in prompt.view.ids.items()}
        try:
            return self._taken(answer, prompt, redactor)
        except UnusableReply as unusable:
            self.mistakes = unusable.mistakes
            return None

    def proposal(self, prompt: Prompt) -> Proposal:
        """Return the valid edits as a proposal, with a remark for each edit that is not."""
        return Proposal(
            id=uuid4().hex,
            fixer=FixerName.LLM,
            model=self._model,
            fix_type=self._request.fix_type,
            scope=prompt.scope,
            plan=self._plan or coded("plan.none"),
            edits=self._edits,
            notes=self._notes,
            remarks=self._remarks + self._missing,
        )

    def _taken(self, answer: Answer, prompt: Prompt, redactor: Redactor) -> Proposal | NoFix | None:
        """As `take`.

        Raises:
            UnusableReply: There is nothing in the answer to be used.
        """
        if answer.refusal:
            raise UnusableReply(
                "You declined to answer. The task is to repair the user's own notebook."
            )
        reply = parse_reply(answer.text, complete=answer.complete)
        if reply.no_fix:
            if self.stands:
                return self.proposal(prompt)
            return NoFix(reason=coded("fix.model-has-none", reply=reply.no_fix))
        rules = PatchRules(
            ids=prompt.view.ids,
            cut=prompt.view.cut,
            editable=prompt.editable,
            restore=redactor.restore,
        )
        patch = build_patch(reply, self._request.notebook, rules)
        judgement = judge_edits(
            self._request.notebook,
            _merged(self._edits, patch.edits, self._positions()),
            competition=self._request.competition,
            errors=self._request.execution.errors,
            outside_data=self._request.outside_data,
        )
        self._edits, self._notes = judgement.edits, judgement.notes
        plan = (step for line in reply.plan for step in verbatim(line))
        self._plan = tuple(dict.fromkeys((*self._plan, *plan)))
        self._remarks = tuple(dict.fromkeys((*self._remarks, *patch.remarks)))
        self._missing = (
            *(one for said in patch.mistakes for one in coded("left-out.of-reply", what=said)),
            *remarks(judgement.left_out),
        )
        self.mistakes = (*patch.mistakes, *self._refusals(judgement.left_out))
        return None if self.mistakes else self.proposal(prompt)

    def _positions(self) -> dict[str, int]:
        return {cell.id: at for at, cell in enumerate(self._request.notebook.cells)}

    def _name(self, cell_id: str) -> str:
        return self._names.get(cell_id, "")

    def _refusals(self, left_out: Sequence[LeftOut]) -> list[str]:
        """Return the errors of each invalid edit, with the allowed alternative."""
        lines = []
        for one in left_out:
            name = self._name(one.edit.cell_id)
            cell = f"Cell {name}" if name else "The new cell"
            if one.needs:
                names = ", ".join(self._name(cell_id) or "that is new" for cell_id in one.needs)
                lines.append(f"{cell}: it needs what cell {names} was to bring.")
            for note in one.notes:
                line = "" if note.line is None else f", line {note.line}"
                lines.append(f"{cell}{line}: {text(note.message)} Allowed: {text(note.allowed)}")
        return list(dict.fromkeys(lines))


def _merged(
    standing: Sequence[CellEdit], new: Sequence[CellEdit], positions: dict[str, int]
) -> list[CellEdit]:
    """Return the valid edits, replaced by those of a later reply for the same cells.

    In an order in which each finds the cells it names.
    """
    replaced = {edit.cell_id for edit in new}
    said = {(edit.after, edit.new_source) for edit in new if edit.kind is EditKind.INSERT}
    kept = [
        edit
        for edit in standing
        if edit.cell_id not in replaced
        and not (edit.kind is EditKind.INSERT and (edit.after, edit.new_source) in said)
    ]
    found = [*kept, *new]
    behind = {edit.cell_id: edit.after for edit in found if edit.kind is EditKind.INSERT}

    def place(edit: CellEdit) -> tuple[int, bool]:
        anchor: str | None = edit.cell_id
        while anchor in behind:
            anchor = behind[anchor]
        # a deletion comes after the insertions that hang on its cell
        return (-1 if anchor is None else positions[anchor], edit.kind is EditKind.DELETE)

    return sorted(found, key=place)
