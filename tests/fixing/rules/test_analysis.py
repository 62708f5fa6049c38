"""Looking into a notebook is bounded, whatever stands in it."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest

from mle_modernizer_server.child_process import WALL_FACTOR, Abandoned, abandoned
from mle_modernizer_server.code import program
from mle_modernizer_server.code.ipython import MOST_TOKENS, count_tokens
from mle_modernizer_server.domain.era import Era
from mle_modernizer_server.domain.execution import Environment
from mle_modernizer_server.domain.notebook import Cell, CellType, Notebook
from mle_modernizer_server.domain.proposal import Proposal
from mle_modernizer_server.fixing.fixer import Gap, NoFix
from mle_modernizer_server.fixing.rules.analysis import Analysis, IsolatedAnalysis
from mle_modernizer_server.fixing.rules.analysis_process import AnalysisProcess, Limits
from mle_modernizer_server.fixing.rules.knowledge import use_rules
from mle_modernizer_server.words import text
from tests.thoroughness import some

TODAY = Environment(python="3.11", packages={"numpy": "2.0", "pandas": "2.2", "sklearn": "1.5"})
OLD = "import numpy as np\nx = np.float(1)\n"
_MEGABYTE = 1_000_000
LARGE = {
    "statements": "x=1\n" * (_MEGABYTE // 4),
    "strings never closed": "'\\'" * (_MEGABYTE // 3),
    "blanks": "a" + " " * (_MEGABYTE - 1),
    "lines of blanks": (" " * 999 + "\n") * 1000,
    "empty lines": "\n" * _MEGABYTE,
    "clauses of Python 2": "except ," * 9_000,
    "our own placeholder": "_ipython_" + "_" * (_MEGABYTE - 10),
    "continued commands": "!\\\n" * (_MEGABYTE // 3),
    "statements behind a quote of the shell": '!"""\n' + "x=1\n" * (_MEGABYTE // 4 - 2),
    "fields of one string": 'f"' + "{x}" * (_MEGABYTE // 3 - 5) + '"',
    "questions": "a?\n" * (_MEGABYTE // 3),
    "installs": "!pip install a==1.0\n" * (_MEGABYTE // 22),
    "prints of Python 2": 'print "x"\n' * (_MEGABYTE // 10),
    "comments": "# 2019\n" * (_MEGABYTE // 7),
    "a picture in a string": 'x = """' + ("AB+/" * 19 + "\n") * (_MEGABYTE // 78) + '"""',
}
_NEVER_STOPS = """
import sys, time
from mle_modernizer_server.child_process import message
sys.stdout.buffer.write(b"ready\\n"); sys.stdout.buffer.flush()
message()
while True: {busy}
"""
"""A program that is ready, and never answers its first question."""
SLOW = "x=1\n" * 4_900
"""As much as is looked into of one cell; of five cells it takes seconds."""


def notebook(*sources: str) -> Notebook:
    cells = (Cell(id=f"c{n}", type=CellType.CODE, source=one) for n, one in enumerate(sources))
    return Notebook(cells=tuple(cells))


@pytest.fixture
def isolated() -> Iterator[IsolatedAnalysis]:
    analysis = IsolatedAnalysis()
    yield analysis
    analysis.close()


@pytest.mark.parametrize("name", some([*LARGE], 8))
def test_a_cell_of_a_megabyte_takes_seconds_and_not_minutes(name: str) -> None:
    book = notebook(LARGE[name], OLD)
    Analysis().infer_era(notebook("x = 1"))  # what is loaded once
    begun = time.process_time()
    found = Analysis().preflight(book, TODAY, "process")
    # Two seconds are the aim on a free processor; this is against minutes.
    assert time.process_time() - begun < 15
    assert [item.cell_id for item in found.items] == ["c1"], "the other cell is looked into"


def test_a_cell_that_is_too_large_is_left_alone_with_a_remark() -> None:
    found = Analysis().preflight(notebook("x=1\n" * MOST_TOKENS, OLD), TODAY, "process")
    assert [(note.cell_id, text(note.text)) for note in found.notes] == [
        ("c0", "Was not looked into: it is too large.")
    ]
    assert isinstance(
        Analysis().propose_before_run(
            notebook("x=1\n" * MOST_TOKENS, OLD), TODAY, Analysis().infer_era(notebook(OLD))
        ),
        Proposal,
    )


def test_many_cells_are_looked_into_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "MOST_TOKENS_OF_ALL", 6_000)
    one = "x=1\n" * 300
    found = Analysis().preflight(notebook(*[one] * 8), TODAY, "process")
    left_out = [note.cell_id for note in found.notes]
    assert left_out and left_out[0] != "c0"


def test_a_long_string_is_one_token_and_its_fields_are_more() -> None:
    assert count_tokens('x = "' + "a+b/" * 200_000 + '"') == 3
    assert (count_tokens('f"' + "{x}" * 100 + '"') or 0) > 300
    assert count_tokens("a" * 1_000_001) is None


@pytest.mark.process
def test_the_other_process_says_the_same(isolated: IsolatedAnalysis) -> None:
    book = notebook(OLD, "from sklearn.cross_validation import KFold")
    here = Analysis()
    era = here.infer_era(book)
    assert isolated.infer_era(book) == era
    assert isolated.preflight(book, TODAY, "s") == here.preflight(book, TODAY, "s")
    found, expected = (one.propose_before_run(book, TODAY, era) for one in (isolated, here))
    assert isinstance(found, Proposal) and isinstance(expected, Proposal)
    assert [edit.new_source for edit in found.edits] == [e.new_source for e in expected.edits]
    with pytest.raises(ValueError, match="era"):
        isolated.infer_era(book, chosen="the other day")


@pytest.mark.process
def test_time_used_up_keeps_what_was_examined(isolated: IsolatedAnalysis) -> None:
    def large(name: str) -> Notebook:
        """Return a notebook whose cells have not been parsed before, if the name is new."""
        return notebook(OLD, *[f"{name}=1\n" * 500] * 12)

    def processor_time() -> float:
        assert isolated._process is not None
        used = psutil.Process(isolated._process.pid).cpu_times()
        return used.user + used.system

    era = isolated.preflight(notebook(OLD), TODAY, "process").era  # what is loaded once
    begun = processor_time()
    assert isolated.preflight(large("a"), TODAY, "process").complete
    of_preflight = processor_time() - begun
    found = isolated.preflight(large("b"), TODAY, "process", seconds=0.4 * of_preflight)
    assert [item.cell_id for item in found.items] == ["c0"]
    assert not found.complete
    assert "before they had examined" in text(found.notes[0].text)
    assert "–13" in text(found.notes[0].text)
    whole = isolated.preflight(large("b"), TODAY, "process")
    assert whole.complete, "with more time the rest is examined, too"

    begun = processor_time()
    assert isinstance(isolated.propose_before_run(large("c"), TODAY, era), Proposal)
    of_proposal = processor_time() - begun
    patch = isolated.propose_before_run(large("d"), TODAY, era, seconds=0.4 * of_proposal)
    assert isinstance(patch, Proposal)
    assert "before they had examined" in text(patch.remarks)


@pytest.mark.process
def test_time_used_up_without_a_fix_is_no_word_on_fixes(isolated: IsolatedAnalysis) -> None:
    book = notebook(*[SLOW] * 5, OLD)
    answer = isolated.propose_before_run(book, TODAY, Era(), seconds=0.3)
    assert isinstance(answer, NoFix) and answer.gap is Gap.TIME
    assert "before they had examined" in text(answer.reason)


@pytest.mark.process
def test_process_that_does_not_stop_is_ended() -> None:
    analysis = IsolatedAnalysis(process=AnalysisProcess(Limits(), _NEVER_STOPS.format(busy="pass")))
    try:
        begun = time.monotonic()
        answer = analysis.propose_before_run(notebook(OLD), TODAY, Era(), seconds=0.2)
        assert time.monotonic() - begun < 10
        assert isinstance(answer, NoFix) and answer.gap is Gap.TIME
        assert "longer than 0.2 s of processor time" in text(answer.reason)
        process = analysis._process
        assert process is not None and not process.is_alive()
        assert analysis.preflight(notebook(OLD), TODAY, "process").items
    finally:
        analysis.close()


@pytest.mark.process
def test_waiting_for_a_processor_is_not_counted() -> None:
    asleep = AnalysisProcess(Limits(), _NEVER_STOPS.format(busy="time.sleep(0.05)"))
    analysis = IsolatedAnalysis(process=asleep)
    try:
        begun = time.monotonic()
        answer = analysis.propose_before_run(notebook(OLD), TODAY, Era(), seconds=0.1)
        assert isinstance(answer, NoFix) and answer.gap is Gap.TIME
        # twice (the process could have stopped by itself) ten times the processor time
        assert time.monotonic() - begun >= 2 * WALL_FACTOR * 0.1
    finally:
        analysis.close()


@pytest.mark.process
def test_question_nobody_waits_for_ends_the_process() -> None:
    analysis = IsolatedAnalysis()
    left = threading.Event()

    def ask() -> None:
        abandoned.set(left)
        with pytest.raises(Abandoned):
            analysis.preflight(notebook(*[SLOW] * 5), TODAY, "s")

    asking = threading.Thread(target=ask)
    try:
        analysis.infer_era(notebook("x = 1"))
        process = analysis._process
        assert process is not None
        asking.start()
        left.set()
        asking.join(5)
        assert not asking.is_alive() and not process.is_alive()
    finally:
        analysis.close()


@pytest.mark.process
def test_killed_process_is_replaced_and_asked_again() -> None:
    analysis = IsolatedAnalysis()
    try:
        era = analysis.infer_era(notebook("x = 1"))
        assert analysis._process is not None
        pid = analysis._process.pid
        os.kill(pid, signal.SIGSTOP)
        with ThreadPoolExecutor(1) as pool:
            asked = pool.submit(analysis.propose_before_run, notebook(OLD), TODAY, era)
            time.sleep(0.5)
            os.kill(pid, signal.SIGKILL)
            answer = asked.result(60)
        assert isinstance(answer, Proposal)
        assert analysis._process.pid != pid
    finally:
        analysis.close()


@pytest.mark.process
def test_too_much_memory_is_a_remark() -> None:
    analysis = IsolatedAnalysis(Limits(memory=30 << 20))
    try:
        answer = analysis.propose_before_run(notebook(OLD), TODAY, Analysis().infer_era(notebook()))
        assert isinstance(answer, NoFix) and "30 MB of memory" in text(answer.reason)
    finally:
        analysis.close()


@pytest.mark.process
def test_rules_of_the_users_own_are_known_there(isolated: IsolatedAnalysis, tmp_path: Path) -> None:
    (tmp_path / "own.yaml").write_text(
        """\
library: numpy
rules:
- id: numpy-own-thing
  kind: removed
  since: "1.0"
  what: "`np.own_thing` is gone."
  replacement: nothing
  link: https://example.org/
  identifiers: [own_thing]
  match:
    message: "has no attribute 'own_thing'"
""",
        encoding="utf-8",
    )
    book = notebook("import numpy as np\nnp.own_thing(3)")
    try:
        problems = use_rules(tmp_path)
        expected = Analysis().preflight(book, TODAY, "s")
        assert isolated.preflight(book, TODAY, "s") == expected, problems
    finally:
        use_rules(None)
    assert not isolated.preflight(book, TODAY, "s").items


@pytest.mark.process
def test_closing_ends_the_process_in_the_middle_of_an_answer() -> None:
    analysis = IsolatedAnalysis()
    analysis.infer_era(notebook("x = 1"))
    assert analysis._process is not None
    child = psutil.Process(analysis._process.pid)
    asked = threading.Thread(target=analysis.preflight, args=(notebook(*[SLOW] * 5), TODAY, "s"))
    asked.start()
    analysis.close()
    asked.join(5)
    assert not asked.is_alive() and not child.is_running()
