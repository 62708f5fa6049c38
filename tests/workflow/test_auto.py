"""Whole auto-mode sessions: real runs, and a model that answers from a script."""

from __future__ import annotations

import asyncio
import importlib.metadata
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from mle_modernizer_server import wiring
from mle_modernizer_server.domain.diagnosis import Outcome
from mle_modernizer_server.domain.errors import BadSetting, Conflict
from mle_modernizer_server.domain.execution import Ending
from mle_modernizer_server.domain.message import coded, verbatim
from mle_modernizer_server.domain.notebook import SavedCell, SavedOutputs
from mle_modernizer_server.domain.proposal import FixerName, Meaning, Proposal
from mle_modernizer_server.domain.session import (
    Decision,
    EditState,
    Iteration,
    Phase,
    Session,
    Verdict,
)
from mle_modernizer_server.domain.settings import Mode, SessionSettings
from mle_modernizer_server.fixing.fixer import FixRequest, OnCall, OnText, no_matter
from mle_modernizer_server.fixing.llm.prices import Price
from mle_modernizer_server.fixing.llm.settings import LlmSettings
from mle_modernizer_server.wiring import build_services
from mle_modernizer_server.words import text
from mle_modernizer_server.workflow.log import events, store
from mle_modernizer_server.workflow.log.store import Store
from mle_modernizer_server.workflow.modes import auto
from mle_modernizer_server.workflow.service import Modernizer
from mle_modernizer_server.workflow.work import Work
from tests import values
from tests.llm_server import Answer, LlmServer
from tests.refusals import refused
from tests.web.conftest import prepare_parity

LOAD = "ids = open('../input/parity/test.csv').read().split()[1:]\nids = [int(i) for i in ids]"
BROKEN = "marks = ids.shuffle_by_magic()"
SUBMIT = """\
with open('submission.csv', 'w') as file:
    print('Id,Odd', file=file)
    for i in marks:
        print(f'{i},{i % 2}', file=file)"""
CELLS = (LOAD, BROKEN, SUBMIT)
WRONG = SUBMIT.replace("i % 2", "1")
"""Scores 0.5."""
SPLIT = "seed = 1\nimport random\nsplitter = random.Random(seed)"

Play = Callable[..., tuple[Session, LlmServer, Modernizer]]


def replace(cell: str, code: str, plan: str = "mend it") -> Answer:
    """The reply that gives a cell new code; the cell is named by a regex."""
    return Answer(
        text=f"=== PLAN ===\n- {plan}\n=== REPLACE CELL $CELL({cell})$ ===\n{code}\n=== END ===\n"
    )


RIGHT = replace("^marks = ", "marks = list(ids)", "copy the ids")


@pytest.fixture
def play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Play:
    """Plays a session to its end; its result is put to the proof only where that is said."""
    prepare_parity(tmp_path / "data")

    async def no_proof(work: Work, base: Iteration, rested: events.Rested) -> events.Rested:
        return rested

    def run(
        answers: Sequence[Answer] | Callable[[Any], Answer],
        cells: Sequence[str] = CELLS,
        price: Price | None = None,
        proof: bool = False,
        saved: SavedOutputs | None = None,
        **settings: Any,
    ) -> tuple[Session, LlmServer, Modernizer]:
        if not proof:
            monkeypatch.setattr(auto, "settle_proof", no_proof)
        with LlmServer(answers) as server:
            llm = LlmSettings(
                base_url=server.base_url,
                model="stand-in",
                api_key=SecretStr("not-a-real-key"),
                price=price,
                max_retries=1,
            )
            rooms = build_services(data_root=tmp_path / "data", sandbox=None, llm=llm)
            work = Modernizer(Store(None), rooms)
            chosen = SessionSettings(
                **{
                    "mode": Mode.AUTO,
                    "fixers": (FixerName.LLM,),
                    "target_score": 1.0,
                    **settings,
                }
            )

            async def session() -> Session:
                notebook = values.notebook(*cells)
                begun = work.sessions.create("old.ipynb", notebook, chosen, saved=saved)
                work.runs.start_run(begun.id, notebook)
                return await work.sessions.finished(begun.id)

            return asyncio.run(session()), server, work

    return run


def sources(work: Modernizer, session: Session, iteration: int) -> list[str]:
    digest = session.iterations[iteration].notebook_hash
    return [cell.source for cell in work.log.notebook(session.id, digest).cells]


