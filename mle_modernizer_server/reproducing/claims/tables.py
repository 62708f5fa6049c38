"""A result table → a claim for each of its numbers.

The subject of a number is inferred from the headings above it, the cells before it in its row, the
heading of its group of rows, and the caption. Each of these is read as a metric, a data set, a
setting (the number is no result then) or a name, and the first name is the method's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from mle_modernizer_server.domain.paper import (
    Claim,
    ClaimSource,
    Doubt,
    Paper,
    PaperFormat,
    PaperTable,
    Place,
    TableCell,
)
from mle_modernizer_server.papers.parts import is_numeric
from mle_modernizer_server.reproducing.claims.names import OwnNames
from mle_modernizer_server.reproducing.claims.numbers import Number, cell_numbers
from mle_modernizer_server.reproducing.claims.vocabulary import (
    Metric,
    datasets_in,
    is_general,
    is_setting,
    metrics_in,
)

_NO_RESULTS = re.compile(
    r"^.{0,60}(?:hyper-?\s?param|statistics|\boverview of the (?:domain|data|annotat)|configuration"
    r"|architecture of|notation|parameter (?:setting|value)s|font guide|examples? of)",
    re.IGNORECASE,
)
_OF_DATA = re.compile(
    r"^(?:study|data ?sets?|data|tasks?|lang(?:uage)?s?|corpus|domains?"
    r"|competitions?|benchmarks?)\b",
    re.IGNORECASE,
)
"""The heading of a table's first column if its rows are data and its columns methods."""
_DASHES = re.compile(r"^[\s\-–—−/]*$|^(?:n/?a|none)$", re.IGNORECASE)


@dataclass(frozen=True)
class _Row:
    """A row with results and the headings above it.

    Attributes:
        heads: For each column the headings above it, from the top.
        group: The heading of its group of rows.
        label: Number of leading cells that are names.
    """

    index: int
    cells: tuple[TableCell, ...]
    heads: tuple[tuple[str, ...], ...]
    group: str
    label: int


def table_claims(paper: Paper, own: OwnNames) -> Iterator[Claim]:
    """Yield the claims in a paper's tables."""
    for index, table in enumerate(paper.tables):
        beside = [one for one in paper.tables if one.number and one.number == table.number]
        caption = _caption_metric(table, beside)
        by_caption = bool(_NO_RESULTS.search(table.caption))
        if by_caption and not any(metrics_in(_heads_text(table))):
            continue
        for row in _rows(table):
            for column in range(row.label, len(row.cells)):
                yield from _claims(paper, index, row, column, caption, own)


def _heads_text(table: PaperTable) -> str:
    heads = table.rows[: max(1, table.header_rows)]
    return " ; ".join(cell.text for row in heads for cell in row)


def _caption_metric(table: PaperTable, beside: Sequence[PaperTable]) -> list[Metric]:
    """Return a caption's metrics, one per kind; of tables side by side, that table's metric."""
    kinds: dict[str, Metric] = {}
    for metric in metrics_in(table.caption):
        kinds.setdefault(metric.kind, metric)
    found = list(kinds.values())
    if len(beside) == len(found) > 1 and re.search(r"\((?:left|top)\)", table.caption):
        return [found[beside.index(table)]]
    return found


def _rows(table: PaperTable) -> Iterator[_Row]:
    heads: list[tuple[str, ...]] = _heads(table.rows[: table.header_rows], table.columns)
    group = ""
    for index, cells in enumerate(table.rows[table.header_rows :], start=table.header_rows):
        filled = [cell.text for cell in cells if cell.text]
        label = _label(cells)
        if len(set(filled)) == 1 and not is_numeric(filled[0]):
            group = group if filled[0].startswith("[") else filled[0]  # a citation is no group
            continue
        results = any(re.search(r"\d\.\d", text) for text in filled[1:])
        if label >= len(cells) and len(filled) > 1 and not _has_dash(cells) and not results:
            heads = _heads([cells], table.columns)  # headings again, for the rows below
            continue
        yield _Row(index, cells, tuple(heads), group, max(1, label))


