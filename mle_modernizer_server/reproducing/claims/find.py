"""All claims of a paper."""

from __future__ import annotations

from mle_modernizer_server.domain.paper import Claim, Paper
from mle_modernizer_server.reproducing.claims.names import own_names
from mle_modernizer_server.reproducing.claims.prose import prose_claims
from mle_modernizer_server.reproducing.claims.tables import table_claims
from mle_modernizer_server.reproducing.claims.vocabulary import metrics_in

MOST_CLAIMS = 5_000


def claims_of(paper: Paper) -> tuple[Claim, ...]:
    """Return a paper's claims: the numbers of its result tables, and those only in its text."""
    own = own_names(paper)
    found = list(table_claims(paper, own))
    in_tables = {(claim.printed.rstrip("%"), _kind(claim)) for claim in found}
    for claim in prose_claims(paper, own):
        number = claim.printed.rstrip("%")
        if (number, _kind(claim)) not in in_tables and (number, "") not in in_tables:
            found.append(claim)
    return tuple(found[:MOST_CLAIMS])


def _kind(claim: Claim) -> str:
    metrics = metrics_in(claim.metric)
    return metrics[0].kind if metrics else ""
