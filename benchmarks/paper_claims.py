"""How well papers' claims are read: those of tables against a truth made by hand, time and memory.

    python benchmarks/paper_claims.py TRUTH.csv

Each line of the truth is one claim of one paper: `paper` (its file), `dataset`, `method`, `metric`,
`value`; texts need to be contained in what is found, without regard to case, `|` parts several
spellings, and an empty text is not compared. A paper with the value `no table` has none.
A claim is found where its number is, and right where data set, method and metric fit, too.
"""

from __future__ import annotations

import csv
import resource
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from mle_modernizer_server.domain.claim import Claim
from mle_modernizer_server.papers.read import read_paper
from mle_modernizer_server.reproducing.claims.find import claims_of


def fits(wanted: str, found: str) -> bool:
    """Whether a text of the truth fits what was found."""
    plain = found.casefold()
    return not wanted or any(part.strip().casefold() in plain for part in wanted.split("|"))


def judged(truth: dict[str, str], claims: Sequence[Claim]) -> tuple[bool, bool]:
    """Whether a claim's number is among the claims, and whether one with it is right."""
    value = truth["value"].rstrip("%")
    near = [one for one in claims if f"{one.value:.{one.decimals}f}" == value]
    right = any(
        fits(truth["dataset"], one.dataset)
        and fits(truth["method"], one.method)
        and fits(truth["metric"], one.metric)
        for one in near
    )
    return bool(near), right


def main() -> None:
    """Print a line a paper, and the whole."""
    truth: dict[str, list[dict[str, str]]] = defaultdict(list)
    with Path(sys.argv[1]).open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            truth[row["paper"]].append(row)
    total = [0, 0, 0]
    print("seconds  tables  claims  truth  found  right  paper")
    for name, rows in truth.items():
        begun = time.monotonic()
        paper = read_paper(Path(name))
        seconds = time.monotonic() - begun
        claims = claims_of(paper)
        results = [judged(row, claims) for row in rows if row["value"] != "no table"]
        found, right = (sum(one[index] for one in results) for index in (0, 1))
        total = [sum(pair) for pair in zip(total, (len(results), found, right), strict=True)]
        counts = f"{len(paper.tables):6}  {len(claims):6}  {len(results):5}  {found:5}  {right:5}"
        print(f"{seconds:7.1f}  {counts}  {Path(name).parent.name}/{Path(name).name}")
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
    print(
        f"numbers found {total[1] / max(1, total[0]):.1%}, claims right "
        f"{total[2] / max(1, total[0]):.1%} of {total[0]}; most memory {peak} MB"
    )


if __name__ == "__main__":
    main()
