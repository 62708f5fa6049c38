"""A paper's reading and the claims that a person picked → the `Experiment` to reproduce."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from mle_modernizer_server.domain.errors import BadInput
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.domain.paper import (
    Claim,
    Paper,
    PaperReading,
    Requirement,
    Statement,
    TakenValue,
)
from mle_modernizer_server.domain.reproduction import (
    MOST_CLAIMS_CHOSEN,
    ExpectedClaim,
    Experiment,
    Parameter,
)
from mle_modernizer_server.reproducing.cited_works import taken_values
from mle_modernizer_server.reproducing.stated_values import python_literal, seed_literal


def experiment_of(
    reading: PaperReading, chosen: Sequence[str], *, source: str, checksum: str
) -> Experiment:
    """Return the experiment that a notebook must reproduce.

    Args:
        reading: The paper, its claims and the checklist of its method.
        chosen: Ids of claims, or their numbers in `PaperReading.ranked`; empty chooses those of
            the best table.
        source: Name of the paper's file.
        checksum: Its SHA-256.

    Raises:
        BadInput: There is no such claim, or none at all, or they are too many.
    """
    claims = _picked(reading, chosen) if chosen else best_claims(reading.claims)
    if not claims:
        raise BadInput(coded("reproduction.no-claim", source=source))
    if len(claims) > MOST_CLAIMS_CHOSEN:
        raise BadInput(
            coded("reproduction.too-many", count=len(claims), most_claims_chosen=MOST_CLAIMS_CHOSEN)
        )
    paper, taken = reading.paper, taken_values(reading.lineage)
    return Experiment(
        title=paper.title[:1000],
        source=source,
        checksum=checksum,
        format=paper.format,
        claims=tuple(
            ExpectedClaim(claim=claim, where=paper.where(claim.place)[:200]) for claim in claims
        ),
        parameters=tuple(
            _parameter(item, claims, paper, taken.get(item.name)) for item in reading.checklist
        ),
    )


def _picked(reading: PaperReading, chosen: Sequence[str]) -> list[Claim]:
    known = {str(number): claim for number, claim in enumerate(reading.ranked(), start=1)}
    known |= {claim.id: claim for claim in reading.claims}
    unknown = [name for name in chosen if name not in known]
    if unknown:
        raise BadInput(coded("reproduction.unknown-claim", unknown=repr(unknown[0])))
    return list({known[name].id: known[name] for name in chosen}.values())


def best_claims(claims: Sequence[Claim]) -> list[Claim]:
    """Return the claims of the best table about the paper's own method; else of its sentences.

    Claims of other methods are left out if the table has some of its own.
    """
    tables: dict[int, list[Claim]] = {}
    for claim in claims:
        if claim.place.table is not None:
            tables.setdefault(claim.place.table, []).append(claim)
    best = max(tables.values(), key=_worth) if tables else list(claims)
    own = [claim for claim in best if claim.own]
    return (own or best)[:MOST_CLAIMS_CHOSEN]


def _worth(claims: Sequence[Claim]) -> tuple[bool, float]:
    """Return a table's rank: whether it is on the own method, and its count of claims.

    Doubts lower it.
    """
    own = [claim for claim in claims if claim.own]
    doubts = Counter(bool(claim.doubts) for claim in own or claims)
    return bool(own), doubts[False] + 0.1 * doubts[True]


def _parameter(
    item: Requirement, claims: Sequence[Claim], paper: Paper, taken: TakenValue | None
) -> Parameter:
    if item.statement is Statement.CITED and taken is not None:
        return _taken_parameter(item, taken)
    evidence = next((one for one in item.evidence if one.value == item.value), None)
    stated = item.value
    if any(_is_claimed(item, claim) for claim in claims):
        stated = ""  # the rules took a result for a setting
    if item.statement is Statement.STATED:
        value = seed_literal(stated) if item.name == "seed" else python_literal(stated)
    else:
        value = item.assumption or "None"
    first = evidence or (item.evidence[0] if item.evidence else None)
    return Parameter(
        name=item.name.upper(),
        requirement=item.name,
        topic=item.topic,
        statement=item.statement,
        stated=stated[:500],
        value=value,
        where="" if first is None else paper.where(first.place)[:200],
        quote="" if first is None else first.quote[:500],
    )


def _taken_parameter(item: Requirement, taken: TakenValue) -> Parameter:
    """Return a parameter whose value a cited work states."""
    literal = seed_literal if item.name == "seed" else python_literal
    return Parameter(
        name=item.name.upper(),
        requirement=item.name,
        topic=item.topic,
        statement=item.statement,
        stated=taken.value,
        value=literal(taken.value),
        where=f"{taken.source}, {taken.where}"[:200],
        quote=taken.quote,
    )


def _is_claimed(item: Requirement, claim: Claim) -> bool:
    """Return whether a supposed setting is the number of a claim in the same sentence."""
    printed = f"{claim.value:.{claim.decimals}f}"
    if claim.place.start is None or item.value.strip(" %") not in (printed, claim.printed):
        return False
    return any(
        evidence.value == item.value
        and evidence.place.section == claim.place.section
        and evidence.place.start is not None
        and evidence.place.end is not None
        and evidence.place.start <= claim.place.start < evidence.place.end
        for evidence in item.evidence
    )
