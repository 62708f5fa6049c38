"""A kernel in a container: its connection, its sockets, its disk, and its exit reason.

The kernel binds its sockets in a directory that is mounted for that alone. As soon as they are
there they are moved out of it, to the clients' place: afterwards the kernel only reaches an
empty directory, and no client ever follows a path that notebook code can change.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import stat
import time
import uuid
from pathlib import Path
from typing import Any

from mle_modernizer_server.domain.errors import SandboxUnavailable
from mle_modernizer_server.domain.execution import Ending
from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.execution.sandboxes.base import ExitReason
from mle_modernizer_server.execution.sandboxes.docker.container import UNKNOWN, Container, Exit
from mle_modernizer_server.execution.sandboxes.docker.disk import DiskWatch
from mle_modernizer_server.execution.sandboxes.docker.engine import ENGINE_ERRORS, Engine
from mle_modernizer_server.execution.sandboxes.docker.isolation import (
    CONNECTION,
    SOCKETS,
    Layout,
    Maker,
)
from mle_modernizer_server.execution.sandboxes.docker.relay import Relay
from mle_modernizer_server.execution.sandboxes.docker.settings import Settings, in_words
from mle_modernizer_server.execution.sandboxes.workspace import Mounts

_CHANNELS = ("shell", "iopub", "stdin", "control", "hb")
_NAMES = tuple(f"k-{number}" for number in range(1, len(_CHANNELS) + 1))
"""The sockets."""
_CONNECTION = "connection.json"
_START_LIMIT = 60.0
"""Seconds until a kernel must have bound its sockets."""
_LOOK = 0.02
_LAST_LOOK = 5.0
_KILLED = 137
_LIFE_OVER = 124
_LAST_WORDS = 600

Connection = dict[str, Any]
"""Jupyter's connection info."""


def new_connection(mounts: Mounts) -> Connection:
    """Return a connection over Unix sockets in a runtime directory, with its own key."""
    ports = {f"{channel}_port": number for number, channel in enumerate(_CHANNELS, start=1)}
    return {
        **ports,
        "transport": "ipc",
        "ip": str(mounts.runtime / "k"),
        "key": uuid.uuid4().hex,
        "signature_scheme": "hmac-sha256",
        "kernel_name": "",
    }


def connection_file(mounts: Mounts) -> Path:
    """Return the path of the clients' connection file; the kernel does not see it."""
    return mounts.runtime / _CONNECTION


