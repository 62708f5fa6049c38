"""A score raised step by step: from known changes, and from a model that answers from a script."""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from mle_modernizer_server.cli.terminal.improvement import opinion_text
from mle_modernizer_server.code.pipeline.families import lost_families
from mle_modernizer_server.domain.diagnosis import FixScope, FixType
from mle_modernizer_server.domain.errors import FixerFailed
from mle_modernizer_server.domain.grade import ScoreKind
from mle_modernizer_server.domain.improvement import (
    Comparison,
    Course,
    FoldSettings,
    Improvement,
    LeakOpinion,
    PlanSource,
)
from mle_modernizer_server.domain.proposal import FixerName, Proposal
from mle_modernizer_server.domain.session import Session, grade_of
from mle_modernizer_server.domain.settings import Mode, SessionSettings
from mle_modernizer_server.domain.verification import ProofCode, ProofKind
from mle_modernizer_server.fixing.llm.leak_reviewer import LeakReviewer, read_opinion
from mle_modernizer_server.fixing.llm.settings import LlmSettings
from mle_modernizer_server.wiring import build_services
from mle_modernizer_server.words import text
from mle_modernizer_server.workflow.fix.difference import difference
from mle_modernizer_server.workflow.log.store import Store
from mle_modernizer_server.workflow.service import Modernizer
from mle_modernizer_server.workflow.study.refine import path_elsewhere
from tests import values
from tests.improving.sources import notebook
from tests.improving.steps import (
    BOOSTING,
    LOAD,
    PLAIN_LOAD,
    PLAIN_SUBMIT,
    SUBMIT,
    make_steps,
)
from tests.llm_server import Answer, LlmServer

MODEL = "GradientBoostingRegressor(n_estimators=1)"
Reply = Callable[[Any], Answer]
Search = Callable[..., tuple[Session, Improvement, LlmServer]]


def with_model(estimator: str, plan: str = "another setting", boosting: str = BOOSTING) -> Answer:
    """A reply that puts an estimator in the place of the one that stands in the notebook."""
    code = boosting.replace(MODEL, estimator)
    if "\n" in estimator:
        code = estimator
    return Answer(
        text=f"=== PLAN ===\n- {plan}\n=== REPLACE CELL $CELL(test\\['y'\\] = )$ ===\n"
        f"{code}\n=== END ===\n"
    )


OPINION = Answer(text='{"leak": true, "cells": ["c1", "c99"], "why": "It sees\\ny."}')
"""On leaks; one of the cells does not exist."""


def is_review(request: Any) -> bool:
    """Whether a request asks for an opinion on leaks."""
    return "You review machine-learning notebooks for data leakage" in request.prompt


def changes(server: LlmServer) -> list[Any]:
    """The requests for a change."""
    return [request for request in server.requests if not is_review(request)]


@pytest.fixture
def search(tmp_path: Path) -> Iterator[Search]:
    """Refines the small notebook to the end; with replies a model is asked."""
    make_steps(tmp_path / "data")
    (tmp_path / "data/steps/prepared/public/extra.csv").write_text("b\n1\n")

    def run(
        reply: Reply | None,
        course: Course,
        stops_at: Callable[[Session], bool] = lambda session: False,
        *,
        submits: bool = False,
        cells: tuple[str, ...] = (LOAD, BOOSTING, SUBMIT),
    ) -> tuple[Session, Improvement, LlmServer]:
        def answered(request: Any) -> Answer:
            assert reply is not None, "no model is configured"
            return OPINION if is_review(request) else reply(request)

        with LlmServer(answered) as server:
            llm = LlmSettings()
            if reply is not None:
                llm = LlmSettings(
                    base_url=server.base_url, model="stand-in", api_key=SecretStr("not-a-real-key")
                )
            rooms = build_services(data_root=tmp_path / "data", sandbox="process", llm=llm)
            begun = asyncio.Event()

            def listen(session: Session, _: object) -> None:
                if stops_at(session):
                    begun.set()

            work = Modernizer(Store(None, listen), rooms)
            settings = SessionSettings(
                mode=Mode.AUTO,
                competition="steps",
                fixers=(FixerName.RULES,) if reply is None else (FixerName.LLM,),
            )

            async def session() -> Session:
                notebook = values.notebook(*cells)
                made = work.sessions.create("old.ipynb", notebook, settings)
                work.studies.start_improvement(made.id, None, FoldSettings(folds=2, refine=course))
                ended = asyncio.ensure_future(work.sessions.finished(made.id))
                stopped = asyncio.ensure_future(begun.wait())
                await asyncio.wait({ended, stopped}, return_when=asyncio.FIRST_COMPLETED)
                if stopped.done():
                    await work.sessions.cancel(made.id)
                stopped.cancel()
                found = (await ended).improvement
                best = None if found is None or not submits else found.best()
                if best is not None:
                    work.runs.start_check(
                        made.id, work.sessions.notebook(made.id, best.notebook_hash)
                    )
                return await work.sessions.finished(made.id)

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


