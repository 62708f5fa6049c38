"""A plan that grows: its first words at once, then twice a second at most, and its last words."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest

from mle_modernizer_server.domain.notebook import Cell, CellType, Notebook, notebook_hash
from mle_modernizer_server.domain.session import Session
from mle_modernizer_server.domain.settings import SessionSettings
from mle_modernizer_server.fixing.llm.settings import LlmSettings
from mle_modernizer_server.wiring import build_services
from mle_modernizer_server.words import text
from mle_modernizer_server.workflow.fix.model_progress import PlanNotes
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.log.events import Event
from mle_modernizer_server.workflow.log.store import Store
from mle_modernizer_server.workflow.work import Work

pytestmark = pytest.mark.asyncio


class Listener:
    """Keeps what is noted, and when."""

    def __init__(self) -> None:
        self.noted: list[tuple[float, str]] = []

    def __call__(self, session: Session, event: Event) -> None:
        if isinstance(event, events.Progressed):
            self.noted.append((time.monotonic(), text(event.message)))


def notes_of(listener: Listener) -> PlanNotes:
    log = Store(None, listener)
    notebook = Notebook(cells=(Cell(id="c", type=CellType.CODE, source="x = 1"),))
    created = events.Created(
        path="x.ipynb", notebook_hash=notebook_hash(notebook), settings=SessionSettings()
    )
    services = build_services(data_root=Path("nowhere"), sandbox=None, llm=LlmSettings())
    return PlanNotes(Work(log.create(created, notebook).id, services, log))


async def test_growing_plan_is_noted_at_once_and_twice_a_second() -> None:
    listener = Listener()
    notes = notes_of(listener)
    began = time.monotonic()
    notes("  ")
    for length in range(1, 31):
        notes("word " * length)
        await asyncio.sleep(0.04)
    await asyncio.sleep(0.7)
    notes.close()
    times = [at for at, _ in listener.noted]
    assert listener.noted[0][1] == "word "
    assert listener.noted[-1][1] == "word " * 30
    assert 3 <= len(times) <= (times[-1] - began) / 0.5 + 1


async def test_after_the_answer_nothing_is_noted_any_more() -> None:
    listener = Listener()
    notes = notes_of(listener)
    notes("first")
    notes("second")
    notes.close()
    await asyncio.sleep(0.7)
    assert [text for _, text in listener.noted] == ["first"]
