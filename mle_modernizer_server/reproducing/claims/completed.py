"""A model's reading → claims, as far as the paper's own text confirms it, letter by letter.

A quote that is not in the paper is refused, and so is a number that is not in its quote. A name
(of data, method or metric) that the paper does not have is left empty.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from mle_modernizer_server.domain.paper import (
    Claim,
    ClaimSource,
    Doubt,
    Paper,
    Place,
    QuoteProblem,
    ReadClaim,
    RefusedClaim,
)
from mle_modernizer_server.reproducing.claims.numbers import Number, cell_numbers, numbers_in
from mle_modernizer_server.reproducing.claims.vocabulary import metrics_in

_DOUBTS = {
    "dataset": Doubt.NO_DATASET,
    "method": Doubt.NO_METHOD,
    "metric": Doubt.NO_METRIC,
}
"""The doubt about a claim if that field is empty."""
_SHORTEST = 8
"""Characters of a quote."""
_REFERENCES = re.compile(r"^(?:references|bibliography)\b", re.IGNORECASE)


def row_text(cells: Iterable[str]) -> str:
    """Return a table's row as a quote contains it."""
    return " | ".join(" ".join(cell.split()) for cell in cells)


def paper_text(paper: Paper) -> str:
    """Return a paper's text for a model: tables row by row, then sections."""
    parts = [f"# {paper.title}"]
    for index, table in enumerate(paper.tables):
        rows = "\n".join(row_text(cell.text for cell in row) for row in table.rows)
        parts.append(f"## Table {table.number or index + 1}: {table.caption}\n\n{rows}")
    parts += [
        f"## {section.heading}\n\n{section.text}"
        for section in paper.sections
        if not _REFERENCES.match(section.title)
    ]
    return "\n\n".join(parts)


def known_claims(claims: Iterable[Claim], paper: Paper) -> list[str]:
    """Return the numbers that rules have found and read in full, a line each."""
    return [
        f"{claim.printed} ({paper.where(claim.place)})"
        for claim in claims
        if not set(_DOUBTS.values()) & set(claim.doubts)
    ]


@dataclass(frozen=True)
class _Hit:
    """A number of the paper."""

    place: Place
    number: Number
    id: str
    source: ClaimSource


def completed(
    paper: Paper, claims: Sequence[Claim], read: Sequence[ReadClaim]
) -> tuple[tuple[Claim, ...], tuple[RefusedClaim, ...]]:
    """Return a paper's claims with those that a model named and the paper confirms.

    Claims of the rules stay; the model only fills their empty fields.

    Args:
        paper: The parsed paper.
        claims: Found by rules.
        read: The model's claims.

    Returns:
        The claims, and the refused ones.
    """
    text = _Text(paper)
    known = {claim.id: claim for claim in claims}
    places = {_spot(claim.place, claim.id): claim.id for claim in claims}
    refused: list[RefusedClaim] = []
    for one in read:
        hit = text.find(one)
        if isinstance(hit, QuoteProblem):
            refused.append(RefusedClaim(claim=one, problem=hit))
            continue
        name = places.setdefault(_spot(hit.place, hit.id), hit.id)
        before = known.get(name)
        known[name] = _new(hit, one, text) if before is None else _filled(before, one, text)
    return tuple(known.values()), tuple(refused)


def _spot(place: Place, name: str) -> tuple[object, ...]:
    """Return a key that identifies a number; in a table its id, as a cell may have several."""
    if place.table is not None:
        return ("table", name)
    return ("text", place.section, place.start)


