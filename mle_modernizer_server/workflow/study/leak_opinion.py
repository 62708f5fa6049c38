"""A model's opinion on leaks: a third voice beside rules and runs, which decides nothing."""

from __future__ import annotations

from mle_modernizer_server.domain.errors import FixerFailed
from mle_modernizer_server.domain.improvement import Improvement, LeakOpinion
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.session import Phase
from mle_modernizer_server.fixing.llm.leak_brief import LeakBrief
from mle_modernizer_server.workflow.fix.listening import ModelCalls, unless_cancelled
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.work import Work


async def leak_opinion(work: Work, notebook: Notebook, found: Improvement) -> LeakOpinion:
    """Ask the model once whether a notebook leaks.

    Args:
        work: The session.
        notebook: The baseline.
        found: What its code and its runs show.

    Raises:
        Cancelled: The user stopped it.
    """
    assert work.services.leak_reviewer is not None  # `asks_model` has looked
    work.write(events.Progressed(phase=Phase.FIXING, message=coded("improve.asking-leaks")))
    calls = ModelCalls(work)
    question = work.services.leak_reviewer.review(
        LeakBrief(notebook, findings_lines(found)), calls.note
    )
    try:
        return await unless_cancelled(work, question)
    except FixerFailed as error:
        return LeakOpinion(reason=error.message)
    finally:
        if calls.usage.calls:
            work.write(events.Spent(usage=calls.usage))


def findings_lines(found: Improvement) -> list[str]:
    """What rules and runs have found, a line each."""
    lines = [
        f"rule: {leak.kind.value} {leak.name} in code cell {leak.cell}, line {leak.line}"
        for leak in found.leaks
    ]
    lines += [
        f"run on {one.kind.value}: {one.outcome.value}, {one.code.value}"
        for one in found.experiments
    ]
    return lines
