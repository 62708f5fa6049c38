"""A submission and the answers, paired row by row, as numbers and texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mle_modernizer_server.domain.competition import Competition, Matching, Metric
from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.grading.cells import MISSING, number, numbers, reads_as_number
from mle_modernizer_server.grading.csv_table import Table
from mle_modernizer_server.grading.matching import Match
from mle_modernizer_server.grading.metric_facts import FACTS
from mle_modernizer_server.grading.metrics.numbers import Floats
from mle_modernizer_server.grading.refusal import (
    InvalidSubmission,
    Stage,
    UnusableAnswers,
    shown,
)


@dataclass(frozen=True)
class Pair:
    """Input of a metric.

    Attributes:
        submission: Its needed columns, the targets under the competition's names.
        answers: The private answers.
        match: The rows that belong together.
        competition: Whose they are.
    """

    submission: Table
    answers: Table
    match: Match
    competition: Competition

    def option(self, name: str) -> float:
        """Return an option of the metric, as the competition has it or by default."""
        facts = FACTS[self.competition.metric]
        return self.competition.options.get(name, facts.options[name])

    def line(self, row: int) -> int:
        """Return the line in the submission's file of a pair of rows."""
        return self.submission.lines[int(self.match.rows[row])]

    def predicted_cells(self, column: str) -> list[str]:
        """Return the submission's cells of a column, pair by pair; empty ones by the rules."""
        cells = self._filled(column)
        if _in_order(self.match.rows, len(cells)):
            return cells
        return [cells[row] for row in self.match.rows.tolist()]

    def true_cells(self, column: str) -> list[str]:
        """Return the answers' cells of a column, pair by pair."""
        cells = self.answers.columns[column]
        if _in_order(self.match.truth_rows, len(cells)):
            return cells
        return [cells[row] for row in self.match.truth_rows.tolist()]

    def _filled(self, column: str) -> list[str]:
        cells = self.submission.columns[column]
        fill = self.competition.empty_as.get(column)
        return cells if fill is None else [fill if text in MISSING else text for text in cells]

    def predicted_numbers(self) -> Floats:
        """Return the predictions, rows by target columns.

        Raises:
            InvalidSubmission: A value is no number or outside the competition's range.
        """
        rows = self.match.rows
        names = self.competition.target_columns
        if self.competition.matching in (Matching.SUBSET, Matching.SUPERSET):
            for name in names:
                self._check_unscored(name)
            lines = [self.submission.lines[row] for row in rows.tolist()]
            table = np.column_stack(
                [numbers(self.predicted_cells(name), lines, name) for name in names]
            )
            self._check_range(table, rows.tolist())
            return table
        table = np.column_stack([self._predictions(name) for name in names])
        self._check_range(table, range(len(table)))
        return table if _in_order(rows, len(table)) else table[rows]

    def _predictions(self, name: str) -> Floats:
        known = self.submission.numbers.get(name)
        if known is not None and name not in self.competition.empty_as:
            return known
        return numbers(self._filled(name), self.submission.lines, name)

    def _check_unscored(self, name: str) -> None:
        """Return the text in a row that is not scored: the column is none of numbers to pandas."""
        scored = set(self.match.rows.tolist())
        for row, text in enumerate(self.submission.columns[name]):
            if row not in scored and not reads_as_number(text):
                raise InvalidSubmission(
                    Stage.VALUES,
                    coded(
                        "csv.unscored-text",
                        line=self.submission.lines[row],
                        column=shown(name),
                        value=shown(text),
                    ),
                )

    def true_numbers(self) -> Floats:
        """Return the truth, rows by answer columns.

        Raises:
            UnusableAnswers: A value is no number.
        """
        return self.numbers_of_answers(self.competition.answer_columns)

    def numbers_of_answers(self, names: Sequence[str], empty: str | None = None) -> Floats:
        """Return columns of the answers as numbers, rows by columns.

        Args:
            names: The columns.
            empty: Value of an empty cell; None: it is an error.

        Raises:
            UnusableAnswers: A value is no number.
        """
        columns = []
        remembered = self.answers.numbers
        # for the sample submission and every other one the same millions of cells
        whole = empty is None and _in_order(self.match.truth_rows, len(self.answers))
        for name in names:
            if whole and name in remembered:
                columns.append(remembered[name])
                continue
            cells = self.true_cells(name)
            if empty is not None:
                cells = [empty if text in MISSING else text for text in cells]
            try:
                columns.append(numbers(cells, _Lines(self), name))
            except InvalidSubmission as error:
                raise UnusableAnswers(error.message) from error
            if whole:
                remembered[name] = columns[-1]
        return np.column_stack(columns)

    def support(self, role: str) -> str:
        """Return the answers' column that plays a role.

        Raises:
            UnusableAnswers: The competition names none.
        """
        try:
            return self.competition.support[role]
        except KeyError as error:
            raise UnusableAnswers(coded("answers.no-role", role=repr(role))) from error

    def _check_range(self, predicted: Floats, rows: Sequence[int]) -> None:
        competition = self.competition
        low, high = -np.inf, np.inf
        expected: Messages = ()
        if competition.value_range is not None:
            low, high = competition.value_range
            expected = coded("csv.value-between", low=low, high=high)
        elif competition.probability or competition.metric is Metric.LOG_LOSS:
            low, high, expected = 0.0, 1.0, coded("csv.probability")
        elif competition.metric is Metric.RMSLE:
            low, expected = 0.0, coded("csv.not-negative")
        if not expected or (predicted.min() >= low and predicted.max() <= high):
            return
        outside = np.argwhere((predicted < low) | (predicted > high))
        row, column = rows[int(outside[0][0])], int(outside[0][1])
        name = competition.target_columns[column]
        raise InvalidSubmission(
            Stage.VALUES,
            coded(
                "csv.outside",
                line=self.submission.lines[row],
                column=shown(name),
                value=shown(self.submission.columns[name][row]),
                expected=expected,
                more=coded("csv.and-more", rest=len(outside) - 1) if len(outside) > 1 else (),
            ),
        )


