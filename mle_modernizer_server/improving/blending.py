"""Blends of versions: weights from the predictions on the folds, and the notebook that blends.

The weights are found by greedy ensemble selection with replacement (Caruana, Niculescu-Mizil, Crew
and Ksikes, *Ensemble selection from libraries of models*, ICML 2004). Weights look better than they
are on the answers they were chosen on. So a blend is offered only if, for each fold left out in
turn, weights chosen on the other folds beat the member that is best on those other folds.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mle_modernizer_server.domain.competition import Competition, Matching
from mle_modernizer_server.domain.notebook import Cell, CellType, Notebook
from mle_modernizer_server.grading.cells import number
from mle_modernizer_server.grading.competitions import Competitions
from mle_modernizer_server.grading.csv_table import Table, read_table
from mle_modernizer_server.grading.metric_facts import FACTS, Takes
from mle_modernizer_server.grading.proofs import Predictions, joined_id
from mle_modernizer_server.grading.refusal import InvalidSubmission, UnusableAnswers
from mle_modernizer_server.grading.scoring import compute
from mle_modernizer_server.grading.validation import paired

KIND = "blend"
_ROUNDS = 12
_MOST_MEMBERS = 3
Values = npt.NDArray[np.float64]


def may_be_blended(competition: Competition) -> bool:
    """Return whether predictions are numbers, which can be averaged row by row."""
    takes = FACTS[competition.metric].takes
    return takes is Takes.NUMBERS and competition.matching is Matching.ID


@dataclass(frozen=True)
class FoldAnswers:
    """The sealed answers of one fold.

    Attributes:
        competition: The fold as a competition.
        answers: Its answers.
    """

    competition: Competition
    answers: Table

    @classmethod
    def of(cls, competitions: Competitions, slug: str) -> FoldAnswers:
        """Return the answers of the fold in that folder.

        Raises:
            InvalidSubmission: They cannot be read.
            ModernizerError: There is no such fold.
        """
        competition = competitions.get(slug)
        return cls(competition, read_table(competitions.root / slug / competition.answers))

    def values(self, predictions: Predictions) -> Values | None:
        """Return predictions as numbers, one row per answer; None if one is missing."""
        ids = [self.answers.columns[name] for name in self.competition.id_columns]
        rows: list[list[float]] = []
        for key in zip(*ids, strict=True):
            cells = [number(text) for text in predictions.get(joined_id(key), ())]
            known = [cell for cell in cells if cell is not None]
            if not known or len(known) < len(self.competition.target_columns):
                return None
            rows.append(known)
        return np.asarray(rows, dtype=np.float64)

    def score(self, values: Values) -> float | None:
        """Return the score of predictions; None if they cannot be graded."""
        names = (*self.competition.id_columns,)
        columns = {name: self.answers.columns[name] for name in names}
        for at, name in enumerate(self.competition.target_columns):
            columns[name] = [repr(float(value)) for value in values[:, at]]
        for name in self.competition.required_columns:
            columns[name] = ["0"] * len(self.answers)
        table = Table(tuple(columns), columns, range(2, len(self.answers) + 2))
        try:
            found = compute(paired(table, self.answers, self.competition)[0])[0]
        except (InvalidSubmission, UnusableAnswers):
            return None
        return found if math.isfinite(found) else None


def chosen_weights(
    members: Mapping[str, Sequence[Predictions]],
    folds: Sequence[FoldAnswers],
    *,
    higher_is_better: bool,
) -> dict[str, float]:
    """Return the weights of the best blend of at most three; empty if no blend is worth a run.

    Args:
        members: By version: its predictions on each fold.
        folds: The folds.
        higher_is_better: The direction of the metric.
    """
    values: dict[str, list[Values]] = {}
    for name, by_fold in members.items():
        read = [fold.values(one) for fold, one in zip(folds, by_fold, strict=True)]
        known = [one for one in read if one is not None]
        if len(known) == len(folds):
            values[name] = known
    if len(values) < 2 or len(folds) < 2:
        return {}
    selection = _Selection(values, folds, 1 if higher_is_better else -1)
    every = tuple(range(len(folds)))
    gains: list[float] = []
    for left in every:
        others = tuple(at for at in every if at != left)
        alone = selection.best_alone(others)
        gains.append(
            selection.value(selection.greedy(others), (left,))
            - selection.value(Counter([alone]), (left,))
        )
    picked = selection.greedy(every)
    if len(picked) < 2 or not math.fsum(gains) > 0:
        return {}
    total = sum(picked.values())
    return {name: count / total for name, count in picked.most_common()}


class _Selection:
    """Greedy selection of members, each as often as it helps.

    Args:
        values: By member: its predictions on each fold.
        folds: The folds.
        sign: 1 if higher is better, else -1.
    """

    def __init__(
        self, values: Mapping[str, Sequence[Values]], folds: Sequence[FoldAnswers], sign: int
    ) -> None:
        self._values = values
        self._folds = folds
        self._sign = sign

    def value(self, picked: Counter[str], places: Sequence[int]) -> float:
        """Return the quality of a blend on some folds, higher is better; -inf without a score."""
        total = sum(picked.values())
        scores: list[float] = []
        for at in places:
            parts = [count / total * self._values[name][at] for name, count in picked.items()]
            score = self._folds[at].score(np.sum(parts, axis=0))
            if score is None:
                return -math.inf
            scores.append(self._sign * score)
        return math.fsum(scores) / len(scores)

    def best_alone(self, places: Sequence[int]) -> str:
        """Return the single member with the best score."""
        return max(self._values, key=lambda name: self.value(Counter([name]), places))

    def greedy(self, places: Sequence[int]) -> Counter[str]:
        """Return the best blend seen while members are added one by one."""
        now = Counter([self.best_alone(places)])
        best, worth = now, self.value(now, places)
        for _ in range(_ROUNDS):
            open_to = self._values if len(now) < _MOST_MEMBERS else now
            tried = [now + Counter([name]) for name in open_to]
            values = [self.value(one, places) for one in tried]
            now = tried[int(np.argmax(values))]
            if max(values) > worth:
                best, worth = now, max(values)
        return best


def blended(
    members: Sequence[tuple[str, Notebook, float]], competition: Competition, submission: str
) -> Notebook:
    """Return a notebook that runs all members and blends their submissions.

    Args:
        members: Name, notebook and weight of each; the first one's cells keep their ids.
        competition: The competition of their submissions.
        submission: The file each of them writes.
    """
    ids, targets = list(competition.id_columns), list(competition.target_columns)
    kinds = dict.fromkeys(ids, "str")
    dtype = "{" + ", ".join(f"{name!r}: {kind}" for name, kind in kinds.items()) + "}"
    cells: list[Cell] = []
    for place, (_, notebook, _) in enumerate(members, start=1):
        if place > 1:
            text = f"## Model {place} of {len(members)}\n\nThe notebook once more, with the change."
            cells.append(Cell(id=f"blend-{place}", type=CellType.MARKDOWN, source=text))
        for at, cell in enumerate(notebook.cells):
            if place == 1:
                cells.append(cell)
            elif cell.type is CellType.CODE:
                cells.append(cell.model_copy(update={"id": f"blend-{place}-{at}"}))
        kept = (
            f"import pandas\n\nsubmitted_{place} = pandas.read_csv({submission!r}, dtype={dtype})\n"
            f"submitted_{place} = submitted_{place}.set_index({ids!r})"
        )
        cells.append(Cell(id=f"blend-kept-{place}", type=CellType.CODE, source=kept))
    terms = [
        f"{weight:.4g} * submitted_{place}.loc[blend.index, targets]"
        for place, (_, _, weight) in enumerate(members, start=1)
    ]
    source = (
        "# The average of the models' predictions; the weights were chosen on validation folds.\n"
        f"targets = {targets!r}\nblend = submitted_1.copy()\nblend[targets] = (\n    "
        + "\n    + ".join(terms)
        + f"\n)\nblend.reset_index().to_csv({submission!r}, index=False)"
    )
    cells.append(Cell(id="blend", type=CellType.CODE, source=source))
    return members[0][1].model_copy(update={"cells": tuple(cells)})
