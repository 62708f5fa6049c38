"""Puts changed sources into a notebook's JSON text and leaves every other byte alone."""

from __future__ import annotations

import json
from itertools import pairwise

from mle_modernizer_server.domain.notebook import Cell, CellType, Notebook
from mle_modernizer_server.execution.notebook_file.json_spans import (
    Span,
    elements,
    members,
    value_span,
)


def rewritten(text: str, before: Notebook, after: Notebook) -> str:
    """Return the JSON text of a notebook with other sources.

    Args:
        text: The notebook's file.
        before: Its cells, in the file's order (of format 3: over all worksheets).
        after: The new cells: some changed, inserted or deleted, none moved.
    """
    top = members(text, value_span(text))
    new_format = int(top["nbformat"].of(text)) >= 4
    arrays = [top["cells"]] if new_format else _sheets(text, top)
    with_ids = any("id" in members(text, span) for span in elements(text, arrays[0]))
    writer = _Writer(text, new_format=new_format, with_ids=with_ids)

    wanted = {cell.id: cell for cell in after.cells}
    following: dict[str | None, list[Cell]] = {}
    known = {cell.id for cell in before.cells}
    anchor: str | None = None
    for cell in after.cells:
        if cell.id in known:
            anchor = cell.id
        else:
            following.setdefault(anchor, []).append(cell)

    result: list[str] = []
    copied = 0
    position = 0
    for number, array in enumerate(arrays):
        spans = elements(text, array)
        cells = before.cells[position : position + len(spans)]
        position += len(spans)
        plan: list[tuple[Span | None, Cell]] = []
        if number == 0:
            plan += [(None, cell) for cell in following.get(None, [])]
        for span, cell in zip(spans, cells, strict=True):
            if cell.id in wanted:
                changed = wanted[cell.id] if wanted[cell.id].source != cell.source else cell
                plan.append((span, changed))
                plan += [(None, new) for new in following.get(cell.id, [])]
        unchanged = {cell.id for cell in cells if wanted.get(cell.id) == cell}
        result += [text[copied : array.start], writer.array(array, spans, plan, unchanged)]
        copied = array.end
    return "".join((*result, text[copied:]))


def _sheets(text: str, top: dict[str, Span]) -> list[Span]:
    sheets = elements(text, top["worksheets"])
    return [inner["cells"] for inner in (members(text, sheet) for sheet in sheets)]


class _Writer:
    """Writes cells in the manner of the file they go into."""

    def __init__(self, text: str, *, new_format: bool, with_ids: bool) -> None:
        self._text = text
        self._new_format = new_format
        self._with_ids = with_ids
        self._newline = "\r\n" if "\r\n" in text else "\n"
        self._ascii = text.isascii() and "\\u" in text

    def array(
        self,
        array: Span,
        spans: list[Span],
        plan: list[tuple[Span | None, Cell]],
        unchanged: set[str],
    ) -> str:
        """Return the array of cells, with the white space between cells unchanged."""
        text = self._text
        if not spans:
            inner = ",".join(self._new_cell(cell, "") for _, cell in plan)
            return f"[{inner}]" if plan else array.of(text)
        head = text[array.start + 1 : spans[0].start]
        tail = text[spans[-1].end : array.end - 1]
        before = {span.start: text[left.end : span.start] for left, span in pairwise(spans)}
        usual = next(iter(before.values()), "," + head)
        pieces = ["[", head]
        for place, (span, cell) in enumerate(plan):
            if place:
                pieces.append(usual if span is None else before.get(span.start, usual))
            if span is None:
                pieces.append(self._new_cell(cell, head))
            elif cell.id in unchanged:
                pieces.append(span.of(text))
            else:
                pieces.append(self._changed_cell(span, cell))
        return "".join((*pieces, tail, "]"))

    def _changed_cell(self, span: Span, cell: Cell) -> str:
        text = self._text
        inner = members(text, span)
        old_code = not self._new_format and cell.type is CellType.CODE
        source = inner["input" if old_code else "source"]
        value = self._source(source, cell.source)
        return text[span.start : source.start] + value + text[source.end : span.end]

    def _source(self, span: Span, source: str) -> str:
        """Return a source in the form of its predecessor: one text, or a list of lines."""
        text = self._text
        if text[span.start] != "[":
            return self._dump(source)
        lines = [self._dump(line) for line in source.splitlines(keepends=True)]
        if not lines:
            return "[]"
        items = elements(text, span)
        if items:
            opening = text[span.start + 1 : items[0].start]
            closing = text[items[-1].end : span.end - 1]
            between = "," + opening
            if len(items) > 1:
                between = text[items[0].end : items[1].start]
            return "[" + opening + between.join(lines) + closing + "]"
        line_start = text.rfind("\n", 0, span.start) + 1
        indent = text[line_start : span.start].partition('"')[0]
        if line_start == 0 or indent.strip():
            return "[" + ", ".join(lines) + "]"
        opening = f"{self._newline}{indent} "
        return "[" + opening + ("," + opening).join(lines) + self._newline + indent + "]"

    def _new_cell(self, cell: Cell, head: str) -> str:
        """Return a new cell, indented like its neighbours."""
        code = cell.type is CellType.CODE
        content: dict[str, object] = {"cell_type": cell.type.value, "metadata": {}}
        if self._with_ids:
            content["id"] = cell.id
        lines = cell.source.splitlines(keepends=True)
        if self._new_format or not code:
            content["source"] = lines
        else:
            content |= {"input": lines, "language": "python", "collapsed": False}
        if code:
            content["outputs"] = []
            content["execution_count" if self._new_format else "prompt_number"] = None
        if "\n" not in head:
            return self._dump(content)
        written = json.dumps(content, indent=1, sort_keys=True, ensure_ascii=self._ascii)
        indent = head.rpartition("\n")[2]
        return written.replace("\n", self._newline + indent)

    def _dump(self, value: object) -> str:
        return json.dumps(value, sort_keys=True, ensure_ascii=self._ascii)
