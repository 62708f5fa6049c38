"""A score-calibration begins with its cause: silent changes, then the noise, then the model."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mle_modernizer_server.domain.diagnosis import FixType
from mle_modernizer_server.domain.errors import Conflict
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.proposal import FixerName
from mle_modernizer_server.domain.session import Phase, Session, Verdict
from mle_modernizer_server.domain.settings import Mode
from mle_modernizer_server.domain.verification import Calibration, NoiseAnswer, NoiseWish
from mle_modernizer_server.fixing.llm.settings import LlmSettings
from mle_modernizer_server.wiring import build_services
from mle_modernizer_server.words import text
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.log.store import Store
from mle_modernizer_server.workflow.report.report import report_markdown
from mle_modernizer_server.workflow.service import Modernizer
from mle_modernizer_server.workflow.study import cause as calibrating
from tests import values
from tests.llm_server.answers import Answer
from tests.llm_server.server import LlmServer
from tests.workflow.logged_sessions import FAILED_CELL, logged
from tests.workflow.repeating import printed, scores_in_turn, worked
from tests.workflow.test_recovery import modernizer

TREES = values.notebook(
    "from sklearn.ensemble import IsolationForest, RandomForestClassifier\n"
    "from sklearn.svm import SVC\n"
    "X, y = [[i, i % 3] for i in range(40)], [i % 2 for i in range(40)]",
    "svm = SVC().fit(X, y)  # does nothing for the score\n"
    "model = RandomForestClassifier(random_state=0).fit(X, y)",
    "1.7391 - len(model.estimators_) / 100",
)
"""0.7391 with 100 trees, the default since scikit-learn 0.22; 1.6391 with the 10 from before."""
_ENSEMBLE = """\
class RandomForestClassifier:
    def __init__(self, n_estimators=100, random_state=None):
        self.n_estimators = n_estimators

    def fit(self, X, y):
        self.estimators_ = [None] * self.n_estimators
        return self


class IsolationForest:
    pass
"""
_SVM = """\
class SVC:
    def __init__(self, gamma="scale"):
        pass

    def fit(self, X, y):
        return self
