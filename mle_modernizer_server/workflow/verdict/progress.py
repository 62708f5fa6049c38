"""Compare runs: which is the better one, and whether fixing makes progress. Pure."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from mle_modernizer_server.code.ipython import parsed
from mle_modernizer_server.code.traceback import UNPARSED, failing_lines, statement_lines
from mle_modernizer_server.domain.diagnosis import Diagnosis, ErrorKind, FixType, Outcome
from mle_modernizer_server.domain.execution import CellError, CellStatus, Ending
from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.domain.session import GradedRun, Iteration, grade_of

Errors = frozenset[tuple[str, str, str]]
_OF_THE_CALL = re.compile(
    "has no attribute|unexpected (?:keyword argument|attribute)|positional argument"
    "|required argument|cannot import name|No module named"
)
_QUOTED = re.compile(r"'([^']+)'")
_REACHED = 0.1
"""Difference in the share of outputs that decides between runs which are equal in all else."""
_ADDRESS = re.compile(r"0x[0-9a-fA-F]+")


def comparison(one: Iteration, other: Iteration) -> int:
    """Return a negative number if the first run is better than the other, a positive one if worse.

    A score inside the target's band comes first. Then count the other run's root errors that a run
    got past, then how far it got before its timeout, then its score, then the successful cells, and
    those with the same outputs as saved, and how far down the others are the same. A run that timed
    out behind an error of the other one is the better of the two: the notebook works further than
    it did. One that never reached the other's failure is not.
    """
    mine, its = _ended(one), _ended(other)
    if mine is None or its is None:
        return (mine is None) - (its is None)
    mine = replace(mine, parses=_parses_now(one, other))
    its = replace(its, parses=_parses_now(other, one))
    key, other_key = (
        (
            not run.reproducible,
            -len(_passed(run, against)),
            run.left,
            run.failed,
            run.lacks_submission,
            run.deviation,
            -run.well,
            -run.agreeing,
            -run.close,
        )
        for run, against in ((mine, its), (its, mine))
    )
    if key == other_key and abs(mine.reached - its.reached) > _REACHED:
        return -1 if mine.reached > its.reached else 1
    return (key > other_key) - (key < other_key)


@dataclass(frozen=True)
class _Ended:
    """Facts for comparing a run that came to a diagnosis.

    Attributes:
        status: Status of each cell, by its id.
        roots: The root errors by cell.
        errors: Those and their consequences, by cell.
        left: Cells that it did not reach.
        failed: Whether any cell failed.
        lacks_submission: Whether its submission is missing or not valid.
        well: Cells that ran without an error.
        agreeing: Cells that reproduced their saved outputs.
        close: Cells that reproduced these outputs with numbers within the threshold.
        reached: Sum, over the other cells, of the share of their output above its first difference.
        parses: Cells that the other run could not parse, and a fix made parseable.
    """

    reproducible: bool
    status: Mapping[str, CellStatus]
    roots: Mapping[str, CellError]
    errors: Mapping[str, CellError]
    left: int
    failed: bool
    lacks_submission: bool
    deviation: float
    well: int
    agreeing: int
    close: int
    reached: float
    parses: frozenset[str] = frozenset()


def _ended(iteration: Iteration) -> _Ended | None:
    """Return the facts for comparing a run; None if it came to no diagnosis."""
    execution, diagnosis = iteration.execution, iteration.diagnosis
    if execution is None or diagnosis is None:
        return None
    grade = grade_of(iteration)
    deviation = None if grade is None else grade.deviation
    agreement = iteration.agreement if isinstance(iteration, GradedRun) else None
    states = [cell.status for cell in execution.cells]
    return _Ended(
        reproducible=isinstance(diagnosis, Diagnosis) and diagnosis.outcome.reproducible,
        status={cell.cell_id: cell.status for cell in execution.cells},
        roots={item.error.cell_id: item.error for item in diagnosis.roots},
        errors={
            item.error.cell_id: item.error
            for item in diagnosis.findings
            if item.kind is not ErrorKind.HARMLESS
        },
        left=sum(state in (CellStatus.NOT_RUN, CellStatus.UNFINISHED) for state in states),
        failed=CellStatus.ERROR in states,
        lacks_submission=grade is not None and grade.lacks_submission,
        deviation=math.inf if deviation is None else deviation,
        well=states.count(CellStatus.OK),
        agreeing=0 if agreement is None else agreement.agreeing,
        close=0 if agreement is None else agreement.close,
        reached=0.0 if agreement is None else sum(cell.reached for cell in agreement.cells),
    )


def _passed(run: _Ended, other: _Ended) -> frozenset[str]:
    """Return the ids of the cells whose root error in another run a run got past.

    A cell that ended well is past its error, and so is one that was still running at the timeout:
    it no longer fails at once. One that fails differently is past it from a later line on, even if
    only because of an earlier cell.
    """
    return frozenset(
        cell
        for cell, error in other.roots.items()
        if cell in run.parses
        or run.status.get(cell) in (CellStatus.OK, CellStatus.UNFINISHED)
        or _is_behind(run.roots.get(cell), error)
        or _is_later(run.errors.get(cell), error)
    )


def passed_cells(run: Iteration, other: Iteration) -> frozenset[str]:
    """Return the ids of the cells whose root error in another run a run got past."""
    mine, its = _ended(run), _ended(other)
    if mine is None or its is None:
        return frozenset()
    return _passed(replace(mine, parses=_parses_now(run, other)), its)


def failing_otherwise(run: Iteration, other: Iteration) -> frozenset[str]:
    """Return the ids of the cells that fail in both runs, with another kind of error in `run` that
    is not behind the one in `other`."""
    mine, its = _ended(run), _ended(other)
    if mine is None or its is None:
        return frozenset()
    return frozenset(
        cell
        for cell in mine.roots.keys() & its.roots.keys() - passed_cells(run, other)
        if _kind(mine.roots[cell]) != _kind(its.roots[cell])
    )


def _kind(error: CellError) -> tuple[str, str]:
    """Return an error's class and message without the values that it names."""
    return error.ename, re.sub(r"\d+", "0", _QUOTED.sub("''", error.evalue))