@pytest.mark.process
def test_a_right_reply_reproduces_and_is_put_up_for_review(play: Play) -> None:
    session, server, _ = play([RIGHT], proof=True)
    assert session.proofs
    assert (session.phase, session.verdict) == (Phase.REVIEWING, Verdict.REPRODUCED)
    assert session.best == 2 and session.fixes == 1 and len(server.requests) == 1
    assert [item.changed_lines for item in session.iterations] == [0, 2]
    origin = session.iterations[1].origin
    adopted, final = session.iterations[0].reviews[0], session.iterations[1].reviews[-1]
    assert origin is not None and origin.proposal == adopted.proposal.id
    assert final.final and [edit.cell_id for edit in final.proposal.edits] == ["c1"]
    assert session.worked_seconds > 0


@pytest.mark.process
def test_lazy_model_is_told_once_then_sees_the_cell_then_ends(play: Play) -> None:
    lazy = replace("^marks = ", "# now it works\nmarks = ids.shuffle_by_magic()", "a comment")
    session, server, _ = play([lazy] * 9)
    assert (session.phase, session.verdict) == (Phase.FINISHED, Verdict.NO_PROGRESS)
    assert "tried before and did not help" in text(session.message)
    assert "It still stops first in cell 2: AttributeError" in text(session.message)
    assert len(session.iterations) == 2, "the same patch is not run again"
    assert session.best == 1, "of equals the one with fewer changes"
    assert "fails with the same errors" in server.requests[1].prompt
    assert "Only cell" in server.requests[1].prompt, "the scope changed"
    assert "Only cell" not in server.requests[0].prompt
    assert len(server.requests) == 2


@pytest.mark.thorough
def test_the_rules_go_on_where_only_the_score_is_right(play: Play) -> None:
    cells = (LOAD, "marks = list(ids)", SUBMIT, "import time\nprint(time.clock() > 0)")
    session, server, _ = play([], cells, fixers=(FixerName.RULES, FixerName.LLM))
    outcomes = [item.require_diagnosis().outcome for item in session.iterations]
    assert outcomes == [Outcome.ERROR_REPRODUCIBLE, Outcome.ERROR_FREE_REPRODUCIBLE]
    assert (session.phase, session.verdict) == (Phase.REVIEWING, Verdict.REPRODUCED)
    assert server.requests == [], "a model is not asked for what the score does not need"


@pytest.mark.thorough
def test_right_score_remains_if_rules_cannot_clean_the_rest(play: Play) -> None:
    cells = (LOAD, "marks = list(ids)", SUBMIT, "nothing_of_that_name()")
    session, server, _ = play([], cells, fixers=(FixerName.RULES, FixerName.LLM))
    assert (session.phase, session.verdict) == (Phase.FINISHED, Verdict.REPRODUCED)
    assert len(session.iterations) == 1 and server.requests == []


SAME_ERROR = "'list' object has no attribute 'shuffle_by_magic'"
"""Of the cell `BROKEN`."""


@pytest.mark.process
@pytest.mark.parametrize(
    ("kept", "target", "asked"),
    [
        (SAME_ERROR, None, 0),
        pytest.param(
            "'list' object has no attribute 'shuffle'", None, 1, marks=pytest.mark.thorough
        ),
        pytest.param(SAME_ERROR, 1.0, 1, marks=pytest.mark.thorough),
    ],
    ids=["the same error", "another error", "a score to reach"],
)
def test_no_model_is_asked_for_an_error_of_the_saved_notebook(
    play: Play, kept: str, target: float | None, asked: int
) -> None:
    error: dict[str, Any] = {"output_type": "error", "ename": "AttributeError", "evalue": kept}
    saved = SavedOutputs(cells=(SavedCell(cell_id="c1", outputs=(error,)),))
    no_fix = Answer("=== PLAN ===\n- nothing\n=== NO FIX ===\nNothing is known.\n=== END ===\n")
    session, server, _ = play([no_fix], saved=saved, target_score=target)
    assert len(server.requests) == asked
    said = "the remaining errors are those the notebook was saved with"
    assert (said in text(session.details)) == (not asked)
    as_saved = "The original failed there too" in text(session.message)
    assert as_saved == (kept == SAME_ERROR)
    assert session.verdict is (Verdict.AS_SAVED if as_saved else Verdict.NO_FIX)


