"""The facts of all sessions in a store, read fast enough for thousands of them.

A session is read once from its log without the steps of its work, which are most events, and its
facts are cached next to the log under the number of the last event: an unchanged session takes one
row. A server reads on a connection and in a thread of its own.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import closing
from functools import partial
from typing import TypeVar

from pydantic import ValidationError

from mle_modernizer_server import pools
from mle_modernizer_server.domain.errors import ModernizerError, NotFound
from mle_modernizer_server.domain.statistics import SessionFacts
from mle_modernizer_server.workflow.log.store import Store
from mle_modernizer_server.workflow.report.session_facts import session_facts

_logger = logging.getLogger(__name__)

_VERSION = 1
"""Version of the facts: cached ones of another version are computed again."""
_BATCH = 50
"""Sessions whose facts are written at once, so that others need not wait for the file."""

_Answer = TypeVar("_Answer")


def facts_of(store: Store, session_id: str) -> SessionFacts:
    """Return the facts of one session in its current state.

    Raises:
        NotFound: There is no such session.
    """
    return session_facts(store.read_back(session_id), partial(store.notebook, session_id))


def all_facts(store: Store, prefix: str = "", most: int | None = None) -> list[SessionFacts]:
    """Return the facts of the sessions whose path begins with a prefix, newest first.

    Args:
        prefix: Of the notebooks' paths.
    """
    found: list[SessionFacts] = []
    fresh: list[tuple[str, int, str]] = []
    for session_id, seq in store.ends(prefix)[:most]:
        kept = _kept(store, session_id, seq)
        if kept is not None:
            found.append(kept)
            continue
        try:
            facts = facts_of(store, session_id)
        except NotFound:
            continue  # deleted meanwhile
        except (ModernizerError, ValueError, TypeError) as error:
            _logger.warning("Session %s cannot be read: %s", session_id, error)
            continue
        found.append(facts)
        fresh.append((session_id, facts.seq, facts.model_dump_json()))
        if len(fresh) == _BATCH:
            store.keep_facts(_VERSION, fresh)
            fresh = []
    if fresh:
        store.keep_facts(_VERSION, fresh)
    return found


def _kept(store: Store, session_id: str, seq: int) -> SessionFacts | None:
    """Return the cached facts; None if stale or unreadable."""
    text = store.kept_facts(_VERSION, session_id, seq)
    try:
        return None if text is None else SessionFacts.model_validate_json(text)
    except ValidationError:
        return None  # another version's, which had other fields


async def beside(store: Store, work: Callable[[Store], _Answer]) -> _Answer:
    """Do long reading in a thread, on another connection to the same file.

    A store in memory has no other connection: there it is done at once.

    Raises:
        StoreUnusable: The store was closed, or its file cannot be used any more.
    """
    store.flush()
    database = store.database
    if database is None:
        return work(store)

    def reading() -> _Answer:
        with closing(Store(database)) as own:
            return work(own)

    return await pools.database.run(reading)
