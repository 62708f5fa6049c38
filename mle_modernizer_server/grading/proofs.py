"""Judge whether a result comes from a model: pure, from scores, predictions and failing cells.

A result that a model's edits led to is worth nothing if its predictions are hard-coded. Code can
deceive; the change of the result when the labels or the rows are permuted cannot (permutation
tests: Ojala and Garriga, JMLR 11, 2010; target shuffling).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from mle_modernizer_server.domain.verification import Proof, ProofCode, ProofKind, ProofOutcome
from mle_modernizer_server.grading.csv_table import Table

Predictions = Mapping[str, tuple[str, ...]]
"""The predictions of a submission by id, in the order of its rows."""

_SEPARATOR = "\x1f"
_LEAST_LOSS = 0.25
"""Share of a score's lead over the floor that permuted labels must cost."""
_KEPT = 0.05
_NEAR = 0.25
"""Share of the distance between arbitrary rows that predictions may differ and still agree."""
_EQUAL = 1e-9
_ROUNDED = 1e-5
"""Share of the largest prediction by which batches of another size may move one."""


def predictions_of(table: Table, ids: Sequence[str], targets: Sequence[str]) -> Predictions:
    """Return the predictions of a submission.

    Args:
        table: The submission.
        ids: Its id columns; if it has none of them, a row's position is its id.
        targets: The columns that hold the predictions; absent ones are left out.
    """
    columns = [table.columns[name] for name in targets if name in table.columns]
    keys = [table.columns[name] for name in ids if name in table.columns]
    values = list(zip(*columns, strict=True)) if columns else [()] * len(table)
    if not keys:
        return {str(at): value for at, value in enumerate(values)}
    return {
        joined_id(key): value for key, value in zip(zip(*keys, strict=True), values, strict=True)
    }


def ids_of(name: str) -> list[str]:
    """Return the parts of an id that `joined_id` made."""
    return name.split(_SEPARATOR)


def joined_id(parts: Sequence[str]) -> str:
    """Return one text for an id of several columns; numbers by value, as `1` and `1.0`."""
    return _SEPARATOR.join(_plain(part) for part in parts)


def judge_label_shuffle(
    score_normal: float | None,
    score_shuffled: float | None,
    floor: float | None,
    spread: float,
    *,
    deviation: float = 0.0,
    higher_is_better: bool = True,
    same_submission: bool = False,
) -> Proof:
    """Judge whether permuted training labels cost the score.

    Args:
        score_normal: The score of the run as it is.
        score_shuffled: The score of the run with permuted labels.
        floor: The score of a prediction without knowledge, if known.
        spread: Range of the scores of clean runs of the notebook; 0 if unknown.
        deviation: Standard deviation of the score over other held-out rows: a smaller lead over the
            floor may be chance. 0 if unknown.
        higher_is_better: The direction of the metric.
        same_submission: Both runs wrote the same predictions.
    """
    judged = partial(_label, score_normal, score_shuffled, floor)
    if same_submission:
        return judged(ProofOutcome.FAILED, ProofCode.LABELS_UNUSED)
    if score_normal is None or score_shuffled is None:
        return judged(ProofOutcome.UNCLEAR, ProofCode.NO_SCORE)
    sign = 1 if higher_is_better else -1
    lost = (score_normal - score_shuffled) * sign
    reach = abs(score_normal) if floor is None else (score_normal - floor) * sign
    if floor is not None and reach <= max(spread, deviation, _EQUAL):
        return judged(ProofOutcome.UNCLEAR, ProofCode.NO_BETTER_THAN_FLOOR)
    least = (_LEAST_LOSS if floor is not None else _KEPT) * reach
    if lost > max(2 * spread, least):
        return judged(ProofOutcome.PASSED, ProofCode.LABELS_MATTER)
    if lost <= max(spread, _KEPT * reach if floor is not None else _EQUAL):
        return judged(ProofOutcome.FAILED, ProofCode.SCORE_KEPT)
    return judged(ProofOutcome.UNCLEAR, ProofCode.SCORE_FELL_LITTLE)


def judge_printed_score(
    score_normal: float | None,
    score_shuffled: float | None,
    spread: float,
    *,
    higher_is_better: bool = True,
) -> Proof:
    """Judge whether a printed score is computed in the run, not hard-coded.

    Args:
        score_normal: The score that the unchanged run printed.
        score_shuffled: The score that the run with permuted labels printed.
        spread: Range of the scores of clean runs of the notebook; 0 if unknown.
        higher_is_better: The direction of the metric.
    """
    if score_normal is not None and score_normal == score_shuffled:
        code = ProofCode.SCORE_NOT_COMPUTED
        return _label(score_normal, score_shuffled, None, ProofOutcome.FAILED, code)
    return judge_label_shuffle(
        score_normal, score_shuffled, None, spread, higher_is_better=higher_is_better
    )


