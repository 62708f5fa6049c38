"""A notebook that the rules could not examine in time is no notebook without a fix."""

from __future__ import annotations

from pathlib import Path

import pytest

from mle_modernizer_server.cli.exit_codes import ExitCode, code_of_session
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.domain.proposal import FixerName, Proposal
from mle_modernizer_server.domain.session import Phase, Session, Verdict
from mle_modernizer_server.domain.settings import Mode, SessionSettings
from mle_modernizer_server.fixing.fixer import (
    Fixer,
    FixRequest,
    Gap,
    NoFix,
    OnCall,
    OnText,
    no_matter,
)
from mle_modernizer_server.fixing.rules.analysis import RulesFixer
from mle_modernizer_server.words import text
from tests import values
from tests.workflow import scenes

OLD = "import numpy as np\nx = np.float(1)"
UNFINISHED = coded("rules.not-finished", count=2, cells="1–2")


class SlowRules:
    """Rules that need more than 30 seconds."""

    name = FixerName.RULES

    def __init__(self, gap: Gap = Gap.TIME) -> None:
        self._gap = gap

    async def propose(
        self, request: FixRequest, on_text: OnText, on_call: OnCall = no_matter
    ) -> Proposal | NoFix:
        """Find the fix if there is time."""
        if request.rules_seconds <= 30:
            return NoFix(reason=UNFINISHED, gap=self._gap)
        return await RulesFixer().propose(request, on_text, on_call)


class Model:
    """A model that counts how often it is asked."""

    name = FixerName.LLM

    def __init__(self) -> None:
        self.asked = 0

    async def propose(
        self, request: FixRequest, on_text: OnText, on_call: OnCall = no_matter
    ) -> NoFix:
        """Find nothing."""
        self.asked += 1
        return NoFix(reason=coded("rules.none", other=()))


def _session(
    folder: Path, rules: SlowRules, model: Model, mode: Mode, seconds: float = 30.0
) -> Session:
    """Return a session of a notebook with an old name, at its end."""
    work = scenes.modernizer(folder)
    fixers: dict[FixerName, Fixer] = {FixerName.RULES: rules, FixerName.LLM: model}
    work = scenes.with_services(work, fixers=fixers)
    settings = SessionSettings(sandbox="process", mode=mode, rules_seconds=seconds)
    notebook = values.notebook(OLD)
    sessions = []

    async def body(_: object) -> None:
        session = work.sessions.create("old.ipynb", notebook, settings)
        work.runs.start_run(session.id, notebook)
        sessions.append(await work.sessions.finished(session.id))

    scenes.scene(body, work)
    return sessions[0]


@pytest.mark.process
@pytest.mark.parametrize("mode", Mode)
def test_rules_out_of_time_ask_no_model(tmp_path: Path, mode: Mode) -> None:
    model = Model()
    session = _session(tmp_path, SlowRules(), model, mode)
    assert model.asked == 0
    assert session.verdict is Verdict.NOT_EXAMINED and session.phase is Phase.FINISHED
    assert code_of_session(session, session.iterations[-1]) is ExitCode.FAILED
    shown = text(session.message)
    assert "had examined 2 cells: 1–2. Try again with more time" in shown
    assert "AttributeError" in shown, "and where the notebook stops"
    assert "The model was not asked" in text(session.details)


@pytest.mark.process
def test_rules_with_more_time_propose_the_fix(tmp_path: Path) -> None:
    session = _session(tmp_path, SlowRules(), Model(), Mode.STEP, seconds=120)
    assert session.phase is Phase.REVIEWING and session.verdict is None


@pytest.mark.process
def test_rules_that_broke_down_let_a_model_try(tmp_path: Path) -> None:
    model = Model()
    session = _session(tmp_path, SlowRules(Gap.FAILURE), model, Mode.STEP)
    assert model.asked == 1
    assert session.verdict is Verdict.NOT_EXAMINED, "never that no fix is known"