class _Text:
    """A paper's text, to be looked up letter by letter; only white space may differ."""

    def __init__(self, paper: Paper) -> None:
        self._paper = paper
        self._whole = _plain(paper_text(paper))
        self._found: dict[int, list[Number]] = {}
        self._rows = [
            (index, row, [" ".join(cell.text.split()) for cell in cells])
            for index, table in enumerate(paper.tables)
            for row, cells in enumerate(table.rows)
        ]

    def name(self, words: str) -> str:
        """Return a name if the paper contains it; else nothing."""
        plain = _plain(words)
        return " ".join(words.split()) if plain and plain in self._whole else ""

    def find(self, one: ReadClaim) -> _Hit | QuoteProblem:
        """Return the quoted number, or why it is not confirmed."""
        quote = " ".join(one.quote.split())
        if len(quote) < _SHORTEST:
            return QuoteProblem.TOO_SHORT
        spots = [*self._in_rows(quote, one.number), *self._in_sentences(quote, one.number)]
        if not spots:
            return QuoteProblem.NOT_IN_PAPER
        hits = {hit.id: hit for found in spots for hit in found}
        if not hits:
            return QuoteProblem.NO_NUMBER
        return next(iter(hits.values())) if len(hits) == 1 else QuoteProblem.AMBIGUOUS

    def _in_rows(self, quote: str, number: str) -> Iterator[list[_Hit]]:
        """Yield the quoted cells with the number, by row that has the quote, whole or in part."""
        quoted = quote.split(" | ")
        for index, row, cells in self._rows:
            for first in range(len(cells) - len(quoted) + 1):
                if cells[first : first + len(quoted)] == quoted:
                    places = range(first, first + len(quoted))
                    yield [
                        hit
                        for column in places
                        for hit in self._in_cell(index, row, column, cells[column], number)
                    ]

    def _in_cell(self, index: int, row: int, column: int, text: str, number: str) -> Iterator[_Hit]:
        table = self._paper.tables[index]
        for position, value in enumerate(cell_numbers(text)):
            if _same(value, number):
                place = Place(
                    section=table.section, table=index, row=row, column=column, page=table.page
                )
                name = f"t{index}r{row}c{column}n{position}"
                yield _Hit(place, value, name, ClaimSource.TABLE)

    def _in_sentences(self, quote: str, number: str) -> Iterator[list[_Hit]]:
        """Yield the numbers in the quote, by place that has it."""
        pattern = re.compile(r"\s+".join(map(re.escape, quote.split())))
        for index, section in enumerate(self._paper.sections):
            if _REFERENCES.match(section.title):
                continue
            for match in pattern.finditer(section.text):
                yield [
                    self._in_text(index, value)
                    for value in self._numbers(index)
                    if match.start() <= value.start < match.end() and _same(value, number)
                ]

    def _numbers(self, index: int) -> list[Number]:
        """Return a whole section's numbers, so that quotes cannot begin within a number."""
        if index not in self._found:
            self._found[index] = numbers_in(self._paper.sections[index].text)
        return self._found[index]

    def _in_text(self, index: int, value: Number) -> _Hit:
        page = self._paper.sections[index].page
        place = Place(section=index, start=value.start, end=value.end, page=page)
        return _Hit(place, value, f"s{index}o{value.start}", ClaimSource.SENTENCE)


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def _same(value: Number, number: str) -> bool:
    """Return whether a number of the paper equals the named one."""
    named = numbers_in(number)
    if len(named) != 1:
        return False
    return (named[0].value, named[0].decimals) == (value.value, value.decimals)


def _new(hit: _Hit, one: ReadClaim, text: _Text) -> Claim:
    names = {field: text.name(getattr(one, field)) for field in _DOUBTS}
    metrics = metrics_in(names["metric"])
    number = hit.number
    return Claim(
        id=hit.id,
        dataset=names["dataset"],
        method=names["method"],
        metric=names["metric"],
        value=number.value,
        printed=number.printed,
        decimals=number.decimals,
        percent=number.percent,
        spread=number.spread,
        higher_is_better=metrics[0].higher_is_better if metrics else None,
        own=one.own,
        source=hit.source,
        place=hit.place,
        quote=" ".join(one.quote.split())[:500],
        doubts=(
            Doubt.FROM_MODEL,
            *(doubt for field, doubt in _DOUBTS.items() if not names[field]),
        ),
    )


def _filled(before: Claim, one: ReadClaim, text: _Text) -> Claim:
    """Return a claim of the rules with its empty fields filled."""
    names = {
        field: name
        for field in _DOUBTS
        if not getattr(before, field) and (name := text.name(getattr(one, field)))
    }
    if not names:
        return before
    known = {_DOUBTS[field] for field in names} | {Doubt.FROM_MODEL}
    doubts = [doubt for doubt in before.doubts if doubt not in known]
    update: dict[str, object] = {**names, "doubts": (*doubts, Doubt.FROM_MODEL)}
    metrics = metrics_in(names.get("metric", ""))
    if before.higher_is_better is None and metrics:
        update["higher_is_better"] = metrics[0].higher_is_better
    return before.model_copy(update=update)
