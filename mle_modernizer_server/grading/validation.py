"""A submission against the answers: is it valid, and which rows belong together.

The rules are those of MLE-bench's graders (https://github.com/openai/mle-bench): the columns must
be there, the ids must be those of the answers, the values must be of the metric's kind. If one of
its graders is peculiar, the peculiarity is data of the competition.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import TYPE_CHECKING

from mle_modernizer_server.domain.competition import ColumnRule, Competition, Matching
from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.grading.csv_table import Table
from mle_modernizer_server.grading.refusal import (
    InvalidSubmission,
    Stage,
    UnusableAnswers,
    examples,
    shown,
)

if TYPE_CHECKING:
    from mle_modernizer_server.grading.pairs import Pair

_INDEX = {"", "Unnamed: 0"}
"""Names that pandas writes for the column of an index."""


def submission_columns(competition: Competition) -> tuple[str, ...]:
    """Return the columns of a submission that are read."""
    return competition.id_columns + competition.target_columns + competition.required_columns


def meant_columns(header: Sequence[str], competition: Competition) -> dict[str, str]:
    """Return the columns of a submission whose names are nearly the competition's.

    They differ in upper and lower case or in spaces around them only, or the only id column is
    called `id`.

    Args:
        header: The columns' names in the file.
        competition: Names the columns.

    Returns:
        By its name in the file, the name that is meant.
    """
    spare = [name for name in header if name not in submission_columns(competition)]
    meant: dict[str, str] = {}
    for wanted in submission_columns(competition):
        if wanted in header:
            continue
        names = {wanted.strip().lower()}
        if (wanted,) == competition.id_columns:
            names.add("id")
        near = [name for name in spare if name.strip().lower() in names]
        if len(near) == 1:
            meant[near[0]] = wanted
    return meant if len(set(meant.values())) == len(meant) else {}


def answers_columns(competition: Competition) -> tuple[str, ...]:
    """Return the columns of the answers that are read, each once."""
    named = (
        *competition.id_columns,
        *competition.answer_columns,
        *competition.scored_where,
        *competition.support.values(),
    )
    return tuple(dict.fromkeys(named))


def paired(submission: Table, answers: Table, competition: Competition) -> tuple[Pair, Messages]:
    """Return a submission with valid columns and rows, paired with the answers, and the faults
    ignored.

    Raises:
        InvalidSubmission: Its columns, rows or ids are not the competition's.
        UnusableAnswers: The answers are at fault.
    """
    # they load NumPy, which only the process that grades needs
    from mle_modernizer_server.grading.matching import match_rows
    from mle_modernizer_server.grading.pairs import Pair, scored_rows

    missing = [name for name in answers_columns(competition) if name not in answers.columns]
    if missing:
        raise UnusableAnswers(coded("answers.no-column", column=shown(missing[0])))
    if not len(answers):
        raise UnusableAnswers(coded("answers.no-rows"))
    _check_columns(submission, competition)
    extra = _extra_columns(submission, competition)
    if competition.columns is ColumnRule.BY_POSITION:
        submission = _targets_by_position(submission, competition)
    match = match_rows(submission, answers, competition)
    match = scored_rows(match, submission, answers, competition)
    if not len(match.rows):
        raise InvalidSubmission(Stage.ROWS, coded("csv.none-scored"))
    return Pair(submission, answers, match, competition), _renamed(submission) + extra


def _check_columns(submission: Table, competition: Competition) -> None:
    from mle_modernizer_server.grading.scoring import is_column_wise  # loads NumPy

    wanted = list(submission_columns(competition))
    if competition.matching is Matching.POSITION and is_column_wise(competition.metric):
        wanted = [name for name in wanted if name not in competition.id_columns]
    header = list(submission.header)
    missing = [name for name in wanted if name not in submission.columns]
    if missing:
        raise InvalidSubmission(Stage.COLUMNS, _missing(missing, header, wanted))
    rule = competition.columns
    extra = [name for name in header if name not in submission_columns(competition)]
    if rule is not ColumnRule.ANY and extra:
        raise InvalidSubmission(
            Stage.COLUMNS,
            coded(
                "csv.extra-columns",
                count=len(extra),
                columns=examples(extra),
                index=coded("csv.without-index") if set(extra) <= _INDEX else (),
                wanted=examples(wanted, 8),
            ),
        )
    if rule is ColumnRule.ID_FIRST and header[0] != competition.id_columns[0]:
        raise InvalidSubmission(
            Stage.COLUMNS,
            coded(
                "csv.id-not-first",
                column=shown(header[0]),
                expected=shown(competition.id_columns[0]),
            ),
        )
    if rule is ColumnRule.ORDERED and header != wanted:
        at = next(place for place, name in enumerate(wanted) if header[place] != name)
        raise InvalidSubmission(
            Stage.COLUMNS,
            coded(
                "csv.column-order",
                place=at + 1,
                column=shown(header[at]),
                expected=shown(wanted[at]),
            ),
        )


def _missing(missing: list[str], header: list[str], wanted: list[str]) -> Messages:
    spare = [name for name in header if name not in wanted]
    by_lower = {name.strip().lower(): name for name in reversed(spare)}
    near = difflib.get_close_matches(missing[0].lower(), list(by_lower), n=1, cutoff=0.6)
    message = coded(
        "csv.missing-columns",
        count=len(missing),
        columns=examples(missing, 5),
        there=examples(header, 8),
    )
    for separator, code in ((";", "csv.semicolons"), ("\t", "csv.tabs")):
        if len(header) == 1 and separator in header[0]:
            return message + coded(code)
    if near:
        meant = shown(by_lower[near[0]])
        message += coded("csv.meant", column=meant, expected=shown(missing[0]))
    return message


def _renamed(submission: Table) -> Messages:
    """Return a note on the columns that were taken for others."""
    pairs = [f"{shown(name)} as {shown(meant)}" for name, meant in submission.renamed.items()]
    return coded("csv.taken-as", columns=", ".join(pairs)) if pairs else ()


def _targets_by_position(submission: Table, competition: Competition) -> Table:
    standing = [name for name in submission.header if name in competition.target_columns]
    columns = {name: submission.columns[name] for name in competition.id_columns}
    for name, taken in zip(competition.target_columns, standing, strict=True):
        columns[name] = submission.columns[taken]
    return Table(
        submission.header, columns, submission.lines, submission.more_rows, submission.renamed
    )


def _extra_columns(submission: Table, competition: Competition) -> Messages:
    wanted = submission_columns(competition)
    extra = [name for name in submission.header if name not in wanted]
    if not extra:
        return ()
    if set(extra) <= _INDEX:
        return coded("csv.index-overlooked", index=coded("csv.without-index"))
    return coded("csv.overlooked", columns=examples(extra))
