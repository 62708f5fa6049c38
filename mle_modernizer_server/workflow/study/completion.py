"""A model completes the claims of a paper; they are stored in a file in the paper's folder.

That file is untrusted: each claim is looked up in the paper whenever it is read.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timezone
from pathlib import Path

from pydantic import ValidationError

from mle_modernizer_server.domain.errors import BadSetting, Conflict
from mle_modernizer_server.domain.message import coded, verbatim
from mle_modernizer_server.domain.model_calls import Budget
from mle_modernizer_server.domain.paper import (
    MOST_READ_CLAIMS,
    ClaimCompletion,
    ClaimsQuestion,
    KeptClaims,
    PaperReading,
)
from mle_modernizer_server.domain.proposal import FixerName
from mle_modernizer_server.execution.notebook_file import write_file
from mle_modernizer_server.fixing.llm.claims import ClaimsBrief
from mle_modernizer_server.reproducing.claims.completed import completed, known_claims, paper_text
from mle_modernizer_server.untrusted.files import exists, read_regular
from mle_modernizer_server.workflow.services import Services
from mle_modernizer_server.workflow.study.reproduction import paper_checksum

_MOST_KEPT = 4_000_000
"""Bytes of a file with claims."""


def kept_beside(paper: Path) -> Path:
    """Return the file with a model's claims of a paper."""
    return paper.with_name(f"{paper.name}.claims.json")


def with_kept(reading: PaperReading, paper: Path) -> PaperReading:
    """Add the stored claims to a reading by rules, if the paper confirms them."""
    kept = _kept(kept_beside(paper))
    if kept is None or kept.checksum != paper_checksum(paper):
        return reading
    claims, refused = completed(reading.paper, reading.claims, kept.claims)
    return reading.model_copy(
        update={
            "claims": claims,
            "completion": ClaimCompletion(
                model=kept.model,
                asked_at=kept.asked_at,
                usage=kept.usage,
                confirmed=len(kept.claims) - len(refused),
                refused=refused,
                unreadable=kept.unreadable,
            ),
        }
    )


def claims_brief(reading: PaperReading) -> ClaimsBrief:
    """Return a model's input for the claims of a paper."""
    return ClaimsBrief(paper_text(reading.paper), known_claims(reading.claims, reading.paper))


def question_for(services: Services, reading: PaperReading) -> ClaimsQuestion:
    """Return the prompt for a paper's claims; send nothing.

    Raises:
        Conflict: No model is configured.
    """
    if services.claims_question is None:
        raise Conflict(verbatim(services.missing[FixerName.LLM]))
    return services.claims_question(claims_brief(reading))


async def complete(
    services: Services,
    reading: PaperReading,
    paper: Path,
    budget: Budget,
    say: Callable[[str], None],
) -> None:
    """Ask a model for the claims of a paper, and store them in its folder.

    Args:
        reading: By rules.
        paper: Its file.
        budget: Of tokens and money.
        say: Called with progress messages for the user.

    Raises:
        Conflict: No model is configured, or another file has the name of the output.
        BadSetting: The request exceeds the budget, or a limit of money has no price.
        FixerFailed: The model returned no usable answer.
        BadInput: The file is not writable.
    """
    question = question_for(services, reading)
    assert services.claim_reader is not None  # there is a question, so there is a reader
    if budget.usd is not None and question.cost_usd is None:
        raise BadSetting(coded("writing.no-price"))
    tokens = question.input_tokens + question.output_tokens
    over_money = budget.usd is not None and (question.cost_usd or 0) > budget.usd
    if over_money or (budget.tokens is not None and tokens > budget.tokens):
        raise BadSetting(coded("claims.over-budget", tokens=tokens))
    file = kept_beside(paper)
    earlier = _kept(file)
    if earlier is None and (exists(file) or file.is_symlink()):
        raise Conflict(coded("claims.other-file", path=file.name))
    checksum = paper_checksum(paper)
    if earlier is not None and earlier.checksum != checksum:
        earlier = None
    asked_at = datetime.now(timezone.utc)
    read = await services.claim_reader.read(claims_brief(reading), budget, say)
    before = () if earlier is None else earlier.claims
    kept = KeptClaims(
        checksum=checksum,
        model=question.model[:200],
        asked_at=asked_at,
        usage=read.usage if earlier is None else earlier.usage + read.usage,
        claims=tuple(dict.fromkeys((*before, *read.claims)))[:MOST_READ_CLAIMS],
        unreadable=read.unreadable,
    )
    write_file(file, kept.model_dump_json(indent=1).encode())


def _kept(file: Path) -> KeptClaims | None:
    """Return the claims in a file; None if its content differs, or it links elsewhere."""
    try:
        return KeptClaims.model_validate_json(read_regular(file, _MOST_KEPT, follow_links=False))
    except (OSError, ValidationError):
        return None  # no file of ours: the paper's claims are those of the rules