class KernelContainer:
    """One kernel; made anew for a restart.

    Attributes:
        connection: Connection info for clients.
        mounts: Its directories.
    """

    def __init__(
        self,
        engine: Engine,
        settings: Settings,
        maker: Maker,
        mounts: Mounts,
        connection: Connection,
    ) -> None:
        self.connection = connection
        self.mounts = mounts
        self._engine = engine
        self._settings = settings
        self._maker = maker
        self._container: Container | None = None
        self._disk: DiskWatch | None = None
        self._relay: Relay | None = None
        self._full = ""
        self._ended_on_purpose = False

    @property
    def exit(self) -> Exit | None:
        """Return its exit; None while it runs."""
        return None if self._container is None else self._container.exit

    def start(self, argv: list[str], *, life: float) -> None:
        """Create the container and start the kernel in it; to be called in a thread.

        Args:
            argv: The kernelspec's, with `{connection_file}`; the first is the interpreter.
            life: Seconds after which it ends by itself.

        Raises:
            SandboxUnavailable: The engine refuses.
            OSError: The scratch directory cannot be written.
        """
        self._write_connection()
        inside = [part.replace("{connection_file}", CONNECTION) for part in argv[1:]]
        content = json.dumps({**self.connection, "ip": f"{SOCKETS}/k"})
        arguments = self._maker.kernel(tuple(inside), self.mounts, life=life, connection=content)
        self._container = Container(self._engine, arguments)
        if self._maker.remote:
            return
        sockets = Layout.of(self.mounts).sockets
        written = (self.mounts.working, self.mounts.temp, self.mounts.packages, sockets)
        self._disk = DiskWatch(
            [directory for directory in written if directory is not None],
            self._settings.disk,
            self._container.processes,
            self._on_full,
        )

    def wait_until_ready(self) -> None:
        """Wait until the kernel has bound its sockets, and take them out of its reach.

        Raises:
            SandboxUnavailable: It ended unexpectedly, or it takes too long.
        """
        if self._maker.remote:
            self._relay_when_ready()
            return
        sockets = Layout.of(self.mounts).sockets
        names = _NAMES
        end = time.monotonic() + _START_LIMIT
        while not all(_is_socket(sockets / name) for name in names):
            if self.exit is not None:
                if self._ended_on_purpose:
                    return
                raise SandboxUnavailable(self._why_not_started(self.exit))
            if time.monotonic() > end:
                raise SandboxUnavailable(
                    coded(
                        "docker.kernel-late", image=self._settings.image, start_limit=_START_LIMIT
                    )
                )
            time.sleep(_LOOK)
        for name in names:
            taken = self.mounts.runtime / name
            (sockets / name).rename(taken)
            if not _is_socket(taken):  # exchanged meanwhile, by a package that was installed
                taken.unlink()
                raise SandboxUnavailable(coded("docker.sockets-exchanged"))
        if os.geteuid() == 0:
            os.chown(sockets, 0, self._maker.user[1])
        sockets.chmod(0o550)

    def _relay_when_ready(self) -> None:
        container = self._container
        if container is None:
            return
        sockets = {self.mounts.runtime / name: f"{SOCKETS}/{name}" for name in _NAMES}
        there = " && ".join(f"[ -S {path} ]" for path in sockets.values())
        try:
            api = self._engine.api
            waiting = api.exec_create(
                container.id, ["sh", "-c", f"until {there}; do sleep .1; done"]
            )
            api.exec_start(waiting["Id"])
        except ENGINE_ERRORS as error:
            container.wait(_LAST_LOOK)
            if self.exit is None:
                raise SandboxUnavailable(coded("docker.no-kernel", error=str(error))) from error
        if self.exit is not None or container.wait(0):
            if not self._ended_on_purpose and self.exit is not None:
                raise SandboxUnavailable(self._why_not_started(self.exit))
            return
        self._relay = Relay(self._engine, container.id, sockets)

    async def ending(self) -> int:
        """Wait for its end; return the exit code. One that never started has ended with 0."""
        return 0 if self._container is None else (await self._container.ending()).code

    def end(self) -> None:
        """Kill it and wait until all its processes have exited. May be called again."""
        self._ended_on_purpose = self._ended_on_purpose or not self._full
        if self._disk is not None:
            self._disk.stop()
        if self._relay is not None:
            self._relay.close()
        if self._container is not None:
            self._container.end()

    def why(self, code: int) -> ExitReason:
        """Return why it ended."""
        found = self.exit
        if self._full:
            return ExitReason(code, Ending.DISK_FULL, self._full)
        if found is not None and found.out_of_memory and found.code == _KILLED:
            return ExitReason(
                code,
                Ending.OUT_OF_MEMORY,
                f"The notebook used up its memory of {in_words(self._maker.limits.memory)} and was "
                "killed.",
            )
        if found is not None and found.code == _LIFE_OVER:
            return ExitReason(
                code, message="The kernel was ended because its container's time was up."
            )
        if found is not None and found.code == UNKNOWN:
            return ExitReason(None, message="The Docker engine went away while the notebook ran.")
        if code == -signal.SIGKILL:
            return ExitReason(
                code,
                message="The kernel was killed, not for its memory: by the notebook itself, or by "
                "somebody with rights on the Docker engine.",
            )
        return ExitReason(code)

    def stderr_tail(self) -> str:
        """Return its last printed lines, once it has ended."""
        return "" if self.exit is None else (self.exit.stderr or self.exit.stdout)[-_LAST_WORDS:]

    def _on_full(self, message: str) -> None:
        if self.exit is None and not self._ended_on_purpose:
            self._full = message
            if self._container is not None:
                self._container.end()

    def _write_connection(self) -> None:
        """Write the connection for clients and kernel, and make an empty directory for sockets."""
        for name in _NAMES:
            (self.mounts.runtime / name).unlink(missing_ok=True)
        _write(connection_file(self.mounts), self.connection)
        if self._maker.remote:
            return
        sockets = Layout.of(self.mounts).sockets
        # Files that an earlier kernel left in it are removed, links are not followed.
        shutil.rmtree(sockets, ignore_errors=True)
        sockets.mkdir()
        inside = sockets / "kernel.json"
        _write(inside, {**self.connection, "ip": f"{SOCKETS}/k"})
        if os.geteuid() == 0:
            user, group = self._maker.user
            os.chown(inside, 0, group)
            inside.chmod(0o640)
            os.chown(sockets, user, group)
        sockets.chmod(0o700)

    def _why_not_started(self, found: Exit) -> Messages:
        image = self._settings.image
        words = self.stderr_tail()
        if "No module named ipykernel" in words:
            return coded("docker.no-ipykernel", image=image)
        if found.code == 127:
            return coded("docker.image-cannot", image=image, words=words)
        if found.out_of_memory:
            memory = in_words(self._maker.limits.memory)
            return coded("docker.little-memory", memory=memory)
        return coded("docker.image-no-kernel", image=image, exit=found.code, words=words)


def _write(file: Path, connection: Connection) -> None:
    """Write a file that only its owner can read, from its first byte on."""
    file.unlink(missing_ok=True)
    number = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(number, "w", encoding="utf-8") as stream:
        json.dump(connection, stream)


def _is_socket(path: Path) -> bool:
    try:
        return stat.S_ISSOCK(path.lstat().st_mode)
    except OSError:
        return False