def _has_dash(cells: Sequence[TableCell]) -> bool:
    return any(cell.text and _DASHES.match(cell.text) for cell in cells)


def _label(cells: Sequence[TableCell]) -> int:
    """Return the number of leading cells of a row before its first number or dash."""
    for index, cell in enumerate(cells):
        if index and (cell_numbers(cell.text) or (cell.text and _DASHES.match(cell.text))):
            return index
    return len(cells)


def _heads(rows: Sequence[Sequence[TableCell]], columns: int) -> list[tuple[str, ...]]:
    return [
        tuple(
            dict.fromkeys(
                row[column].text for row in rows if column < len(row) and row[column].text
            )
        )
        for column in range(columns)
    ]


def _claims(
    paper: Paper, table: int, row: _Row, column: int, caption: list[Metric], own: OwnNames
) -> Iterator[Claim]:
    cell = row.cells[column]
    numbers = cell_numbers(cell.text)
    labels = [one.text for one in row.cells[: row.label] if one.text]
    heads = list(row.heads[column]) if column < len(row.heads) else []
    if not numbers or any(number.unit in ("k", "K", "M", "B", "h") for number in numbers):
        return
    if any(map(is_setting, heads)) or (labels and is_setting(labels[0])):
        return
    if len(row.cells) == 2 and not heads and not caption:
        return
    if labels and is_numeric(labels[0]) and row.heads[0]:
        labels[0] = f"{row.heads[0][-1]} = {labels[0]}"
    corner = row.heads[0][-1] if row.heads[0] else ""
    defined = _defined(paper.tables[table].caption)
    reading = _Reading(labels, heads, row.group, caption, defined, corner)
    for position, number in enumerate(numbers):
        place = Place(
            section=paper.tables[table].section,
            table=table,
            row=row.index,
            column=column,
            page=paper.tables[table].page,
        )
        claim = reading.claim(
            number, position, len(numbers), place, own, _quote(row), paper, cell.bold
        )
        if number.decimals or number.percent or Doubt.NO_METRIC not in claim.doubts:
            yield claim  # a whole number without a metric is a count


def _quote(row: _Row) -> str:
    return " | ".join(cell.text for cell in row.cells)[:500]


class _Reading:
    """The meaning of the names around a number: metric, data set, method."""

    def __init__(
        self,
        labels: list[str],
        heads: list[str],
        group: str,
        caption: list[Metric],
        defined: Mapping[str, Metric],
        corner: str,
    ) -> None:
        self.caption = caption
        in_heads = [metric for text in heads for metric in _naming(text, defined)]
        in_labels = [metric for text in labels for metric in _naming(text, defined)]
        in_group = _naming(group, defined)
        self.metrics = in_heads or in_labels or in_group
        named = [
            rest
            for text in heads
            if (rest := _without_metrics(text, defined)) and not is_general(rest)
        ]
        rows = [
            rest
            for text in labels
            if (rest := text if in_heads else _without_metrics(text, defined))
        ]
        groups = [group] if group and not in_group else []
        transposed = not in_heads and bool(in_labels or _OF_DATA.match(corner))
        methods, others = (named, rows) if transposed else (rows, named)
        self.datasets = [text for text in (*others, *groups, *methods) if datasets_in(text)]
        free = [text for text in methods if text not in self.datasets] or others[-1:]
        free_group = [text for text in groups if text not in self.datasets]
        self.method = _plain(" ".join([*free_group, *(free[:2] if not transposed else free[-1:])]))
        self.datasets += [
            text for text in others if text not in self.datasets and text not in free
        ][:2]

    def claim(
        self,
        number: Number,
        position: int,
        count: int,
        place: Place,
        own: OwnNames,
        quote: str,
        paper: Paper,
        bold: bool,
    ) -> Claim:
        """Return the claim of one number of a cell."""
        metric, doubts = self._metric(position, count)
        dataset = _plain(" / ".join(dict.fromkeys(self.datasets)))
        if not dataset:
            named = {name for name, _ in datasets_in(paper.tables[place.table or 0].caption)}
            dataset = named.pop() if len(named) == 1 else ""
        if not dataset:
            doubts.append(Doubt.NO_DATASET)
        if not self.method:
            doubts.append(Doubt.NO_METHOD)
        if paper.format is PaperFormat.PDF:
            doubts.append(Doubt.FROM_PDF)
        return Claim(
            id=f"t{place.table}r{place.row}c{place.column}n{position}",
            dataset=dataset,
            method=self.method,
            metric=metric.name if metric else "",
            value=number.value,
            printed=number.printed,
            decimals=number.decimals,
            percent=number.percent or any("%" in text for text in self.texts(metric)),
            spread=number.spread,
            higher_is_better=metric.higher_is_better if metric else None,
            own=own.has(self.method),
            best=bold,
            source=ClaimSource.TABLE,
            place=place,
            quote=quote,
            doubts=tuple(doubts),
        )

    def texts(self, metric: Metric | None) -> list[str]:
        """Return headings that may indicate that numbers are percentages."""
        return [*self.datasets, metric.name if metric else ""]

    def _metric(self, position: int, count: int) -> tuple[Metric | None, list[Doubt]]:
        found = self.metrics or self.caption
        if not found:
            return None, [Doubt.NO_METRIC]
        if len(found) == count:
            return found[position], []
        several = not self.metrics and len({one.kind for one in found}) > 1
        return found[0], [Doubt.SEVERAL_METRICS] if several else []