def _parses_now(run: Iteration, other: Iteration) -> frozenset[str]:
    """Return the ids of unparseable cells that the fix of a run made parseable.

    Empty unless the run timed out: any other run shows whether the cells work.
    """
    if run.ending is not Ending.TIMED_OUT:
        return frozenset()
    made = None if run.origin is None else run.origin.proposal
    edits = [
        edit
        for review in other.reviews
        if review.proposal.id == made
        for edit in review.proposal.edits
    ]
    raised = () if other.execution is None else other.execution.raised
    unparsed = {error.cell_id for error in raised if error.ename in UNPARSED}
    return frozenset(
        edit.cell_id
        for edit in edits
        if edit.cell_id in unparsed and parsed(edit.new_source) is not None
    )


def _is_behind(error: CellError | None, other: CellError) -> bool:
    """Return whether a cell's error differs from an earlier one, and is later in the cell.

    In the same line it is if the wrong name or arguments are accepted now, and their result fails
    otherwise: about its arguments, about another name that was already there, or for a file that
    was already named.
    """
    if error is None or _text(error) == _text(other):
        return False
    here = error.line == other.line or _is_same_statement(error, other)
    if here and _OF_THE_CALL.search(other.evalue):
        missing = _QUOTED.search(error.evalue) if error.ename == "FileNotFoundError" else None
        if missing is not None:
            return missing[1] in _text(other)[2]
        return not _OF_THE_CALL.search(error.evalue) or _is_next_name(error, other)
    return _is_later(error, other)