@pytest.mark.thorough
def test_useless_fixes_end_after_the_patience(play: Play) -> None:
    lazy = [replace("^marks = ", f"# {n}\nmarks = ids.shuffle_by_magic()") for n in range(9)]
    session, server, _ = play(lazy, patience=2)
    assert session.verdict is Verdict.NO_PROGRESS
    assert "The last 2 fixes changed nothing" in text(session.message)
    assert len(server.requests) == 3, "one, then two more after the scope was changed"


@pytest.mark.thorough
def test_return_to_an_earlier_notebook_is_refused_and_reported(play: Play) -> None:
    two = "half = ids.shuffle_by_magic()\nmarks = half.sort_by_magic()"
    there = replace("^marks = ", "half = list(ids)\nmarks = half.sort_by_magic()")
    back = replace("^marks = ", two, "as it was")
    session, server, _ = play([there, back, RIGHT], (LOAD, two, SUBMIT))
    assert session.verdict is Verdict.REPRODUCED
    assert len(session.iterations) == 3
    told = server.requests[2].prompt
    assert "as it was" in told and "leads back to a version that has already been run" in told


@pytest.mark.thorough
def test_a_fix_that_makes_it_worse_is_dropped(play: Play) -> None:
    worse = replace("^ids = open", "ids = nowhere")
    session, _, work = play([worse, RIGHT])
    assert session.verdict is Verdict.REPRODUCED and session.best == 3
    assert sources(work, session, 2) == [LOAD, "marks = list(ids)", SUBMIT]
    final = session.iterations[-1].reviews[-1].proposal
    assert text(final.plan) == "copy the ids", "the dropped fix is no part of what is reviewed"


OLD_SUBMIT = SUBMIT.replace("in marks:", "in marks.in_order():")
LATER = "\n=== REPLACE CELL $CELL(^with open)$ ===\n" + SUBMIT + "\n=== END ===\n"
"""The end of a reply that mends a cell which only a later run reaches."""


def with_later(answer: Answer) -> Answer:
    return Answer(text=answer.text.replace("\n=== END ===\n", LATER))


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("first", "best"),
    [
        (replace("^marks = ", "marks = ids.sort_by_magic()"), 3),
        # the edit that harms its cell is taken back, in a run of its own
        (replace("^ids = open", "ids = nowhere"), 4),
    ],
)
def test_an_edit_that_was_not_reached_is_carried_forward(
    play: Play, first: Answer, best: int
) -> None:
    session, server, work = play([with_later(first), RIGHT], (LOAD, BROKEN, OLD_SUBMIT))
    assert session.verdict is Verdict.REPRODUCED and session.best == best
    assert sources(work, session, best - 1) == [LOAD, "marks = list(ids)", SUBMIT]
    told = server.requests[1].prompt
    assert "kept in part" in told and "in_order" not in told
    final = session.iterations[-1].reviews[-1].proposal
    assert [edit.cell_id for edit in final.edits] == ["c1", "c2"]
    assert "did not help" in text(final.remarks)
    assert not any(edit.unseen for edit in final.edits), "by now it is seen"


@pytest.mark.thorough
def test_unreached_edit_is_offered_if_nothing_more_helps(play: Play) -> None:
    wrong = with_later(replace("^marks = ", "marks = ids.sort_by_magic()"))
    none = Answer(text="=== PLAN ===\n- nothing\n=== NO FIX ===\nno idea\n=== END ===\n")
    session, _, _ = play([wrong, none, none], (LOAD, BROKEN, OLD_SUBMIT))
    assert (session.phase, session.verdict) == (Phase.REVIEWING, Verdict.NO_FIX)
    final = session.iterations[-1].reviews[-1].proposal
    assert [(edit.cell_id, edit.unseen) for edit in final.edits] == [("c2", True)]
    assert UNSEEN in text(final.remarks)


UNSEEN = "No run has shown the effect of 1 edit yet; it is marked."
SLOW = "import time\ntime.sleep(600)"
NOTHING = Answer(text="=== PLAN ===\n- nothing\n=== NO FIX ===\nno idea\n=== END ===\n")


