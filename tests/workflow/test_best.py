from __future__ import annotations

from datetime import datetime, timezone
from typing import Any

from mle_modernizer_server.domain.diagnosis import ErrorKind, Finding, FixType, Outcome
from mle_modernizer_server.domain.execution import CellError, CellStatus
from mle_modernizer_server.domain.proposal import Origin
from mle_modernizer_server.domain.session import CleanRun, RehearsalRun, ResumedRun, Review
from mle_modernizer_server.workflow.verdict.progress import best, failing_otherwise
from tests import values

OK, ERROR, NOT_RUN = CellStatus.OK, CellStatus.ERROR, CellStatus.NOT_RUN
AT_WORK = CellStatus.UNFINISHED
FAILS = Outcome.ERROR_NON_REPRODUCIBLE


def iteration(number: int, outcome: Outcome, score: float | None, *cells: CellStatus) -> CleanRun:
    return CleanRun(
        number=number,
        started_at=datetime(2026, 1, number, tzinfo=timezone.utc),
        notebook_hash=str(number),
        execution=values.execution(*cells),
        grade=values.grade(score),
        diagnosis=values.diagnosis(outcome),
    )


def test_the_outcome_counts_before_the_deviation() -> None:
    close = iteration(1, Outcome.ERROR_NON_REPRODUCIBLE, 0.8, OK, ERROR)
    clean = iteration(2, Outcome.ERROR_FREE_NON_REPRODUCIBLE, 0.5, OK, OK)
    assert best((close, clean)) is clean


def test_smaller_deviation_wins_and_a_missing_one_is_worst() -> None:
    none = iteration(1, Outcome.ERROR_NON_REPRODUCIBLE, None, OK, ERROR)
    far = iteration(2, Outcome.ERROR_NON_REPRODUCIBLE, 0.2, OK, ERROR)
    near = iteration(3, Outcome.ERROR_NON_REPRODUCIBLE, 0.7, OK, ERROR)
    assert best((none, far, near)) is near
    assert best((none, far)) is far


def test_a_notebook_that_fails_later_has_come_further() -> None:
    early = iteration(1, Outcome.ERROR_NON_REPRODUCIBLE, None, ERROR, ERROR)
    late = iteration(2, Outcome.ERROR_NON_REPRODUCIBLE, None, OK, ERROR)
    assert best((early, late)) is late


def test_first_of_equal_runs_wins_with_the_fewest_fixes() -> None:
    first = iteration(1, Outcome.ERROR_NON_REPRODUCIBLE, None, OK, ERROR)
    again = iteration(2, Outcome.ERROR_NON_REPRODUCIBLE, None, OK, ERROR)
    assert best((first, again)) is first


def test_an_iteration_that_was_cut_off_is_worst() -> None:
    failed = iteration(1, Outcome.FAILED, None, NOT_RUN)
    cut_off = CleanRun(
        number=2, started_at=datetime(2026, 1, 2, tzinfo=timezone.utc), notebook_hash="2"
    )
    assert best((cut_off, failed)) is failed


def test_a_rehearsal_is_never_better_than_a_run() -> None:
    rehearsal = RehearsalRun(
        number=1,
        started_at=datetime(2026, 1, 1, tzinfo=timezone.utc),
        notebook_hash="1",
        execution=values.execution(OK, OK),
        diagnosis=values.diagnosis(Outcome.FAILED),
    )
    clean = iteration(2, Outcome.ERROR_NON_REPRODUCIBLE, None, ERROR, OK)
    resumed = ResumedRun(**clean.model_dump(exclude={"kind", "usage"}))
    assert best((rehearsal, resumed)) is resumed
    assert best((rehearsal,)) is rehearsal


def failed(number: int, *cells: CellStatus, roots: dict[int, str], **more: Any) -> CleanRun:
    """A run with root errors: the message by the number of the cell."""
    found = tuple(
        Finding(
            kind=ErrorKind.ROOT,
            error=CellError(
                cell_id=f"c{cell}",
                index=cell,
                ename="SyntaxError" if message.startswith("not parsed") else "TypeError",
                evalue=message,
                traceback=(),
                raised=True,
                line=int(message.partition("line ")[2] or 1),
            ),
        )
        for cell, message in roots.items()
    )
    ran = iteration(number, more.pop("outcome", FAILS), more.pop("score", None), *cells)
    diagnosis = ran.require_diagnosis().model_copy(update={"findings": found})
    return ran.model_copy(update={"diagnosis": diagnosis, **more})


