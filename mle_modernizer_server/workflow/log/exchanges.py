"""Requests to models and their replies: next to the log, compressed, for the user.

A text that was sent twice (a retry repeats the whole conversation) is stored once.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from hashlib import sha256
from typing import Any

from mle_modernizer_server.domain.errors import NotFound
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.domain.model_calls import Exchange, ExchangeSummary, ModelCall

_TABLES = """
CREATE TABLE IF NOT EXISTS calls (
    session TEXT NOT NULL,
    exchange TEXT NOT NULL,
    number INTEGER NOT NULL,
    proposal INTEGER NOT NULL,
    call BLOB NOT NULL,
    PRIMARY KEY (session, exchange, number)
);
CREATE TABLE IF NOT EXISTS sent_texts (
    session TEXT NOT NULL,
    hash TEXT NOT NULL,
    text BLOB NOT NULL,
    PRIMARY KEY (session, hash)
);
"""


class Exchanges:
    """The calls of all sessions' models, in the database of their logs."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        db.executescript(_TABLES)

    def keep(self, session_id: str, exchange: str, call: ModelCall) -> None:
        """Keep a call as the next one of an exchange."""
        messages = []
        texts = {}
        for message in call.messages:
            digest = sha256(message.text.encode()).hexdigest()
            texts[digest] = message.text
            messages.append({"role": message.role, "hash": digest})
        row = {**call.model_dump(mode="json", exclude={"messages"}), "messages": messages}
        with self._db:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.executemany(
                "INSERT OR IGNORE INTO sent_texts VALUES (?, ?, ?)",
                [(session_id, digest, _packed(text)) for digest, text in texts.items()],
            )
            self._db.execute(
                "INSERT INTO calls SELECT ?, ?, COUNT(*) + 1, 0, ? FROM calls "
                "WHERE session = ? AND exchange = ?",
                (session_id, exchange, _packed(json.dumps(row)), session_id, exchange),
            )

    def belongs_to(self, session_id: str, exchange: str, proposal: str) -> None:
        """File the exchange under the id of the resulting proposal."""
        with self._db:
            self._db.execute(
                "UPDATE calls SET exchange = ?, proposal = 1 WHERE session = ? AND exchange = ?",
                (proposal, session_id, exchange),
            )

    def get(self, session_id: str, exchange: str) -> Exchange:
        """Return all calls of an exchange, in order.

        Raises:
            NotFound: No request belongs to it.
        """
        rows = self._db.execute(
            "SELECT call FROM calls WHERE session = ? AND exchange = ? ORDER BY number",
            (session_id, exchange),
        ).fetchall()
        if not rows:
            raise NotFound(coded("exchange.none", exchange=exchange))
        return Exchange(
            id=exchange, calls=tuple(self._call(session_id, packed) for (packed,) in rows)
        )

    def summaries(self, session_id: str) -> tuple[ExchangeSummary, ...]:
        """Return the exchanges of a session, oldest first."""
        rows = self._db.execute(
            "SELECT exchange, proposal, call, (SELECT COUNT(*) FROM calls AS each WHERE "
            "each.session = first.session AND each.exchange = first.exchange) "
            "FROM calls AS first WHERE session = ? AND number = 1 ORDER BY rowid",
            (session_id,),
        ).fetchall()
        return tuple(
            ExchangeSummary(
                id=exchange,
                started_at=json.loads(_unpacked(packed))["started_at"],
                calls=calls,
                proposal=bool(proposal),
            )
            for exchange, proposal, packed, calls in rows
        )

    def forget(self, session_id: str) -> None:
        """Delete all of a session's; within a transaction of the caller's."""
        for table in ("calls", "sent_texts"):
            self._db.execute(f"DELETE FROM {table} WHERE session = ?", (session_id,))

    def _call(self, session_id: str, packed: bytes) -> ModelCall:
        row: dict[str, Any] = json.loads(_unpacked(packed))
        for message in row["messages"]:
            (text,) = self._db.execute(
                "SELECT text FROM sent_texts WHERE session = ? AND hash = ?",
                (session_id, message.pop("hash")),
            ).fetchone()
            message["text"] = _unpacked(text)
        return ModelCall.model_validate(row)


def _packed(text: str) -> bytes:
    return zlib.compress(text.encode())


def _unpacked(packed: bytes) -> str:
    return zlib.decompress(packed).decode()
