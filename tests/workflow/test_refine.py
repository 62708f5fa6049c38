"""A score raised step by step: from known changes, and from a model that answers from a script."""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from mle_modernizer_server.domain.diagnosis import FixScope, FixType
from mle_modernizer_server.domain.improvement import Comparison, Course, Improvement, PlanSource
from mle_modernizer_server.domain.proof import ProofCode, ProofKind
from mle_modernizer_server.domain.proposal import FixerName, Proposal
from mle_modernizer_server.domain.session import Mode, Session, SessionSettings
from mle_modernizer_server.fixing.llm.settings import LlmSettings
from mle_modernizer_server.wiring import build_services
from mle_modernizer_server.words import text
from mle_modernizer_server.workflow.fix.difference import difference
from mle_modernizer_server.workflow.log.event_log import EventLog
from mle_modernizer_server.workflow.log.store import Store
from mle_modernizer_server.workflow.service import FoldSettings, Modernizer
from mle_modernizer_server.workflow.study.refine import path_elsewhere
from tests import values
from tests.improving.sources import notebook
from tests.improving.steps import BOOSTING, LOAD, SUBMIT, make_steps
from tests.llm_server import Answer, LlmServer

MODEL = "GradientBoostingRegressor(n_estimators=1)"
Reply = Callable[[Any], Answer]
Search = Callable[..., tuple[Session, Improvement, LlmServer]]


def with_model(estimator: str, plan: str = "another setting") -> Answer:
    """A reply that puts an estimator in the place of the one that stands in the notebook."""
    code = BOOSTING.replace(MODEL, estimator)
    if "\n" in estimator:
        code = estimator
    return Answer(
        text=f"=== PLAN ===\n- {plan}\n=== REPLACE CELL $CELL(test\\['y'\\] = )$ ===\n"
        f"{code}\n=== END ===\n"
    )


@pytest.fixture
def search(tmp_path: Path) -> Iterator[Search]:
    """Refines the small notebook to the end; with replies a model is asked."""
    make_steps(tmp_path / "data")

    def run(
        reply: Reply | None,
        course: Course,
        stops_at: Callable[[Session], bool] = lambda session: False,
    ) -> tuple[Session, Improvement, LlmServer]:
        with LlmServer(reply or []) as server:
            llm = LlmSettings()
            if reply is not None:
                llm = LlmSettings(
                    base_url=server.base_url, model="stand-in", api_key=SecretStr("not-a-real-key")
                )
            rooms = build_services(data_root=tmp_path / "data", sandbox="process", llm=llm)
            begun = asyncio.Event()
            listen = lambda session, _: begun.set() if stops_at(session) else None  # noqa: E731
            work = Modernizer(EventLog(Store(None), listen), rooms)
            settings = SessionSettings(
                mode=Mode.AUTO,
                competition="steps",
                fixers=(FixerName.RULES,) if reply is None else (FixerName.LLM,),
            )

            async def session() -> Session:
                notebook = values.notebook(LOAD, BOOSTING, SUBMIT)
                made = work.create("old.ipynb", notebook, settings)
                work.start_improvement(made.id, settings=FoldSettings(count=2, course=course))
                ended = asyncio.ensure_future(work.finished(made.id))
                stopped = asyncio.ensure_future(begun.wait())
                await asyncio.wait({ended, stopped}, return_when=asyncio.FIRST_COMPLETED)
                if stopped.done():
                    await work.cancel(made.id)
                stopped.cancel()
                return await ended

            ended = asyncio.run(session())
            assert ended.improvement is not None, text(ended.message)
            return ended, ended.improvement, server

    yield run


@pytest.mark.thorough
def test_known_changes_are_made_of_the_best_version_so_far(search: Search) -> None:
    _, found, server = search(None, Course(rounds=1, steps=1, most_runs=15))
    assert found.refined and found.done and not server.requests
    steps = [one for one in found.candidates if one.round]
    assert [one.round for one in steps] == [1]
    best = max(found.ablations, key=lambda one: one.gain.mean if one.gain else 0)
    assert best.comparison is Comparison.BETTER
    assert all(one.parent == best.name and one.step is not None for one in steps)
    assert {one.source for one in steps} <= {PlanSource.RULES, PlanSource.CATALOGUE}
    assert found.runs <= 15


def test_runs_that_look_for_leaks_keep_to_the_most_runs(search: Search) -> None:
    _, found, _ = search(None, Course(rounds=1, steps=1, most_runs=3))
    labels, half = found.experiments
    assert labels.code is ProofCode.LABELS_MATTER
    assert text(half.reason) == "the budget is too small for further runs"
    assert found.runs == 3 and found.cut_short


def test_a_cancel_in_the_experiments_keeps_the_scores_of_the_baseline(search: Search) -> None:
    def looks(session: Session) -> bool:
        label = () if session.progress is None else session.progress.label
        return any(one.code == "label.leak-half" for one in label)

    _, found, _ = search(None, Course(rounds=1, steps=1), looks)
    assert found.cancelled and found.done
    assert len(found.baseline.scores) == 2
    assert [one.kind for one in found.experiments] == [ProofKind.LABEL_SHUFFLE]
    assert found.runs == 3 and not found.ablations[0].scores