def test_timeout_past_the_errors_beats_a_failure() -> None:
    as_it_was = failed(1, ERROR, ERROR, ERROR, OK, roots={0: "no module", 2: "no ix"})
    trains = failed(2, OK, OK, OK, AT_WORK, roots={}, outcome=Outcome.FAILED, changed_lines=9)
    assert best((as_it_was, trains)) is trains
    assert best((trains, as_it_was)) is trains


def test_failed_cell_that_now_runs_until_timeout_is_progress() -> None:
    as_it_was = failed(1, OK, ERROR, OK, roots={1: "no nb_epoch"}, score=0.2)
    trains = failed(2, OK, AT_WORK, NOT_RUN, roots={}, outcome=Outcome.FAILED, changed_lines=1)
    assert best((as_it_was, trains)) is trains


def test_run_that_never_reached_the_others_failure_is_no_better() -> None:
    as_it_was = failed(1, OK, OK, OK, ERROR, roots={3: "no ix"})
    hangs = failed(2, OK, AT_WORK, NOT_RUN, NOT_RUN, roots={}, outcome=Outcome.FAILED)
    assert best((as_it_was, hangs)) is as_it_was
    assert best((hangs, as_it_was)) is as_it_was


def test_errors_behind_a_fixed_one_do_not_count_against_it() -> None:
    as_it_was = failed(1, ERROR, ERROR, ERROR, ERROR, roots={0: "no module"})
    mended = failed(2, OK, ERROR, ERROR, ERROR, roots={1: "a", 2: "b", 3: "c"}, changed_lines=1)
    assert best((as_it_was, mended)) is mended


def test_fewer_root_errors_count_before_the_score() -> None:
    scores = failed(1, OK, ERROR, OK, roots={1: "no ix"}, score=0.8)
    mended = failed(2, OK, OK, ERROR, roots={2: "no append"}, score=0.5)
    sound = failed(3, OK, OK, OK, roots={}, outcome=Outcome.ERROR_FREE_NON_REPRODUCIBLE, score=0.4)
    assert best((scores, sound)) is sound
    assert best((scores, mended, sound)) is sound
    # each got past the other's error: then the score tells
    assert best((scores, mended)) is scores


def test_a_score_inside_the_band_counts_before_all() -> None:
    holds = failed(1, OK, ERROR, roots={1: "no ix"}, score=0.9, outcome=Outcome.ERROR_REPRODUCIBLE)
    sound = failed(2, OK, OK, roots={}, outcome=Outcome.ERROR_FREE_NON_REPRODUCIBLE, score=0.4)
    assert best((sound, holds)) is holds


def test_another_error_is_progress_only_from_a_later_line() -> None:
    first = failed(1, OK, ERROR, roots={1: "no ix, line 3"}, score=0.8)
    later = failed(2, OK, ERROR, roots={1: "no append, line 5"})
    earlier = failed(3, OK, ERROR, roots={1: "not defined, line 1"})
    assert best((first, later)) is later
    assert best((first, earlier)) is first


def test_newly_parsed_cell_is_progress_wherever_it_fails() -> None:
    python2 = failed(1, ERROR, OK, roots={0: "not parsed at line 14"})
    converted = failed(2, ERROR, AT_WORK, roots={0: "no module at line 6"}, changed_lines=5)
    assert best((python2, converted)) is converted
    broken = failed(3, ERROR, OK, roots={0: "not parsed at line 20"}, changed_lines=6)
    assert best((converted, broken)) is converted


def test_later_failure_caused_by_another_cell_is_progress() -> None:
    first = failed(1, ERROR, ERROR, roots={0: "no model", 1: "no file, line 3"})
    led = failed(2, ERROR, ERROR, roots={0: "no model", 1: "not defined, line 4"}, changed_lines=1)
    root, follows = led.require_diagnosis().findings
    follows = follows.model_copy(update={"kind": ErrorKind.CASCADE})
    found = led.require_diagnosis().model_copy(update={"findings": (root, follows)})
    led = led.model_copy(update={"diagnosis": found})
    assert best((first, led)) is led