@dataclass(frozen=True)
class RowScores:
    """The scores of runs on the test rows as they are and in another order.

    Attributes:
        normal: Of the run on the data as they are.
        moved: Of the predictions on permuted rows, under the ids that the rows had before.
        floor: Score of a prediction without knowledge; None if unknown.
        spread: Standard deviation of the notebook's score; 0 if unknown.
        higher_is_better: The direction of the metric.
        again: Of a second run on the data as they are; None if there was none.
    """

    normal: float
    moved: float
    floor: float | None
    spread: float = 0.0
    higher_is_better: bool = True
    again: float | None = None

    def is_lost(self, share: float) -> bool:
        """Return whether more than a share of the score's lead over the floor is lost.

        A loss within the notebook's own variation does not count.
        """
        sign = 1 if self.higher_is_better else -1
        lost = (self.normal - self.moved) * sign
        reach = abs(self.normal) if self.floor is None else (self.normal - self.floor) * sign
        varied = 0.0 if self.again is None else abs(self.normal - self.again)
        return reach > 0 and lost > max(2 * max(self.spread, varied), share * reach, _EQUAL)


def moved_back(
    submission: Predictions, on_permuted: Predictions, moved: Mapping[str, str]
) -> Predictions:
    """Return the predictions on permuted rows under the ids that the rows had before.

    Args:
        submission: The predictions of the run as it is; the order of the rows.
        on_permuted: Those of the run with test rows and ids permuted.
        moved: By the id a row had, its id in the permuted data.
    """
    new = {_even(old): _even(name) for old, name in moved.items()}
    return {
        old: on_permuted[new[old]] for old in submission if old in new and new[old] in on_permuted
    }