BAD = (
    Answer(text="I would rather use a neural network."),
    with_model("answers = pd.read_csv('../private/answers.csv')\ntest['y'] = answers['y']"),
    with_model("test['y'] = pd.read_csv('../input/steps/sample_submission.csv')['y']"),
    with_model("test['y'] = 18.0"),
)
"""No patch, the answers, the sample, a constant: as many as a request has tries."""


def boasting(trees: int) -> Answer:
    """A change that prints a perfect score beside it."""
    answer = with_model(f"GradientBoostingRegressor(n_estimators={trees})")
    return replace(answer, text=answer.text.replace("\n=== END", "\nprint('RMSE: 0')\n=== END"))


def test_a_model_is_told_what_was_tried_and_what_it_did(search: Search) -> None:
    replies = iter((boasting(30), boasting(2), *BAD))
    course = Course(models=0, rounds=1, steps=3, ensembles=0)
    ended, found, server = search(lambda request: next(replies), course)

    first, second = (one for one in found.candidates if one.kind == "refine")
    assert (first.source, first.round) == (PlanSource.MODEL, 1)
    assert first.comparison is Comparison.BETTER
    assert first.step is not None and second.step is not None
    assert first.step.mean > second.step.mean
    printed = [score.score for one in (first, second) for score in one.scores]
    assert all(score is not None and score > 0.1 for score in printed)

    (unused,) = found.unused  # each of the last step's replies was sent back with the reason
    assert unused.kind == "refine" and f"no usable reply from 'stand-in' in {len(BAD)} tries" in (
        text(unused.reason)
    )

    assert "refine 1" not in server.requests[0].prompt
    told = server.requests[1].prompt
    assert re.search(r"refine 1: gain [+-]\d\S* over .*the baseline better", told)
    assert "What each part is worth" in told
    assert ended.usage.calls == len(server.requests) == 2 + len(BAD)


@pytest.mark.parametrize(
    ("path", "leads_out"),
    [
        ("/data/steps/prepared/public/train.csv", True),
        ("../../data/steps/prepared/public/train.csv", True),
        ("../input/../../data/train.csv", True),
        ("~/.cache/mle-bench/data/steps/train.csv", True),
        ("../input/steps/extra.csv", False),
        ("/kaggle/input/steps/extra.csv", False),
        ("features.csv", False),
    ],
)
def test_a_patch_may_not_read_what_a_fold_holds_out(path: str, leads_out: bool) -> None:
    source = notebook(LOAD, BOOSTING, SUBMIT)
    made = notebook(LOAD, f"more = pd.read_csv({path!r})\n{BOOSTING}", SUBMIT)
    proposal = Proposal(
        id="p",
        fixer=FixerName.LLM,
        fix_type=FixType.IMPROVEMENT,
        scope=FixScope.FILE,
        plan=("more rows",),
        edits=tuple(difference(source, made, {})),
    )
    assert path_elsewhere(source, proposal) == (path if leads_out else "")


TASKS = {
    "candidate": "Put another model in the place",
    "merge": "The recipe is another version of this notebook",
    "refine": "Improve the part of the notebook",
    "ensemble": "Make an ensemble",
}


@pytest.mark.thorough
def test_the_whole_course_of_the_paper(search: Search, capsys: pytest.CaptureFixture[str]) -> None:
    asked: list[str] = []

    def reply(request: Any) -> Answer:
        asked.append(next(kind for kind, words in TASKS.items() if words in request.prompt))
        number = len(asked)
        if asked[-1] in ("merge", "ensemble"):
            members = (
                "from sklearn.ensemble import GradientBoostingRegressor, RandomForestRegressor\n"
                f"boosted = GradientBoostingRegressor(n_estimators={20 + number}).fit("
                "train[['a']], train['y'])\n"
                f"forest = RandomForestRegressor({10 + number}, random_state=0).fit("
                "train[['a']], train['y'])\n"
                "test['y'] = (boosted.predict(test[['a']]) + forest.predict(test[['a']])) / 2"
            )
            return with_model(members, "average two models")
        return with_model(f"GradientBoostingRegressor(n_estimators={10 + number})")

    course = Course(models=4, rounds=4, steps=4, ensembles=5, most_runs=200)
    ended, found, _ = search(reply, course)
    assert asked.count("candidate") == 4 and asked.count("merge") >= 1
    assert asked.count("refine") == 16 and asked.count("ensemble") == 5
    kinds = [one.kind for one in found.candidates]
    assert kinds.index("candidate") < kinds.index("merge") < kinds.index("refine")
    assert kinds.index("refine") < kinds.index("ensemble")
    assert found.best() is not None and not found.cut_short
    words = f"{ended.usage.calls} calls (the paper: 165), {found.runs} runs on 2 folds (62 on one)"
    with capsys.disabled():
        sys.stdout.write(f"\n{words}\n")