def test_failure_over_arguments_is_past_a_wrong_name() -> None:
    def run(number: int, ename: str, evalue: str, statement: str) -> CleanRun:
        error = CellError(
            cell_id="c1",
            index=1,
            ename=ename,
            evalue=evalue,
            traceback=(f"Cell In[1], line 1\n----> 1 {statement}\n", f"{ename}: {evalue}"),
            raised=True,
            line=1,
        )
        ran = iteration(number, FAILS, None, ERROR)
        finding = Finding(kind=ErrorKind.ROOT, error=error)
        return ran.model_copy(
            update={
                "diagnosis": values.diagnosis(FAILS).model_copy(update={"findings": (finding,)})
            }
        )

    old = run(
        1,
        "AttributeError",
        "has no attribute 'from_csv'",
        "df = pd.DataFrame.from_csv('train.csv')",
    )
    absent = "[Errno 2] No such file or directory: 'train.csv'"
    mended = run(2, "FileNotFoundError", absent, "df = pd.read_csv('train.csv')")
    other = run(2, "FileNotFoundError", absent.replace("train", "my"), "df = pd.read_csv('my.csv')")
    assert best((old, mended)) is mended
    assert best((old, other)) is old
    inside = run(2, "TypeError", "can't multiply", "df = pd.DataFrame.from_csv('train.csv')")
    misnamed = run(2, "AttributeError", "has no attribute 'rd'", "df = pd.rd('train.csv')")
    assert best((old, inside)) is inside
    assert best((old, misnamed)) is old


def at(number: int, line: int, ename: str, evalue: str, statement: str) -> CleanRun:
    """A run whose only cell fails in a line."""
    head = f"Cell In[1], line {line}\n----> {line} {statement}\n"
    error = CellError(
        cell_id="c1",
        index=1,
        ename=ename,
        evalue=evalue,
        traceback=(head, f"{ename}: {evalue}"),
        raised=True,
        line=line,
    )
    finding = Finding(kind=ErrorKind.ROOT, error=error)
    diagnosis = values.diagnosis(FAILS).model_copy(update={"findings": (finding,)})
    ran = iteration(number, FAILS, None, ERROR)
    return ran.model_copy(update={"diagnosis": diagnosis, "changed_lines": number - 1})


def test_statement_moved_down_with_another_error_is_no_progress() -> None:
    statement = "df.loc[:, t] = np.log1p(df.loc[:, t])"
    old = at(1, 1, "TypeError", "Invalid value '[0.7]' for dtype 'int64'", statement)
    moved = at(2, 2, "TypeError", "loop of ufunc does not support argument 0", statement)
    later = at(2, 2, "TypeError", "loop of ufunc does not support argument 0", "np.log(df)")
    assert best((old, moved)) is old
    assert failing_otherwise(moved, old) == {"c1"}
    assert best((old, later)) is later
    assert not failing_otherwise(later, old)


def test_statement_moved_down_by_its_import_is_progress() -> None:
    statement = "x = np.log(pd.Series(y))"
    old = at(1, 1, "NameError", "name 'np' is not defined", statement)
    moved = at(2, 2, "NameError", "name 'pd' is not defined", statement)
    assert best((old, moved)) is moved


def test_same_kind_of_error_for_another_value_does_no_harm() -> None:
    old = at(1, 1, "KeyError", "'a'", "x = df['a'] + df['b']")
    again = at(2, 1, "KeyError", "'b'", "x = df['A'] + df['b']")
    assert not failing_otherwise(again, old)


def test_run_with_foreseen_repair_is_best_of_equals() -> None:
    proposal = values.proposal().model_copy(update={"fix_type": FixType.BEFORE_RUN})
    plain = iteration(1, Outcome.ERROR_FREE_NON_REPRODUCIBLE, None, OK)
    plain = plain.model_copy(update={"reviews": (Review(proposal=proposal, adopted=True),)})
    more = {"changed_lines": 2, "origin": Origin(proposal=proposal.id)}
    repaired = iteration(2, Outcome.ERROR_FREE_NON_REPRODUCIBLE, None, OK).model_copy(update=more)
    other = repaired.model_copy(update={"origin": Origin(proposal="other")})
    worse = iteration(2, FAILS, None, ERROR).model_copy(update=more)
    assert best((plain, repaired)) is repaired
    assert best((plain, other)) is plain
    assert best((plain, worse)) is plain
