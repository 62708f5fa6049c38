"""Select the rows of labelled data to hold out as a competition's answers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from mle_modernizer_server.domain.competition import Split, SplitKind
from mle_modernizer_server.domain.errors import BadCompetition
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.grading.cells import number


def held_out(split: Split, rows: int, cells: Sequence[str] = ()) -> npt.NDArray[np.bool_]:
    """Return a mask of the rows to hold out.

    Args:
        split: The way.
        rows: How many rows there are.
        cells: The labels, groups or times the way goes by; empty for `RANDOM`.

    Raises:
        BadCompetition: No row would be left on one side.
    """
    if not 0 < split.share < 1:
        raise BadCompetition(coded("holdout.share", share=split.share))
    random = np.random.default_rng(split.seed)
    mask = np.zeros(rows, dtype=bool)
    wanted = round(rows * split.share)
    if split.kind is SplitKind.RANDOM:
        mask[random.permutation(rows)[:wanted]] = True
    elif split.kind is SplitKind.TIME:
        mask[order_by_time(cells)[rows - wanted :]] = True
    else:
        names, codes = np.unique(np.asarray(cells, dtype=object).astype(str), return_inverse=True)
        codes = codes.reshape(-1)
        if split.kind is SplitKind.STRATIFIED:
            for code in range(len(names)):
                members = random.permutation(np.flatnonzero(codes == code))
                mask[members[: round(len(members) * split.share)]] = True
        else:
            for code in random.permutation(len(names)):
                if mask.sum() >= wanted:
                    break
                mask[codes == code] = True
    if not mask.any() or mask.all():
        raise BadCompetition(coded("holdout.empty-side", rows=rows, share=split.share))
    return mask


def order_by_time(cells: Sequence[str]) -> npt.NDArray[np.intp]:
    """Return the order of the rows: numbers by value, other times (ISO dates) as texts."""
    values = [number(text) for text in cells]
    if all(value is not None for value in values):
        return np.argsort(np.array(values, dtype=np.float64), kind="stable")
    return np.array(sorted(range(len(cells)), key=lambda row: cells[row]), dtype=np.intp)
