"""What a model read → claims, as far as the paper's own text confirms it, letter by letter.

A quote that is not in the paper is refused, and so is a number that is not in its quote. A name
(of data, method or metric) that the paper does not have is left empty.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from mle_modernizer_server.domain.claim import Claim, ClaimSource, Doubt
from mle_modernizer_server.domain.claim_reading import QuoteProblem, ReadClaim, RefusedClaim
from mle_modernizer_server.domain.paper import Paper, Place
from mle_modernizer_server.domain.paper_reading import PaperReading
from mle_modernizer_server.reproducing.claims.numbers import Number, cell_numbers, numbers_in
from mle_modernizer_server.reproducing.claims.vocabulary import metrics_in

_DOUBTS = {
    "dataset": Doubt.NO_DATASET,
    "method": Doubt.NO_METHOD,
    "metric": Doubt.NO_METRIC,
}
"""By what is not known: the doubt that says so."""
_SHORTEST = 8


def row_text(cells: Iterable[str]) -> str:
    """A table's row as it is quoted."""
    return " | ".join(" ".join(cell.split()) for cell in cells)


def paper_text(paper: Paper) -> str:
    """A paper's text as a model reads it: sections, and tables row by row."""
    parts = [f"# {paper.title}"]
    parts += [f"## {section.heading}\n\n{section.text}" for section in paper.sections]
    for index, table in enumerate(paper.tables):
        rows = "\n".join(row_text(cell.text for cell in row) for row in table.rows)
        parts.append(f"## Table {table.number or index + 1}: {table.caption}\n\n{rows}")
    return "\n\n".join(parts)


@dataclass(frozen=True)
class _Hit:
    """A number of the paper."""

    place: Place
    number: Number
    id: str
    source: ClaimSource


def completed(
    reading: PaperReading, read: Sequence[ReadClaim]
) -> tuple[PaperReading, tuple[ReadClaim, ...], tuple[RefusedClaim, ...]]:
    """A reading with the claims that a model named and the paper confirms.

    What rules have found stays; of it only what they left empty is filled in.

    Args:
        reading: By rules.
        read: What the model named.

    Returns:
        The reading, what was confirmed, and what was refused.
    """
    text = _Text(reading.paper)
    claims = {claim.id: claim for claim in reading.claims}
    places = {_spot(claim.place): claim.id for claim in reading.claims}
    found: list[ReadClaim] = []
    refused: list[RefusedClaim] = []
    for one in read:
        hit = text.find(one)
        if isinstance(hit, QuoteProblem):
            refused.append(RefusedClaim(claim=one, problem=hit))
            continue
        name = places.setdefault(_spot(hit.place), hit.id)
        before = claims.get(name)
        claims[name] = _new(hit, one, text) if before is None else _filled(before, one, text)
        found.append(one)
    complete = reading.model_copy(update={"claims": tuple(claims.values())})
    return complete, tuple(found), tuple(refused)


def _spot(place: Place) -> tuple[int | None, ...]:
    """What tells two numbers apart."""
    if place.table is not None:
        return (None, place.table, place.row, place.column)
    return (place.section, None, place.start, None)


class _Text:
    """A paper's text, to be looked up letter by letter; only white space may differ."""

    def __init__(self, paper: Paper) -> None:
        self._paper = paper
        self._whole = _plain(f"{paper_text(paper)} {' '.join(paper.figures_text)}")

    def name(self, words: str) -> str:
        """A name, where the paper has it; else nothing."""
        plain = _plain(words)
        return " ".join(words.split()) if plain and plain in self._whole else ""

    def find(self, one: ReadClaim) -> _Hit | QuoteProblem:
        """The number that is meant, or why it is not confirmed."""
        quote = " ".join(one.quote.split())
        if len(quote) < _SHORTEST:
            return QuoteProblem.NOT_IN_PAPER
        spots = [*self._rows(quote, one.number), *self._sentences(quote, one.number)]
        if not spots:
            return QuoteProblem.NOT_IN_PAPER
        if len(spots) > 1:
            return QuoteProblem.AMBIGUOUS
        (hits,) = spots
        if not hits:
            return QuoteProblem.NO_NUMBER
        return hits[0] if len(hits) == 1 else QuoteProblem.AMBIGUOUS

    def _rows(self, quote: str, number: str) -> Iterator[list[_Hit]]:
        """By row that is quoted: the cells with the number."""
        for index, table in enumerate(self._paper.tables):
            for row, cells in enumerate(table.rows):
                if row_text(cell.text for cell in cells) != quote:
                    continue
                hits = []
                for column, cell in enumerate(cells):
                    for position, value in enumerate(cell_numbers(cell.text)):
                        if _same(value, number):
                            place = Place(
                                section=table.section,
                                table=index,
                                row=row,
                                column=column,
                                page=table.page,
                            )
                            name = f"t{index}r{row}c{column}n{position}"
                            hits.append(_Hit(place, value, name, ClaimSource.TABLE))
                yield hits

    def _sentences(self, quote: str, number: str) -> Iterator[list[_Hit]]:
        """By place that has the quote: the numbers in it."""
        pattern = re.compile(r"\s+".join(map(re.escape, quote.split())))
        for index, section in enumerate(self._paper.sections):
            for match in pattern.finditer(section.text):
                hits = []
                for value in numbers_in(match.group()):
                    if _same(value, number):
                        start = match.start() + value.start
                        place = Place(
                            section=index,
                            start=start,
                            end=match.start() + value.end,
                            page=section.page,
                        )
                        name = f"s{index}o{start}"
                        hits.append(_Hit(place, value, name, ClaimSource.SENTENCE))
                yield hits


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def _same(value: Number, number: str) -> bool:
    """Whether a number of the paper is the one that is named."""
    (named, *others) = numbers_in(number) or [None]
    if named is None or others:
        return False
    return (named.value, named.decimals) == (value.value, value.decimals)


def _new(hit: _Hit, one: ReadClaim, text: _Text) -> Claim:
    names = {field: text.name(getattr(one, field)) for field in _DOUBTS}
    metrics = metrics_in(names["metric"])
    number = hit.number
    return Claim(
        id=hit.id,
        **names,
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
    """A claim of the rules with what they left empty."""
    names = {
        field: name
        for field in _DOUBTS
        if not getattr(before, field) and (name := text.name(getattr(one, field)))
    }
    if not names:
        return before
    known = {_DOUBTS[field] for field in names}
    doubts = [doubt for doubt in before.doubts if doubt not in known]
    update: dict[str, object] = {**names, "doubts": (*doubts, Doubt.FROM_MODEL)}
    metrics = metrics_in(names.get("metric", ""))
    if before.higher_is_better is None and metrics:
        update["higher_is_better"] = metrics[0].higher_is_better
    return before.model_copy(update=update)
