"""Reports and statistics of the sessions in a database."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from mle_modernizer_server.domain.session import Session
from mle_modernizer_server.domain.statistics import SessionStatistics, Statistics
from mle_modernizer_server.workflow.log.store import Store
from mle_modernizer_server.workflow.report.history import all_facts, facts_of
from mle_modernizer_server.workflow.report.html_report import report_html
from mle_modernizer_server.workflow.report.report import report_json, report_markdown
from mle_modernizer_server.workflow.report.statistics import statistics

REPORTS: dict[str, Callable[[Session, Store], str]] = {
    "html": report_html,
    "json": report_json,
    "markdown": report_markdown,
}
"""Writers of the report formats by name."""


def stored_report(database: Path, session: str, form: str) -> str:
    """Return the report of a session in a server's file, in one of the `REPORTS` formats.

    Args:
        session: Its id, or the path of a notebook for its latest session.
        form: Name of the format.

    Raises:
        ModernizerError: The file is not usable.
        NotFound: There is no such session.
    """
    with closing(Store(database)) as store:
        newest = next(store.each_session(session), None)
        found = newest or store.read_back(session)
        return REPORTS[form](found, store)


def stored_statistics(
    database: Path, *, prefix: str = "", session_id: str | None = None
) -> Statistics | SessionStatistics:
    """Return the statistics of the sessions in a server's file, or of one of them.

    Args:
        prefix: Of the notebooks' paths.
        session_id: Only this one.

    Raises:
        ModernizerError: The file is not usable.
        NotFound: There is no such session.
    """
    with closing(Store(database)) as store:
        if session_id is None:
            return statistics(all_facts(store, prefix))
        return session_facts(store, session_id)


def session_facts(store: Store, session_id: str) -> SessionStatistics:
    """Return the statistics of one session.

    Raises:
        NotFound: There is no such session.
    """
    facts = facts_of(store, session_id)
    return SessionStatistics(facts=facts, statistics=statistics([facts]))