_DEFINITION = re.compile(
    r"(?<![\w-])(?P<name>[A-Z][A-Za-z@\d-]{1,7})\s?(?::|=|\(?(?:stands for|denotes|means))\s"
    r"(?P<what>[A-Za-z][^.;:()]{4,60})"
)
_SIGNS = re.compile(
    r"\((?:down|up|lower|higher|%|[↑↓])[^)]*\)|[↑↓%^*†‡]|\b(?:score|rate|test|val)\b"
)


_LETTERS = {
    "P": Metric("P", "precision", True, 0),
    "R": Metric("R", "recall", True, 0),
}
"""Headings of one letter; in a caption or sentence they mean anything."""


def _naming(text: str, defined: Mapping[str, Metric]) -> list[Metric]:
    """Return a heading's metrics if it is or ends with one, has an arrow or is a percentage."""
    found = metrics_in(text) if len(text) < 60 else []
    plain = _SIGNS.sub("", text).strip(" ().:")
    if not found and plain in _LETTERS:
        return [_LETTERS[plain]]
    if not found and plain in defined:
        return [replace(defined[plain], name=plain)]
    if not found and len(plain) < 40 and re.search(r"[↑↓]|\(%\)$", text):
        higher = True if "↑" in text else False if "↓" in text else None
        return [Metric(plain, plain, higher, 0)]
    covered = sum(len(metric.name) for metric in found)
    at_end = bool(found) and plain.endswith(found[-1].name)
    return found if covered >= 0.35 * len(plain.replace(" ", "")) or at_end else []


def _defined(caption: str) -> dict[str, Metric]:
    """Return the short names that a caption defines (`STA: transfer accuracy`), as metrics."""
    defined: dict[str, Metric] = {}
    for match in _DEFINITION.finditer(caption):
        named = metrics_in(match["what"])
        higher = named[0].higher_is_better if named else None
        kind = named[0].kind if named else match["what"].strip().casefold()
        defined[match["name"]] = Metric(match["name"], kind, higher, 0)
    return defined


def _without_metrics(text: str, defined: Mapping[str, Metric]) -> str:
    """Return a heading without the names of its metrics; unchanged if it has none."""
    found = _naming(text, defined)
    if not found:
        return text
    rest = text
    for metric in found:
        rest = rest.replace(metric.name, " ")
    rest = _SIGNS.sub(" ", rest).strip(" ().:,/|-")
    return " ".join(rest.split()) if len(rest) > 2 else ""


def _plain(text: str) -> str:
    text = re.sub(r"\[@([^\]]*)\]", lambda match: f"[{match.group(1).replace('@', '')}]", text)
    return " ".join(re.sub(r"[*†‡^]+$", "", text).split())