@pytest.mark.process
@pytest.mark.parametrize(
    ("cells", "mended"),
    [
        ((SLOW, BROKEN), "marks = list('12')"),
        pytest.param(
            (f"{SLOW}\n{BROKEN}", "1"),
            f"{SLOW}\nmarks = list('12')",
            marks=pytest.mark.thorough,
        ),
    ],
    ids=["not reached", "cut short"],
)
def test_edit_without_time_is_offered_with_the_next_step(
    play: Play, cells: Sequence[str], mended: str
) -> None:
    session, server, _ = play(
        [replace("shuffle_by_magic", mended), NOTHING],
        cells,
        time_limit=5,
        target_score=None,
    )
    assert [run.execution.ending for run in session.iterations if run.execution] == [
        Ending.TIMED_OUT,
        Ending.TIMED_OUT,
    ]
    assert "kept, effect not yet seen" in server.requests[1].prompt
    assert session.phase is Phase.REVIEWING
    final = session.iterations[-1].reviews[-1].proposal
    assert [(edit.new_source, edit.unseen) for edit in final.edits] == [(mended, True)]
    assert text(final.remarks) == (
        f"{UNSEEN} To see it, run the changed notebook with 10 min (--time-limit 600)."
    )


@pytest.mark.process
def test_fix_after_the_deadline_is_offered_as_not_run(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    limit = 600

    def late(_: Any) -> Answer:
        over = datetime.now(timezone.utc) + timedelta(seconds=limit)
        monkeypatch.setattr(store, "_now", lambda: over)
        return RIGHT

    session, _, _ = play(late, max_seconds=limit)
    assert (session.phase, session.verdict) == (Phase.REVIEWING, Verdict.BUDGET_SPENT)
    assert len(session.iterations) == 1
    final = session.iterations[-1].reviews[-1].proposal
    assert [(edit.cell_id, edit.unseen) for edit in final.edits] == [("c1", True)]
    assert UNSEEN in text(final.remarks)


@pytest.mark.process
def test_a_malicious_reply_gets_no_further_than_a_refusal(play: Play) -> None:
    thief = replace(
        "^marks = ",
        "import pandas as pd\n"
        "pd.read_csv('/data/parity/prepared/private/answers.csv')"
        ".to_csv('submission.csv', index=False)\nmarks = list(ids)",
    )
    session, _, _ = play([thief] * 9)
    assert session.phase is Phase.FAILED
    assert len(session.iterations) == 1 and not session.iterations[0].reviews


@pytest.mark.thorough
def test_a_score_that_does_not_move_is_said_so(play: Play) -> None:
    replies = [replace("^ids = open", f"{LOAD}\nids = sorted(ids)[:]  # {n}") for n in range(9)]
    session, server, _ = play(replies, (LOAD, "marks = list(ids)", WRONG), patience=1)
    assert session.verdict is Verdict.BELOW_TARGET
    assert "did not move the score at all" in text(session.message)
    assert len(server.requests) == 2


@pytest.mark.process
def test_experiment_change_is_returned_and_honest_fix_used(play: Play) -> None:
    bold = replace("^seed = 1", SPLIT.replace("seed = 1", "seed = 7") + "\nmarks = 1")
    session, server, _ = play([bold, RIGHT], (LOAD, SPLIT, BROKEN, SUBMIT))
    assert session.verdict is Verdict.REPRODUCED
    assert sent_back("c1") in server.requests[1].prompt
    assert session.usage.calls == 2
    assert all(
        edit.meaning is not Meaning.EXPERIMENT
        for review in session.all_reviews
        for edit in review.proposal.edits
    )


def sent_back(cells: str, *, in_part: bool = False) -> str:
    code = "model.experiment-not-allowed-in-part" if in_part else "model.experiment-not-allowed"
    return text(coded(code, cells=cells))


class BoldRules:
    """Rules that propose another seed."""

    name = FixerName.RULES

    async def propose(
        self, request: FixRequest, on_text: OnText, on_call: OnCall = no_matter
    ) -> Proposal:
        """The same for every run."""
        edit = values.modification("c1", SPLIT, SPLIT.replace("seed = 1", "seed = 7"))
        bold = edit.model_copy(update={"meaning": Meaning.EXPERIMENT})
        return values.proposal(bold).model_copy(update={"plan": verbatim("take another seed")})


@pytest.mark.thorough
def test_the_model_learns_what_of_the_rules_was_refused_and_why(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wiring, "RulesFixer", lambda analysis: BoldRules())
    both = (FixerName.RULES, FixerName.LLM)
    session, server, _ = play([RIGHT], (LOAD, SPLIT, BROKEN, SUBMIT), fixers=both)
    assert session.verdict is Verdict.REPRODUCED
    told = f"1. (rules, not carried out) take another seed\n   Result: {sent_back('c1')}"
    assert told in server.requests[0].prompt


@pytest.mark.thorough
def test_the_model_learns_whether_a_replacement_is_installed(play: Play) -> None:
    cells = (LOAD, BROKEN, SUBMIT, "from sklearn.externals import joblib\nimport sklearn")
    session, server, _ = play([RIGHT], cells)
    assert session.verdict is Verdict.REPRODUCED
    version = importlib.metadata.version("joblib")
    assert f"(joblib {version} is installed.)" in server.requests[0].prompt


SEED = "=== PLAN ===\n- another seed\n=== REPLACE CELL $CELL(^seed = 1)$ ===\n" + SPLIT.replace(
    "seed = 1", "seed = 7"
)
INSISTS = Answer(text=f"{SEED}\n=== END ===\n")
"""Changes the experiment, and nothing else."""
BOLD = Answer(
    text=f"{SEED}\n=== REPLACE CELL $CELL(^marks = )$ ===\nmarks = list(ids)\n=== END ===\n"
)


@pytest.mark.thorough
def test_other_edits_of_an_insisted_change_are_applied(play: Play) -> None:
    session, server, _ = play([BOLD] * 2, (LOAD, SPLIT, BROKEN, SUBMIT))
    assert session.verdict is Verdict.REPRODUCED
    assert len(server.requests) == 2 and sent_back("c1", in_part=True) in server.requests[1].prompt
    final = session.iterations[-1].reviews[-1].proposal
    assert [edit.cell_id for edit in final.edits] == ["c2"]
    remarks = [one for review in session.all_reviews for one in review.proposal.remarks]
    assert "changes the experiment" in text(remarks)


@pytest.mark.thorough
def test_other_edits_apply_if_the_model_has_nothing_better(
    play: Play,
) -> None:
    nothing = Answer(text="=== PLAN ===\n- none\n=== NO FIX ===\nI know no other.\n=== END ===\n")
    session, server, _ = play([BOLD, nothing], (LOAD, SPLIT, BROKEN, SUBMIT))
    assert session.verdict is Verdict.REPRODUCED
    assert len(server.requests) == 2
    assert session.usage.calls == 2, "each is counted once"
    final = session.iterations[-1].reviews[-1].proposal
    assert [edit.cell_id for edit in final.edits] == ["c2"]


@pytest.mark.process
def test_insisted_experiment_change_awaits_consent(play: Play) -> None:
    session, _, work = play([INSISTS] * 2, (LOAD, SPLIT, BROKEN, SUBMIT))
    assert (session.phase, session.verdict) == (Phase.REVIEWING, Verdict.AWAITS_YES)
    assert "needs your confirmation" in text(session.message)
    assert len(session.iterations) == 1, "it was not run"
    review = session.iterations[0].reviews[-1]
    assert {edit.cell_id: edit.meaning for edit in review.proposal.edits} == {
        "c1": Meaning.EXPERIMENT
    }
    hashes = {edit.id: edit.base_hash for edit in review.proposal.edits}
    ids = [edit.id for edit in review.proposal.edits]
    accepted = {name: Decision(state=EditState.ACCEPTED) for name in ids}
    with refused(Conflict, match="explicit confirmation") as refusal:
        work.runs.decide(session.id, review.proposal.id, accepted, hashes)
    assert refusal.value.code == "needs_yes" and refusal.value.cell_id == "c1"
    agreed = {name: item.model_copy(update={"confirmed": True}) for name, item in accepted.items()}
    session = work.runs.decide(session.id, review.proposal.id, agreed, hashes)
    assert session.phase is Phase.READY and "Run the notebook again" in text(session.message)


@pytest.mark.thorough
def test_allowed_experiment_change_is_applied(play: Play) -> None:
    session, server, _ = play([BOLD], (LOAD, SPLIT, BROKEN, SUBMIT), allow_experiment_changes=True)
    assert session.verdict is Verdict.REPRODUCED
    assert len(server.requests) == 1
    final = session.iterations[-1].reviews[-1].proposal
    assert Meaning.EXPERIMENT in {edit.meaning for edit in final.edits}


LAZY = [replace("^marks = ", f"# {n}\nmarks = ids.shuffle_by_magic()") for n in range(9)]


@pytest.mark.process
@pytest.mark.parametrize(
    ("bound", "runs", "words"),
    [
        pytest.param(
            {"max_fixes": 1}, 2, "The one allowed fix is used up", marks=pytest.mark.thorough
        ),
        pytest.param({"max_tokens": 1}, 2, "The limit of 1 tokens", marks=pytest.mark.thorough),
        ({"max_usd": 0.000001}, 2, "USD is spent"),
        pytest.param({"max_seconds": 0.001}, 1, "is over", marks=pytest.mark.thorough),
    ],
)
def test_a_budget_that_is_spent_ends_the_work_and_says_which(
    play: Play, bound: dict[str, Any], runs: int, words: str
) -> None:
    price = Price(input=1.0, cached_input=0.1, output=10.0)
    session, _, _ = play(LAZY, price=price, **bound)
    assert (session.phase, session.verdict) == (Phase.FINISHED, Verdict.BUDGET_SPENT)
    assert words in text(session.message) and "--max-" in text(session.message)
    assert len(session.iterations) == runs


@pytest.mark.thorough
def test_what_the_budget_reached_is_put_up_for_review(play: Play) -> None:
    half = replace("^marks = ", "marks = list(ids)")
    session, _, _ = play([half], (LOAD, BROKEN, "raise ValueError('later')"), max_fixes=1)
    assert (session.phase, session.verdict) == (Phase.REVIEWING, Verdict.BUDGET_SPENT)
    assert session.iterations[-1].reviews[-1].final


def test_a_limit_on_money_needs_a_known_price(play: Play) -> None:
    with refused(BadSetting, match="MLE_MODERNIZER_PRICE"):
        play([], max_usd=1.0)


SLOW = "import time\ntime.sleep(3)\nmarks = list(ids)"


@pytest.mark.process
def test_alternatives_run_at_the_same_time_and_the_best_is_kept(play: Play) -> None:
    nothing = replace("^marks = ", SLOW.replace("list(ids)", "ids.sort_by_magic()"), "sort them")
    right = replace("^marks = ", SLOW, "copy them")
    session, server, _ = play([nothing, right], alternatives=2)
    assert session.verdict is Verdict.REPRODUCED
    first, one, other = session.iterations
    assert session.best == 3 and session.fixes == 2
    assert "sort them" in server.requests[1].prompt, "the second is told the first's plan"
    assert one.origin is not None and (one.origin.number, one.origin.of) == (1, 2)
    assert other.origin is not None and (other.origin.number, other.origin.of) == (2, 2)
    assert {one.origin.proposal, other.origin.proposal} == {
        review.proposal.id for review in first.reviews
    }
    assert one.execution is not None and one.execution.seconds > 3
    overlap = one.started_at + timedelta(seconds=one.execution.seconds) - other.started_at
    assert overlap > timedelta(seconds=1), "they ran one after the other"
    assert session.iterations[-1].reviews[-1].proposal.plan == verbatim("copy them")


@pytest.mark.thorough
def test_a_cancel_ends_all_alternatives(play: Play, tmp_path: Path) -> None:
    endless = [replace("^marks = ", f"import time\nmarks = {n}\ntime.sleep(987)") for n in range(2)]
    with LlmServer(endless) as server:
        llm = LlmSettings(base_url=server.base_url, model="m", api_key=SecretStr("not-a-real-key"))
        rooms = build_services(data_root=tmp_path / "data", sandbox=None, llm=llm)

        async def session() -> Session:
            both = asyncio.Event()
            running: set[str] = set()

            def listen(session: Session, event: object) -> None:
                shown = "" if session.progress is None else text(session.progress.message)
                if "Running cell 2" in shown and shown.startswith("Alternative"):
                    running.add(shown.partition(":")[0])
                if len(running) == 2:
                    both.set()

            work = Modernizer(Store(None, listen), rooms)
            settings = SessionSettings(
                mode=Mode.AUTO, fixers=(FixerName.LLM,), target_score=1.0, alternatives=2
            )
            notebook = values.notebook(*CELLS)
            begun = work.sessions.create("old.ipynb", notebook, settings)
            work.runs.start_run(begun.id, notebook)
            await asyncio.wait_for(both.wait(), 120)
            return await work.sessions.cancel(begun.id)

        ended = asyncio.run(session())
    assert ended.phase is Phase.CANCELLED
    assert len(ended.iterations) == 3
    assert all(item.execution is not None for item in ended.iterations)
