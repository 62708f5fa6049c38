"""Capabilities of this server, the panel's first request, and short forms of sessions."""

from __future__ import annotations

from mle_modernizer_server._version import __version__
from mle_modernizer_server.domain.competition import Competition
from mle_modernizer_server.domain.errors import SandboxUnavailable
from mle_modernizer_server.domain.proposal import FixerName
from mle_modernizer_server.domain.session import Session, grade_of
from mle_modernizer_server.domain.settings import SessionSettings
from mle_modernizer_server.web import messages
from mle_modernizer_server.workflow.service import Modernizer


def server_info(modernizer: Modernizer, defaults: SessionSettings) -> messages.ServerInfo:
    """Return version, sandboxes, model, competitions and defaults; never a key."""
    services = modernizer.services
    competitions, problems = services.competitions.list()
    try:
        default_sandbox = services.choose_sandbox(None).name
    except SandboxUnavailable:
        default_sandbox = None
    return messages.ServerInfo(
        version=__version__,
        sandboxes=tuple(
            messages.SandboxInfo(
                name=sandbox.name,
                isolated=sandbox.isolated,
                available=sandbox.availability().ok,
                reason=sandbox.availability().reason,
            )
            for sandbox in services.sandboxes.values()
        ),
        default_sandbox=default_sandbox,
        llm=messages.LlmInfo(
            configured=FixerName.LLM in services.fixers,
            model=services.model,
            reason=services.missing.get(FixerName.LLM, ""),
            price=services.price,
        ),
        data_root=str(services.competitions.root),
        competitions=tuple(map(competition_info, competitions)),
        no_data=services.competitions.without_root(),
        problems=(*modernizer.problems, *problems),
        defaults=defaults,
        old_pythons=tuple(services.old_pythons),
    )


def competition_info(competition: Competition) -> messages.CompetitionInfo:
    """Return the form of a competition for the panel."""
    return messages.CompetitionInfo(
        **competition.model_dump(include=set(messages.CompetitionInfo.model_fields))
    )


def summary(session: Session) -> messages.SessionSummary:
    """Return a session as a line of a list."""
    best = session.best_run
    grade = None if best is None else grade_of(best)
    return messages.SessionSummary(
        id=session.id,
        path=session.path,
        created_at=session.created_at,
        updated_at=session.updated_at,
        seq=session.seq,
        phase=session.phase,
        verdict=session.verdict,
        result=session.result,
        runs=len(session.iterations),
        fixes=session.fixes,
        score=None if grade is None else grade.score,
    )
