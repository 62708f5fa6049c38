"""A model's reply to the edits of a proposal, or the reason why it cannot become one."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from uuid import uuid4

from mle_modernizer_server.code.cell_syntax import parse_cell
from mle_modernizer_server.domain.message import Message, Messages, coded
from mle_modernizer_server.domain.notebook import Cell, CellType, Notebook, source_hash
from mle_modernizer_server.domain.proposal import CellEdit, EditKind
from mle_modernizer_server.fixing.integrity import classify
from mle_modernizer_server.fixing.llm.reply import (
    Operation,
    OperationKind,
    Reply,
    UnusableReply,
    is_code,
    looks_like_marker,
)
from mle_modernizer_server.fixing.llm.search_replace import apply_blocks


@dataclass(frozen=True)
class PatchRules:
    """Limits of a patch.

    Attributes:
        ids: Cell id by the name the prompt called the cell.
        cut: Ids of cells that were truncated in the prompt.
        editable: Ids of the cells that may change; None: all. New cells may be directly before and
            after these.
        restore: Restores secrets that were removed from the prompt.
    """

    ids: Mapping[str, str]
    cut: frozenset[str] = frozenset()
    editable: frozenset[str] | None = None
    restore: Callable[[str], str] = field(default=lambda text: text)


@dataclass(frozen=True)
class Patch:
    """The valid part of a reply.

    Attributes:
        edits: The edits, in notebook order.
        remarks: Deliberate omissions, for the reviewer.
        mistakes: Errors in the reply, a sentence each for the model.
    """

    edits: tuple[CellEdit, ...]
    remarks: Messages = ()
    mistakes: tuple[str, ...] = ()


def build_patch(reply: Reply, notebook: Notebook, rules: PatchRules) -> Patch:
    """Build the patch of a reply, as far as its edits are valid.

    One that cannot be is a mistake: its cell is not known, edited twice or out of reach, a block
    does not match, or the new code does not parse. The others are not touched by it.

    Raises:
        UnusableReply: No edit can be carried out, or nothing would change.
    """
    builder = _Builder(reply.plan, notebook, rules)
    if reply.operations and reply.operations[0].kind is OperationKind.CELL:
        builder.whole_notebook(reply.operations)
    else:
        for operation in reply.operations:
            builder.attempt(operation)
    edits = builder.finished()
    if not edits and builder.mistakes:
        raise UnusableReply(*builder.mistakes)
    if not edits:
        raise UnusableReply(
            "The reply changes nothing: every cell it names stays as it is. If nothing can be "
            "done, answer with `=== NO FIX ===` and a sentence that says why."
        )
    return Patch(edits, tuple(builder.remarks), tuple(builder.mistakes))


class _Builder:
    """Collects the edits of one reply."""

    def __init__(self, plan: tuple[str, ...], notebook: Notebook, rules: PatchRules) -> None:
        self._plan = plan
        self._notebook = notebook
        self._rules = rules
        self._names = {cell_id: name for name, cell_id in rules.ids.items()}
        self._positions = {cell.id: at for at, cell in enumerate(notebook.cells)}
        self._seen: set[str] = set()
        self._edits: list[tuple[int, int, CellEdit]] = []
        self._last_after: dict[str | None, str] = {}
        self.remarks: list[Message] = []
        self.mistakes: list[str] = []

    def attempt(self, operation: Operation) -> None:
        """Apply a section; an error in it is recorded and changes nothing."""
        try:
            self.operation(operation)
        except UnusableReply as unusable:
            self.mistakes += unusable.mistakes

    def finished(self) -> tuple[CellEdit, ...]:
        """Return the edits in an order in which each finds the cells it names."""
        return tuple(edit for _, _, edit in sorted(self._edits, key=lambda item: item[:2]))

    def operation(self, operation: Operation) -> None:
        """Take up a REPLACE, EDIT, INSERT or DELETE section."""
        if operation.kind is OperationKind.INSERT:
            before = None if operation.cell is None else self._cell(operation.cell)
            self._insert(before, operation)
            return
        cell = self._cell(operation.cell or "")
        self._check_reach(cell, operation)
        if operation.kind is OperationKind.DELETE:
            self._add(cell, EditKind.DELETE, "")
            return
        if operation.kind is OperationKind.SEARCH_REPLACE:
            blocks = [
                (self._rules.restore(search), self._rules.restore(replace))
                for search, replace in operation.blocks
            ]
            new = apply_blocks(cell.source, blocks, self._name(cell))
        else:
            self._check_whole(cell)
            new = _like(cell.source, self._rules.restore(operation.source))
        self._modify(cell, new)

    def whole_notebook(self, operations: tuple[Operation, ...]) -> None:
        """Take up a reply that holds the whole notebook."""
        before: Cell | None = None
        named = set()
        for operation in operations:
            if not operation.cell:
                self._insert(before, operation)
                continue
            cell = self._cell(operation.cell)
            if cell.id in named:
                raise UnusableReply(f"Cell {operation.cell} is named twice.")
            named.add(cell.id)
            before = cell
            new = _like(cell.source, self._rules.restore(operation.source))
            if new == cell.source:
                continue
            if cell.type is not CellType.CODE and not operation.markdown:
                self.remarks += coded("left-out.no-code-cell", cell=operation.cell)
                continue
            try:
                self._check_reach(cell, operation)
                self._check_whole(cell)
                if not new.strip():
                    raise UnusableReply(
                        f"Cell {operation.cell} is empty in the reply. Use DELETE to remove a cell."
                    )
                self._modify(cell, new)
            except UnusableReply as unusable:
                self.mistakes += unusable.mistakes
        missing = [self._name(cell) for cell in self._notebook.code_cells() if cell.id not in named]
        if missing:
            raise UnusableReply(
                "The whole notebook was given, but without the code cells "
                f"{', '.join(missing[:20])}. Name only the cells that change, with REPLACE or EDIT."
            )

    def _cell(self, name: str) -> Cell:
        cell_id = self._rules.ids.get(name)
        cell = None if cell_id is None else self._notebook.cell(cell_id)
        if cell is None:
            raise UnusableReply(
                f"There is no cell {name!r}. Use the names from the marker lines of the notebook."
            )
        return cell

    def _name(self, cell: Cell) -> str:
        return self._names.get(cell.id, cell.id)

    def _check_reach(self, cell: Cell, operation: Operation) -> None:
        name = self._name(cell)
        if cell.id in self._seen:
            # which of the two is meant nobody knows
            self._edits = [item for item in self._edits if item[2].cell_id != cell.id]
            raise UnusableReply(f"Cell {name} is edited twice. Put all its changes into one edit.")
        self._seen.add(cell.id)
        if self._rules.editable is not None and cell.id not in self._rules.editable:
            allowed = ", ".join(sorted(self._names[cell_id] for cell_id in self._rules.editable))
            raise UnusableReply(f"Cell {name} must stay as it is; only {allowed} may change.")
        if cell.type is not CellType.CODE and not operation.markdown:
            raise UnusableReply(
                f"Cell {name} is no code cell. Text cells stay as they are unless the marker says "
                "MARKDOWN CELL."
            )
        if any(map(looks_like_marker, cell.source.splitlines())):
            raise UnusableReply(
                f"Cell {name} holds a line that looks like a marker of the reply format and cannot "
                "be edited safely. Leave it as it is."
            )

    def _check_whole(self, cell: Cell) -> None:
        if cell.id in self._rules.cut:
            raise UnusableReply(
                f"Cell {self._name(cell)} was not shown whole and can only be changed with EDIT "
                "and search/replace blocks."
            )

    def _modify(self, cell: Cell, new: str) -> None:
        if new == cell.source:
            return
        if cell.type is CellType.CODE:
            _check_code(new, self._name(cell), unless_broken=cell.source)
        self._add(cell, EditKind.MODIFY, new)

    def _insert(self, before: Cell | None, operation: Operation) -> None:
        self._check_neighbour(before)
        source = self._rules.restore(operation.source)
        if not source.strip():
            raise UnusableReply("A new cell of the reply is empty.")
        cell_type = CellType.MARKDOWN if operation.markdown else CellType.CODE
        if cell_type is CellType.CODE:
            _check_code(source, "to insert")
        anchor = None if before is None else before.id
        edit = CellEdit(
            id=uuid4().hex[:12],
            kind=EditKind.INSERT,
            cell_id=uuid4().hex[:8],
            after=self._last_after.get(anchor, anchor),
            cell_type=cell_type,
            new_source=source,
            reason=self._reason("insert" if before is None else self._name(before)),
        )
        self._last_after[anchor] = edit.cell_id
        at = -1 if anchor is None else self._positions[anchor]
        self._append(at, 1 + len(self._edits), edit)

    def _check_neighbour(self, before: Cell | None) -> None:
        if self._rules.editable is None:
            return
        at = -1 if before is None else self._positions[before.id]
        neighbours = {cell.id for cell in self._notebook.cells[max(at, 0) : at + 2]}
        if not neighbours & self._rules.editable:
            raise UnusableReply("A new cell may stand only right before or behind the failing one.")

    def _add(self, cell: Cell, kind: EditKind, new: str) -> None:
        edit = CellEdit(
            id=uuid4().hex[:12],
            kind=kind,
            cell_id=cell.id,
            cell_type=cell.type,
            base_source=cell.source,
            base_hash=source_hash(cell.source),
            new_source=new,
            reason=self._reason(self._name(cell)),
        )
        # a deletion comes after the insertions that hang on its cell
        rank = 1_000_000_000 if kind is EditKind.DELETE else 0
        self._append(self._positions[cell.id], rank, edit)

    def _append(self, position: int, rank: int, edit: CellEdit) -> None:
        meant = edit.model_copy(update={"meaning": classify(edit)})
        self._edits.append((position, rank, meant))

    def _reason(self, name: str) -> str:
        """Return the steps of the plan that mention a cell."""
        word = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
        return " ".join(step for step in self._plan if word.search(step))[:1000]


def _like(old: str, new: str) -> str:
    """Return the new source with the old one's line ends and blank lines at its edges."""
    if "\r\n" in old:
        new = new.replace("\n", "\r\n")
    body = old.strip("\r\n")
    if not body.strip():
        return new if new.strip() else old
    start = old.index(body)
    return old[:start] + new.strip("\r\n") + old[start + len(body) :]


def _check_code(source: str, name: str, *, unless_broken: str | None = None) -> None:
    try:
        parse_cell(source)
    except SyntaxError as error:
        if unless_broken is not None and not is_code(unless_broken):
            return
        where = "" if error.lineno is None else f" (line {error.lineno})"
        raise UnusableReply(
            f"The new code of cell {name} is not valid Python: {error.msg}{where}."
        ) from error