"""
NO_FIX = "=== PLAN ===\n- nothing\n=== NO FIX ===\nNo library change explains it.\n=== END ==="


@pytest.fixture
def beside(tmp_path: Path) -> Path:
    """A notebook's folder, with a `sklearn` that has today's defaults and loads in no time."""
    folder = tmp_path / "beside"
    (folder / "sklearn").mkdir(parents=True)
    for name, source in (("__init__", ""), ("ensemble", _ENSEMBLE), ("svm", _SVM)):
        (folder / "sklearn" / f"{name}.py").write_text(source)
    return folder


def only_run(notebook: Notebook) -> Callable[[Modernizer, str], Session]:
    return lambda work, name: work.runs.start_check(name, notebook)


def auto(notebook: Notebook) -> Callable[[Modernizer, str], Session]:
    return lambda work, name: work.runs.start_run(name, notebook)


@pytest.fixture
def model() -> Iterator[LlmServer]:
    with LlmServer([Answer(NO_FIX)] * 3) as server:
        yield server


def with_model(folder: Path, server: LlmServer) -> Modernizer:
    environ = {"MLE_MODERNIZER_API_KEY": "k"}
    llm = LlmSettings.from_environment(base_url=server.base_url, model="m", environ=environ)
    rooms = build_services(data_root=folder / "data", sandbox=None, llm=llm)
    return Modernizer(Store(folder / "s.db"), rooms)


def the_search(session: Session) -> Calibration:
    (found,) = session.calibrations
    assert found.done
    return found


@pytest.mark.process
def test_default_that_moved_the_score_is_identified(tmp_path: Path, beside: Path) -> None:
    work = modernizer(tmp_path)
    session = worked(
        *(
            tmp_path,
            TREES,
            printed(1.6),
            only_run(TREES),
            lambda work, name: work.studies.start_cause(name),
        ),
        work=work,
        beside=beside,
    )
    found = the_search(session)
    assert found.control == found.score == pytest.approx(0.7391)
    both, first, second = found.tried
    assert set(both.rules) == {"sklearn-pin-forest-size", "sklearn-pin-svm-gamma"}
    assert {first.rules, second.rules} == {(rule,) for rule in both.rules}
    (cause,) = found.causes
    assert cause.rules == ("sklearn-pin-forest-size",)
    assert cause.before == pytest.approx(0.7391) and cause.after == pytest.approx(1.6391)
    assert cause.moved and cause.nearer and cause.within_threshold
    assert cause.changes[0].name == "sklearn 0.22" and cause.changes[0].link.startswith("https://")
    assert found.left_out == ("sklearn-pin-svm-gamma",)
    assert "n_estimators=10 is written out." in text(found.message)
    assert text(found.message).endswith(
        "That moved the score from 0.7391 to 1.6391: this is the cause."
    )
    assert text(session.message) == text(found.message)
    # It measures: no iteration, no proposal, no other phase.
    assert len(session.iterations) == 1 and not session.all_reviews
    assert session.phase is Phase.FINISHED
    sent = report_markdown(session, modernizer(tmp_path).log)
    assert "## Cause of the distance (run 1)" in sent and "this is the cause" in sent


@pytest.mark.thorough
def test_auto_mode_proposes_the_cause_without_idle_changes(tmp_path: Path) -> None:
    session = worked(tmp_path, TREES, printed(1.6, mode=Mode.AUTO), auto(TREES))
    assert session.verdict is Verdict.REPRODUCED and len(session.iterations) == 2
    final = session.all_reviews[-1]
    (edit,) = final.proposal.edits
    assert edit.rules == ("sklearn-pin-forest-size",)
    assert "RandomForestClassifier(random_state=0, n_estimators=10)" in edit.new_source
    assert "SVC()" in edit.new_source
    assert session.noise is None, "with the cause found, no noise need be measured"


@pytest.mark.thorough
def test_model_comes_last_and_learns_the_trials_without_digits(
    tmp_path: Path, beside: Path, model: LlmServer
) -> None:
    notebook = TREES.model_copy(
        update={
            "cells": (
                *TREES.cells[:2],
                values.notebook("", "", "import random\nrandom.seed(3)\n0.7391").cells[2],
            )
        }
    )
    work = with_model(tmp_path, model)
    settings = printed(1.6, mode=Mode.AUTO, noise_runs=3)
    session = worked(tmp_path, notebook, settings, auto(notebook), work=work, beside=beside)
    found = the_search(session)
    assert found.causes == () and len(found.left_out) == 2
    assert text(found.message).startswith(
        "With all 2 old behaviours restored, the score does not change"
    )
    assert session.noise is not None and session.noise.answer is NoiseAnswer.STEADY
    assert session.verdict is Verdict.BELOW_TARGET and not session.all_reviews
    (request,) = model.requests
    # In the part that changes, not in the one that is cached.
    asked = request.last[request.last.index("# What repeated runs have shown") :]
    assert "n_estimators=10 is written out." in asked
    assert "Restored together: it did not move the score." in asked
    assert "randomness is not the cause" in asked
    assert "have not changed with the libraries' versions" in asked
    told = re.sub(r"random.seed\(3\)\n0.7391", "", request.prompt)
    assert "7391" not in told, "the score itself is not the model's business"


@pytest.mark.thorough
def test_score_within_noise_gets_no_fix_and_no_model(tmp_path: Path, model: LlmServer) -> None:
    notebook = scores_in_turn(tmp_path, [0.80, 0.95, 0.85, 1.05])
    work = with_model(tmp_path, model)
    settings = printed(0.99, mode=Mode.AUTO, noise_runs=3)
    session = worked(tmp_path, notebook, settings, auto(notebook), work=work)
    assert session.verdict is Verdict.WITHIN_NOISE and session.phase is Phase.FINISHED
    assert text(session.message).startswith("Within noise: ")
    assert model.requests == [] and len(session.iterations) == 1
    assert text(the_search(session).message).startswith("No changed default or behaviour")


@pytest.mark.process
def test_a_score_better_than_the_band_is_left_as_it_is(tmp_path: Path, beside: Path) -> None:
    session = worked(tmp_path, TREES, printed(0.2, mode=Mode.AUTO), auto(TREES), beside=beside)
    assert session.verdict is Verdict.ABOVE_TARGET and len(session.iterations) == 1
    assert session.calibrations == () and session.noise is None and not session.all_reviews


@pytest.mark.thorough
def test_what_a_repeat_moves_as_well_is_no_cause(tmp_path: Path) -> None:
    noisy = "(0.5 if count else 0.48) + (0.1 - len(model.estimators_) / 1000) / 4"
    counter = scores_in_turn(tmp_path, [0.0]).cells[0].source
    notebook = values.notebook(TREES.cells[0].source, f"{TREES.cells[1].source}\n{counter}", noisy)
    session = worked(
        tmp_path,
        notebook,
        printed(0.9),
        only_run(notebook),
        lambda work, name: work.studies.start_cause(name),
    )
    found = the_search(session)
    assert found.control == pytest.approx(0.5) and found.score == pytest.approx(0.48)
    (both,) = found.tried
    assert both.after == pytest.approx(0.5225) and not both.moved and found.causes == ()


@pytest.mark.thorough
def test_long_runs_are_not_repeated_by_default_never_is_obeyed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calibrating, "CHEAP_SECONDS", 0.0)
    fixers = (FixerName.LLM,)  # none is configured: the session ends at once
    notebook = values.notebook("0.5")
    for wish, told in ((NoiseWish.WHEN_CHEAP, True), (NoiseWish.NEVER, False)):
        settings = printed(0.9, mode=Mode.AUTO, measure_noise=wish, fixers=fixers)
        session = worked(tmp_path / wish.value, notebook, settings, auto(notebook))
        assert (session.noise is not None) is told
        if session.noise is not None:
            assert session.noise.runs == () and session.noise.answer is NoiseAnswer.OPEN
            assert "was not measured: a run takes" in text(session.noise.message)
    always = {"measure_noise": NoiseWish.ALWAYS, "noise_runs": 3}
    settings = printed(0.9, mode=Mode.AUTO, fixers=fixers, **always)
    session = worked(tmp_path / "always", notebook, settings, auto(notebook))
    assert session.noise is not None and session.noise.answer is NoiseAnswer.STEADY


@pytest.mark.thorough
def test_a_cancelled_search_says_so_and_keeps_what_was_tried(tmp_path: Path) -> None:
    async def scene() -> None:
        work = modernizer(tmp_path)
        name = work.sessions.create("old.ipynb", TREES, printed(1.6)).id
        work.runs.start_check(name, TREES)
        before = await work.sessions.finished(name)
        work.studies.start_cause(name)
        while True:
            session = work.log.get(name)
            if session.calibrations and session.calibrations[-1].tried:
                break
            await asyncio.sleep(0.02)
        session = await work.sessions.cancel(name)
        found = the_search(session)
        assert text(found.message) == "Cancelled before a cause was found." and found.tried
        assert (session.phase, session.verdict) == (before.phase, before.verdict)
        await work.close()

    asyncio.run(scene())


def test_calibration_by_hand_without_score_refused(tmp_path: Path) -> None:
    store = Store(tmp_path / "s.db")
    session = logged(store, "a.ipynb", [FAILED_CELL])
    diagnosis = session.iterations[0].require_diagnosis()
    store.append(
        session.id, events.Diagnosed(grade=values.grade(None), diagnosis=diagnosis, best=1)
    )
    work = modernizer(tmp_path)
    with pytest.raises(Conflict) as refused:
        work.runs.start_fix(session.id, fix_type=FixType.SCORE_CALIBRATION)
    assert text(refused.value.message).startswith("There is nothing to calibrate")
