"""What a person asks for by hand: another fix, or only a look at what a model would be sent."""

from __future__ import annotations

import asyncio

from mle_modernizer_server.domain.diagnosis import FixScope, FixType
from mle_modernizer_server.domain.errors import Conflict
from mle_modernizer_server.domain.exchange import PromptPreview
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.proposal import FixerName
from mle_modernizer_server.domain.session import RehearsalRun
from mle_modernizer_server.workflow.fix.propose import Ask, fix_request
from mle_modernizer_server.workflow.work import Work


def ask_by_hand(
    work: Work,
    *,
    fix_type: FixType | None,
    scope: FixScope | None,
    fixers: tuple[FixerName, ...] | None,
    notebook: Notebook | None,
) -> Ask:
    """What to ask for of the latest iteration; what is left out is the diagnosis' or the settings'.

    Raises:
        Conflict: Nothing has run to its end yet, no fix is due and none was chosen, or the fix is
            one that a rehearsal cannot show a need for.
    """
    session = work.session
    if session.current is None or session.current.diagnosis is None:
        raise Conflict(coded("conflict.nothing-run"))
    chosen = fix_type or session.current.diagnosis.fix_type
    if chosen is None:
        raise Conflict(coded("conflict.no-fix-due"))
    if isinstance(session.current, RehearsalRun) and chosen is not FixType.ERROR_REPAIR:
        raise Conflict(coded("conflict.rehearsal-errors"))
    return Ask(
        notebook=notebook or work.notebook(session.current.notebook_hash),
        fix_type=chosen,
        scope=scope or session.settings.scope,
        fixers=fixers or session.settings.fixers,
    )


async def preview_prompt(
    work: Work,
    *,
    fix_type: FixType | None = None,
    scope: FixScope | None = None,
    notebook: Notebook | None = None,
) -> PromptPreview:
    """The messages a model would get for such a fix; nothing is sent, and none need be configured.

    Raises:
        NotFound: There is no such session.
        Conflict: As `ask_by_hand`; or the fix is one that no model is asked for.
    """
    if fix_type is FixType.BEFORE_RUN:
        raise Conflict(coded("conflict.rules-first"))
    ask = ask_by_hand(work, fix_type=fix_type, scope=scope, fixers=None, notebook=notebook)
    iteration = work.session.iterations[-1]
    request = await fix_request(work, iteration, ask)
    return await asyncio.to_thread(work.services.preview, request)
