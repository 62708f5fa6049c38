"""One container, from its start to its removal."""

from __future__ import annotations

import asyncio
import atexit
import logging
import threading
import time
import weakref
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from docker.errors import APIError, NotFound

from mle_modernizer_server.domain.errors import SandboxUnavailable
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.execution.sandboxes.docker.engine import (
    ENGINE_ERRORS,
    Engine,
    explanation,
    gone_is_fine,
)

_KILLED = 137
UNKNOWN = 255
"""Exit code of a container whose engine does not answer any more."""
_ENGINE_AWAY = 5
"""Retries of the query for a container's exit if the engine does not answer."""


logger = logging.getLogger(__name__)

_started: weakref.WeakSet[Container] = weakref.WeakSet()


@atexit.register
def _end_all() -> None:
    """End all containers, so that none outlives the process that started it."""
    for container in list(_started):
        if not container.ended:
            with suppress(*ENGINE_ERRORS, SandboxUnavailable):
                container.remove()


@dataclass(frozen=True)
class Exit:
    """Exit of a container.

    Attributes:
        code: Exit code of its first process; 137 for a kill.
        out_of_memory: The kernel killed something in it because its memory was used up.
        stdout: Its output, as far as stored.
        stderr: The same.
    """

    code: int
    out_of_memory: bool
    stdout: str = ""
    stderr: str = ""


class Container:
    """A started container; a thread of its own waits for its end, reads how, and removes it.

    Attributes:
        id: The engine's id.
        exit: How it ended; None while it runs.
    """

    def __init__(self, engine: Engine, arguments: dict[str, Any]) -> None:
        """Create and start it; takes some tenths of a second.

        Args:
            engine: The engine.
            arguments: For the engine, as `sealed` makes them.

        Raises:
            SandboxUnavailable: The engine refuses; the message has its words.
        """
        self._engine = engine
        self._ended = threading.Event()
        self._lock = threading.Lock()
        self._listeners: list[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = []
        self.exit: Exit | None = None
        image = arguments["image"]
        try:
            self.id: str = engine.api.create_container(**arguments)["Id"]
        except ENGINE_ERRORS as error:
            raise _refused(image, error) from error
        try:
            engine.api.start(self.id)
        except ENGINE_ERRORS as error:
            self.remove()
            raise _refused(image, error) from error
        _started.add(self)
        threading.Thread(target=self._wait, name="mle-modernizer-container", daemon=True).start()

    @property
    def ended(self) -> bool:
        """Return whether it has ended."""
        return self._ended.is_set()

    def processes(self) -> list[int]:
        """Return the numbers of its processes on the engine's machine; none once it has ended."""
        try:
            rows = self._engine.api.top(self.id, ps_args="-eo pid")["Processes"]
        except ENGINE_ERRORS:
            return []
        return [int(row[0]) for row in rows or ()]

    def end(self) -> None:
        """Kill it and wait until it has exited; a second call does nothing."""
        if self.ended:
            return
        try:
            with gone_is_fine():
                self._engine.api.kill(self.id)
        except (*ENGINE_ERRORS, SandboxUnavailable) as error:
            # The engine is unreachable: the container's own time limit ends it, or the next start.
            logger.warning("The container %s could not be ended: %s", self.id[:12], error)
        self._ended.wait(30)

    def remove(self) -> None:
        """Remove it in any state; a second call does nothing."""
        with gone_is_fine():
            self._engine.api.remove_container(self.id, force=True, v=True)

    def wait(self, seconds: float) -> bool:
        """Wait in this thread for its end; whether it came."""
        return self._ended.wait(seconds)

    async def ending(self) -> Exit:
        """Wait for its end, without holding a thread."""
        heard = asyncio.Event()
        with self._lock:
            if self.exit is None:
                self._listeners.append((asyncio.get_running_loop(), heard))
            else:
                heard.set()
        await heard.wait()
        if self.exit is None:
            raise RuntimeError("the end was told before it was known")
        return self.exit

    def _wait(self) -> None:
        found = Exit(UNKNOWN, False, stderr="The Docker engine does not answer any more.")
        for _ in range(_ENGINE_AWAY):
            try:
                self._engine.api.wait(self.id, timeout=None)
                found = self._read_exit()
                self.remove()
                break
            except NotFound:
                found = Exit(_KILLED, False, stderr="Somebody removed the container.")
                break
            except ENGINE_ERRORS:
                time.sleep(1)
        with self._lock:
            self.exit = found
            listeners, self._listeners = self._listeners, []
        self._ended.set()
        for loop, heard in listeners:
            with suppress(RuntimeError):  # its loop was closed: nobody waits any more
                loop.call_soon_threadsafe(heard.set)

    def _read_exit(self) -> Exit:
        state = self._engine.api.inspect_container(self.id)["State"]
        return Exit(
            int(state.get("ExitCode", UNKNOWN)),
            bool(state.get("OOMKilled")),
            self._log(stdout=True),
            self._log(stdout=False),
        )

    def _log(self, *, stdout: bool) -> str:
        log = self._engine.api.logs(self.id, stdout=stdout, stderr=not stdout)
        return log.decode("utf-8", "replace").strip()


def _refused(image: str, error: Exception) -> SandboxUnavailable:
    words = explanation(error)
    if isinstance(error, APIError) and "bind source path does not exist" in words:
        return SandboxUnavailable(coded("docker.elsewhere", words=words))
    if "executable file not found" in words or "no such file" in words:
        return SandboxUnavailable(coded("docker.no-shell", image=image, words=words))
    return SandboxUnavailable(coded("docker.no-container", words=words))