def judge_row_shuffle(
    submission: Predictions,
    on_permuted: Predictions,
    moved: Mapping[str, str],
    scores: RowScores | None = None,
    again: Predictions | None = None,
) -> Proof:
    """Return whether the predictions go with the test rows, and keep their score.

    If it is open, `ORDER_MATTERS` and `ROWS_COST_SCORE` ask for a second run on the data as they
    are: a notebook that repeats itself has no excuse.

    Args:
        submission: The predictions of the run as it is.
        on_permuted: Those of the run with test rows and ids permuted.
        moved: By the id a row had, its id in the permuted data.
        scores: Of both; None if one cannot be graded.
        again: The predictions of a second run as it is; None if there was none.
    """
    back = moved_back(submission, on_permuted, moved)
    if not back or len(back) < 0.9 * len(submission):
        return _rows(ProofOutcome.UNCLEAR, ProofCode.IDS_DIFFER)
    first = [submission[old] for old in back]
    apart = _distance(first, [*first[len(first) // 3 :], *first[: len(first) // 3]])
    apart = max(apart, _distance(first, list(reversed(first))))
    if apart <= _EQUAL:
        return _rows(ProofOutcome.FAILED, ProofCode.ALL_THE_SAME)
    follow = _distance(first, list(back.values())) / apart
    limit = _LEAST_LOSS if follow <= _KEPT else _KEPT
    if follow <= _NEAR and (scores is None or not scores.is_lost(limit)):
        return _rows(ProofOutcome.PASSED, ProofCode.FOLLOWS_ROWS, follow)
    code = ProofCode.ROWS_COST_SCORE
    if follow > _NEAR:
        code = ProofCode.ORDER_MATTERS
        by_id = _distance(first, [on_permuted.get(old, ()) for old in back]) / apart
        if by_id <= _KEPT:
            return _rows(ProofOutcome.FAILED, ProofCode.FOLLOWS_IDS, by_id)
        by_place = _distance(list(submission.values()), list(on_permuted.values())) / apart
        if by_place <= _KEPT:
            return _rows(ProofOutcome.FAILED, ProofCode.FOLLOWS_PLACES, by_place)
    if again is None:
        return _rows(ProofOutcome.UNCLEAR, code, follow, scores)
    if rows_agree(again, submission):
        return _rows(ProofOutcome.FAILED, code, follow, scores)
    if scores is not None and scores.is_lost(_LEAST_LOSS):
        return _rows(ProofOutcome.FAILED, ProofCode.ROWS_COST_SCORE, follow, scores)
    return _rows(ProofOutcome.UNCLEAR, ProofCode.VARIES, follow, scores)


def rows_agree(part: Predictions, whole: Predictions) -> bool:
    """Return whether the predictions of one submission equal those in another, but for rounding."""
    return bool(part) and part.keys() <= whole.keys() and not _moved(part, whole)


def judge_half_rows(whole: Predictions, half: Predictions, again: Predictions | None) -> Proof:
    """Judge whether the prediction of a test row depends on which other test rows there are.

    Args:
        whole: The predictions of a run on all test rows.
        half: Those of a run on half of them.
        again: Those of a second run on all, which reveal a notebook that varies from run to run;
            None if the half agrees, so that no such run is needed.
    """
    judged = partial(_proof, ProofKind.HALF_ROWS)
    if not half or not half.keys() <= whole.keys():
        return judged(ProofOutcome.UNCLEAR, ProofCode.IDS_DIFFER)
    moved = _moved(half, whole)
    if not moved:
        return judged(ProofOutcome.PASSED, ProofCode.ROWS_ALONE)
    if again is None or not rows_agree(again, whole):
        return judged(ProofOutcome.UNCLEAR, ProofCode.VARIES)
    rows = str(len(half))
    return judged(ProofOutcome.FAILED, ProofCode.ROWS_TOGETHER, moved=str(moved), rows=rows)


def same_predictions(submission: Predictions, other: Predictions) -> bool:
    """Return whether two submissions predict the same for the same rows, but for rounding."""
    if not submission or other.keys() != submission.keys():
        return False
    return all(_equal(row, other[key]) for key, row in submission.items())


def judge_copy(copy_of: str) -> Proof:
    """Judge whether a submission is one that was there before the run: the sample, or another file.

    Args:
        copy_of: The file that has the same predictions; "" if none.
    """
    if copy_of:
        return _proof(ProofKind.NO_COPY, ProofOutcome.FAILED, ProofCode.COPY, file=copy_of)
    return _proof(ProofKind.NO_COPY, ProofOutcome.PASSED, ProofCode.OWN)


def judge_way(failing: Collection[str]) -> Proof:
    """Judge whether a result may be judged: not while cells that it depends on fail.

    Args:
        failing: Ids of the failing cells that the submission depends on.
    """
    if failing:
        cells = ", ".join(sorted(failing))
        return _proof(ProofKind.WAY, ProofOutcome.UNCLEAR, ProofCode.CELLS_FAILED, cells=cells)
    return _proof(ProofKind.WAY, ProofOutcome.PASSED, ProofCode.CELLS_RAN)


def _proof(kind: ProofKind, outcome: ProofOutcome, code: ProofCode, **parameters: str) -> Proof:
    return Proof(kind=kind, outcome=outcome, code=code, parameters=parameters)


def _label(
    normal: float | None,
    shuffled: float | None,
    floor: float | None,
    outcome: ProofOutcome,
    code: ProofCode,
) -> Proof:
    scores = {"normal": normal, "shuffled": shuffled, "floor": floor}
    known = {name: f"{value:.6g}" for name, value in scores.items() if value is not None}
    return _proof(ProofKind.LABEL_SHUFFLE, outcome, code, **known)


def _rows(
    outcome: ProofOutcome,
    code: ProofCode,
    share: float | None = None,
    scores: RowScores | None = None,
) -> Proof:
    parameters = {} if share is None else {"share": f"{share:.3f}"}
    if scores is not None:
        parameters |= {"normal": f"{scores.normal:.6g}", "moved": f"{scores.moved:.6g}"}
    return _proof(ProofKind.ROW_SHUFFLE, outcome, code, **parameters)


def _moved(part: Predictions, whole: Predictions) -> int:
    """Return how many rows of one submission have other predictions in another, beyond rounding."""
    largest = max((abs(value) for row in part.values() for value in _numbers(row) or ()), default=0)
    moved = 0
    for key, row in part.items():
        gaps = _gaps(row, whole[key])
        if gaps is None:
            moved += row != whole[key]
        else:
            moved += any(gap > _ROUNDED * largest for gap in gaps)
    return moved


def _distance(one: Sequence[tuple[str, ...]], other: Sequence[tuple[str, ...]]) -> float:
    """Return the mean difference of numeric predictions, else the share that differ."""
    if len(one) != len(other) or not one:
        return math.inf
    total = 0.0
    for row, there in zip(one, other, strict=True):
        gaps = _gaps(row, there)
        total += (row != there) if gaps is None else sum(gaps)
    return total / len(one)


def _equal(row: Sequence[str], there: Sequence[str]) -> bool:
    if row == there:
        return True
    first, second = _numbers(row), _numbers(there)
    if first is None or second is None or len(first) != len(second):
        return False
    return all(
        math.isclose(one, other, rel_tol=_EQUAL, abs_tol=1e-12)
        for one, other in zip(first, second, strict=True)
    )


def _gaps(row: Sequence[str], there: Sequence[str]) -> list[float] | None:
    """Return how far predictions are apart, value by value; None if they are not all numbers."""
    first, second = _numbers(row), _numbers(there)
    if first is None or second is None or len(first) != len(second):
        return None
    return [abs(one - other) for one, other in zip(first, second, strict=True)]


def _numbers(row: Sequence[str]) -> list[float] | None:
    try:
        found = [float(value) for value in row]
    except ValueError:
        return None
    return found if all(map(math.isfinite, found)) else None


def _even(name: str) -> str:
    """Return an id as `joined_id` makes it."""
    return joined_id(ids_of(name))


def _plain(text: str) -> str:
    text = text.strip()
    try:
        value = float(text)
    except ValueError:
        return text
    return str(int(value)) if value.is_integer() and abs(value) < 2**53 else text