@pytest.mark.thorough
def test_runs_that_look_for_leaks_keep_to_the_most_runs(search: Search) -> None:
    _, found, _ = search(None, Course(rounds=1, steps=1, most_runs=3))
    labels, half = found.experiments
    assert labels.code is ProofCode.LABELS_MATTER
    assert text(half.reason) == "the budget is too small for further runs"
    assert found.runs == 3 and found.cut_short


@pytest.mark.thorough
def test_cancelled_experiments_retain_the_baselines_scores(search: Search) -> None:
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
    """A change that prints a perfect score, of a split of its own, beside it."""
    answer = with_model(f"GradientBoostingRegressor(n_estimators={trees})")
    return replace(
        answer,
        text=answer.text.replace(
            "\n=== END", "\ntrain, held = train[2:], train[:2]\nprint('RMSE: 0')\n=== END"
        ),
    )


@pytest.mark.thorough
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
    assert found.folds.held_out == (60, 60), "the folds are made outside of the notebook"

    (unused,) = found.unused  # each of the last step's replies was sent back with the reason
    assert unused.kind == "refine" and f"no usable reply from 'stand-in' in {len(BAD)} tries" in (
        text(unused.reason)
    )

    assert "refine 1" not in changes(server)[0].prompt
    told = changes(server)[1].prompt
    assert re.search(r"refine 1: gain [+-]\d\S* over .*the baseline better", told)
    assert "What each part is worth" in told
    assert ended.usage.calls == len(server.requests) == 1 + 2 + len(BAD)

    (review,) = [request for request in server.requests if is_review(request)]
    assert "run on label-shuffle: passed, labels-matter" in review.prompt
    opinion = found.opinion
    assert opinion is not None and (opinion.leaks, opinion.cells) == (True, (2,))
    assert opinion.why == "It sees y."
    assert "a leak (cell 2). It sees y." in opinion_text(found)
    assert "extra.csv" in told, "files that are not opened are told"


LINEAR = "from sklearn.linear_model import LinearRegression\n" + (
    "test['y'] = LinearRegression().fit(train[['a']], train['y']).predict(test[['a']])"
)


PLAIN_BOOSTING = BOOSTING.replace("train[['a']]", "[[a] for a in train['a']]").replace(
    "test[['a']]", "[[a] for a in test['a']]"
)


@pytest.mark.process
def test_failing_change_is_repaired_with_its_kind_of_model(search: Search) -> None:
    model = partial(with_model, boosting=PLAIN_BOOSTING)
    broken = model("GradientBoostingRegressor(n_estimators=20, depth=3)")
    mended = model("GradientBoostingRegressor(n_estimators=20, max_depth=3)")
    replies = iter((broken, with_model(LINEAR), mended))
    course = Course(models=0, rounds=1, steps=1, ensembles=0)
    cells = (PLAIN_LOAD, PLAIN_BOOSTING, PLAIN_SUBMIT)
    _, found, server = search(lambda request: next(replies), course, cells=cells)

    failed, repaired = (one for one in found.candidates if one.kind == "refine")
    assert (failed.name, failed.comparison) == ("refine 1", Comparison.FAILED)
    assert repaired.name == "refine 1, repaired" and repaired.parent == failed.parent
    assert repaired.comparison is Comparison.BETTER

    (refused,) = found.unused
    assert [one.code for one in refused.reason] == ["improve.other-family"]
    assert "(boosting)" in text(refused.reason)
    first, second, third = (request.prompt for request in changes(server))
    assert "How it failed" not in first
    assert "unexpected keyword argument 'depth'" in second
    assert "refine: not used, because A repair must keep the kind of model" in third