def _is_next_name(error: CellError, other: CellError) -> bool:
    """Return whether a statement lost its wrong name, and another of its names fails now."""
    now, was = set(_QUOTED.findall(error.evalue)), set(_QUOTED.findall(other.evalue))
    statement, before = _text(error)[2], _text(other)[2]
    return (
        bool(now - was and was - now)
        and all(_names(before, name) for name in now - was)
        and not any(_names(statement, name) for name in was - now)
    )


def _names(statement: str, name: str) -> bool:
    return re.search(rf"\b{re.escape(name)}\b", statement) is not None


def _is_later(error: CellError | None, other: CellError) -> bool:
    """Return whether a cell's error differs from an earlier one, in a later line.

    A cell is parsed before its first line runs, so an error of its syntax comes before all others.
    A statement that only moved down is no later one, unless it lacked a name that a new line
    defines.
    """
    if error is None or _text(error) == _text(other):
        return False
    if (error.ename in UNPARSED) != (other.ename in UNPARSED):
        return other.ename in UNPARSED
    if _is_same_statement(error, other):
        return other.ename == "NameError"
    return (error.line or 0) > (other.line or 0)


def _is_same_statement(error: CellError, other: CellError) -> bool:
    """Return whether the same line of code fails, at any line number."""
    now, before = failing_lines(error), failing_lines(other)
    return bool(now and before) and now[-1].strip() == before[-1].strip()


def _text(error: CellError) -> tuple[str, str, str]:
    """Return an error by its kind, message and statement, without random parts."""
    statement = next(iter(statement_lines(error.traceback)), "").strip()
    return (error.ename, _ADDRESS.sub("0x", error.evalue), statement)


def has_errors(iteration: Iteration) -> bool:
    """Return whether cells of a reproducible notebook fail."""
    diagnosis = iteration.diagnosis
    return isinstance(diagnosis, Diagnosis) and diagnosis.outcome is Outcome.ERROR_REPRODUCIBLE


def root_errors(iteration: Iteration) -> Errors:
    """Return the root errors of a run: cell, kind and message, without random parts."""
    return frozenset(
        (item.error.cell_id, item.error.ename, _ADDRESS.sub("0x", item.error.evalue))
        for item in iteration.roots
    )


def failure(iteration: Iteration) -> tuple[str, ...]:
    """Return the first root error with its statement; empty if absent."""
    error = _first_root(iteration)
    return () if error is None else (error.cell_id, *_text(error))


def _first_root(iteration: Iteration) -> CellError | None:
    """Return the first root error of a run; None if absent."""
    return iteration.roots[0].error if iteration.roots else None


def advanced(one: Iteration, other: Iteration) -> bool:
    """Return whether one run got further than the other.

    It compares better, or it compares equal and fails with other errors at a later place: a cell of
    many broken lines is fixed one by one, and fails until the last of them.
    """
    compared = comparison(one, other)
    if compared:
        return compared < 0
    mine, its = _first_root(one), _first_root(other)
    if mine is not None and its is not None and mine.cell_id == its.cell_id:
        return _is_later(mine, its)
    return failure(one) != failure(other) and _place(one) > _place(other)


def best(iterations: Sequence[Iteration]) -> Iteration:
    """Return the iteration that got furthest and can decide.

    If there are clean runs, it is one of them: no other run decides. A rehearsal is the best only
    if there is nothing else.

    Raises:
        ValueError: There is none.
    """
    whole = [iteration for iteration in iterations if iteration.whole]
    run = [iteration for iteration in iterations if isinstance(iteration, GradedRun)]
    return furthest(whole or run or iterations)