class _Lines(Sequence[int]):
    """Lines in the answers' file, pair by pair, worked out only for a message."""

    def __init__(self, pair: Pair) -> None:
        self._pair = pair

    def __len__(self) -> int:
        return len(self._pair.match.truth_rows)

    def __getitem__(self, row: object) -> int:  # type: ignore[override]  # no slices here
        if not isinstance(row, int):
            raise TypeError(row)
        return self._pair.answers.lines[int(self._pair.match.truth_rows[row])]


def scored_rows(match: Match, submission: Table, answers: Table, competition: Competition) -> Match:
    """Return the pairs that are scored."""
    keep = np.ones(len(answers), dtype=bool)
    for name, wanted in competition.scored_where.items():
        keep &= np.array([_same(text, wanted) for text in answers.columns[name]])
    if competition.options.get("skip_negative"):
        cells = [answers.columns[name] for name in competition.answer_columns]
        sums = np.sum([numbers(column, answers.lines, "") for column in cells], axis=0)
        keep &= sums >= 0
    if competition.options.get("latest"):
        keep &= _latest(answers, competition)
    if keep.all():
        return match
    if not competition.scored_by_position:
        chosen = keep[match.truth_rows]
        return Match(match.rows[chosen], match.truth_rows[chosen], match.note)
    name = competition.id_columns[0]
    truth = match.truth_rows[keep[match.truth_rows]].tolist()
    given, expected = submission.columns[name], answers.columns[name]
    standing = sorted(np.flatnonzero(keep).tolist(), key=given.__getitem__)
    return Match(
        np.array(standing, dtype=np.intp),
        np.array(sorted(truth, key=expected.__getitem__), dtype=np.intp),
        match.note,
    )


def _same(text: str, wanted: str) -> bool:
    value, other = number(text), number(wanted)
    return text.strip() == wanted if value is None or other is None else value == other


def _latest(answers: Table, competition: Competition) -> npt.NDArray[np.bool_]:
    """Return the last few rows with a truth of each group; the id ends on `_` and the time."""
    groups = answers.columns[competition.support["group"]]
    ids = answers.columns[competition.id_columns[0]]
    truth = answers.columns[competition.answer_columns[0]]
    times: dict[str, list[tuple[int, int]]] = {}
    for row, (group, key, cell) in enumerate(zip(groups, ids, truth, strict=True)):
        if cell not in MISSING:
            times.setdefault(group, []).append((int(key.rsplit("_", 1)[-1]), row))
    keep = np.zeros(len(answers), dtype=bool)
    for rows in times.values():
        for _, row in sorted(rows)[-int(competition.options["latest"]) :]:
            keep[row] = True
    return keep


def _in_order(rows: npt.NDArray[np.intp], length: int) -> bool:
    return len(rows) == length and bool((rows == np.arange(length)).all())