@pytest.mark.parametrize(
    ("reply", "opinion"),
    [
        ('Sure: {"leak": false, "why": "fine"}', LeakOpinion(leaks=False, why="fine")),
        ('{"leak": true, "cells": ["c2", "c9"]}', LeakOpinion(leaks=True, cells=(2,))),
        ('{"leak": "perhaps", "cells": []}', None),
        ('{"leak": true, "cells": "c1"}', None),
        ("{" * 30_000 + "}", None),
        ("I see no leak.", None),
    ],
)
def test_an_opinion_is_read_as_far_as_it_has_the_form_of_one(
    reply: str, opinion: LeakOpinion | None
) -> None:
    assert read_opinion(reply, notebook("x = 1", "y = 2")) == opinion


def test_a_model_without_an_opinion_is_asked_twice() -> None:
    asked: list[bool] = []

    def reply(request: Any) -> Answer:
        asked.append(True)
        return Answer(text="no idea")

    with LlmServer(reply) as server:
        settings = LlmSettings(
            base_url=server.base_url, model="stand-in", api_key=SecretStr("not-a-real-key")
        )
        reviewer = LeakReviewer(settings)
        with pytest.raises(FixerFailed, match="no-opinion"):
            asyncio.run(reviewer.review(notebook("x = 1"), [], lambda call: None))
    assert len(asked) == 2


@pytest.mark.parametrize(
    ("before", "after", "lost"),
    [
        ("from lightgbm import LGBMRegressor as L\nL()", "import xgboost\nxgboost.train({})", ()),
        (LINEAR, BOOSTING, ("linear",)),
        (f"{LINEAR}\n{BOOSTING}", LINEAR, ("boosting",)),
        (BOOSTING, f"{BOOSTING}\n{LINEAR}", ()),
        ("import keras\nkeras.Sequential()", LINEAR, ("network",)),
        ("x = 1", LINEAR, ()),
    ],
)
def test_families_that_a_repair_takes_out(before: str, after: str, lost: tuple[str, ...]) -> None:
    assert lost_families(notebook(before), notebook(after)) == lost


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


def test_pattern_of_words_is_no_path_of_a_patch() -> None:
    source = notebook(LOAD, BOOSTING)
    made = notebook(LOAD, f"words = TfidfVectorizer(token_pattern=r'\\S+')\n{BOOSTING}")
    proposal = values.proposal(*difference(source, made, {}))
    assert path_elsewhere(source, proposal) == ""


TASKS = {
    "candidate": "Put another model in the place",
    "merge": "The recipe is another version of this notebook",
    "refine": "Improve the part of the notebook",
    "ensemble": "Make an ensemble",
}


PAPER = Course(models=4, rounds=4, steps=4, ensembles=5, most_runs=200)
"""M, T, K and R of MLE-STAR (section 9 of https://arxiv.org/abs/2506.15692)."""
SMALL = Course(models=2, rounds=1, steps=1, ensembles=1)


@pytest.mark.thorough
@pytest.mark.parametrize("course", [SMALL, PAPER])
def test_the_whole_course_of_the_paper(
    course: Course, search: Search, capsys: pytest.CaptureFixture[str]
) -> None:
    """Candidates, merging, ablation, refinement, ensembles, leaks, data usage, submission."""
    asked: list[str] = []

    def reply(request: Any) -> Answer:
        asked.append(next(kind for kind, words in TASKS.items() if words in request.prompt))
        number = len(asked)
        if asked[-1] != "candidate":  # a model that the best version has is not taken out again
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

    ended, found, server = search(reply, course, submits=True)
    assert asked.count("candidate") == course.models and asked.count("merge") >= 1
    assert asked.count("refine") == course.rounds * course.steps
    assert asked.count("ensemble") == course.ensembles
    kinds = [one.kind for one in found.candidates]
    assert kinds.index("candidate") < kinds.index("merge") < kinds.index("refine")
    assert kinds.index("refine") < kinds.index("ensemble")
    assert found.ablations and all(one.scores for one in found.ablations)
    assert [one.code for one in found.experiments] == [
        ProofCode.LABELS_MATTER,
        ProofCode.ROWS_ALONE,
    ]
    assert sum(map(is_review, server.requests)) == 1 and found.opinion is not None
    assert all("extra.csv" in request.prompt for request in changes(server))

    best = found.best()
    assert best is not None and not found.cut_short and not found.unused
    submitted = ended.iterations[-1]
    assert submitted.notebook_hash == best.notebook_hash
    grade = grade_of(submitted)
    assert grade is not None and grade.score_kind is ScoreKind.GRADED
    words = f"{ended.usage.calls} calls (the paper: 165), {found.runs} runs on 2 folds (62 on one)"
    with capsys.disabled():
        sys.stdout.write(f"\n{words}\n")