def furthest(iterations: Sequence[Iteration]) -> Iteration:
    """Return the iteration that got furthest, of any kind: the base of the next fix.

    Among equals prefer one whose evidently broken code is repaired, then the one with the fewest
    changes, then the first.

    Raises:
        ValueError: There is none.
    """
    if not iterations:
        raise ValueError("there is no iteration")
    foreseen = {
        review.proposal.id
        for item in iterations
        for review in item.reviews
        if review.adopted and review.proposal.fix_type is FixType.BEFORE_RUN
    }

    def preference(item: Iteration) -> tuple[bool, int]:
        repaired = item.origin is not None and item.origin.proposal in foreseen
        return not repaired, item.changed_lines

    leader = iterations[0]
    for item in iterations[1:]:
        if advanced(item, leader) or (
            comparison(item, leader) == 0
            and not advanced(leader, item)
            and preference(item) < preference(leader)
        ):
            leader = item
    return leader


def _place(iteration: Iteration) -> tuple[int, int]:
    """Return the place of the first root error: cell and line."""
    error = _first_root(iteration)
    return (0, 0) if error is None else (error.index, error.line or 0)


class Stalled(str, Enum):
    """Signs that the next fix would be like the last one."""

    SAME_PATCH = "same-patch"
    """The proposal leads to a notebook that already ran."""
    SAME_ERRORS = "same-errors"
    """After the fix the notebook fails as it did before one."""
    SAME_SCORE = "same-score"
    """A score-calibration that did not move the score at all."""
    NO_PROGRESS = "no-progress"
    """So many fixes in a row brought nothing."""


def described(sign: Stalled, fixes: int) -> Messages:
    """Return the meaning of a sign for the user.

    Args:
        fixes: Number of fixes in a row without progress.
    """
    return {
        Stalled.SAME_PATCH: coded("stalled.same-patch"),
        Stalled.SAME_ERRORS: coded("stalled.same-errors", count=fixes),
        Stalled.SAME_SCORE: coded("stalled.same-score", count=fixes),
        Stalled.NO_PROGRESS: coded("stalled.no-progress", count=fixes),
    }[sign]


def came_further(latest: Iteration, before: Sequence[Iteration]) -> bool:
    """Return whether a run got further than the best before it, past the errors that were there."""
    leader = furthest(before)
    if not advanced(latest, leader):
        return False
    if comparison(latest, leader):
        return True
    return failure(latest) not in [failure(item) for item in before]


def idle_fixes(done: Sequence[Iteration]) -> int:
    """Return how many of the latest runs in a row got no further than their predecessors."""
    idle = 0
    for number in range(len(done) - 1, 0, -1):
        if came_further(done[number], done[:number]):
            break
        idle += 1
    return idle


def rounds(done: Sequence[Iteration]) -> list[Iteration]:
    """Return the best run of each round: alternatives, and runs of one notebook, are one round."""
    groups: list[list[Iteration]] = []
    for item in done:
        beside = item.origin is not None and item.origin.number > 1
        if groups and (beside or item.notebook_hash == groups[-1][-1].notebook_hash):
            groups[-1].append(item)
        else:
            groups.append([item])
    return [best(group) for group in groups]


def stalled(done: Sequence[Iteration], idle: int, patience: int) -> Stalled | None:
    """Return the sign of a stall in the latest round, or None.

    Args:
        done: The best run of each round, the latest at the end.
        idle: Number of fixes in a row without progress.
        patience: Their maximum.
    """
    if len(done) < 2 or came_further(done[-1], done[:-1]):
        return None
    latest, earlier = done[-1], done[:-1]
    errors = root_errors(latest)
    if errors and errors in [root_errors(item) for item in earlier]:
        return Stalled.SAME_ERRORS
    if not errors and _score_stood(latest, earlier):
        return Stalled.SAME_SCORE
    return Stalled.NO_PROGRESS if idle >= patience else None


def _score_stood(latest: Iteration, earlier: Sequence[Iteration]) -> bool:
    """Return whether a run without errors has exactly the score of an earlier one."""
    grade = grade_of(latest)
    score = None if grade is None else grade.score
    before = [
        grade.score
        for item in earlier
        if (grade := grade_of(item)) is not None
        and item.diagnosis is not None
        and not root_errors(item)
    ]
    return score is not None and score in before
