"""One kernel in a sandbox, from its start to its certain end."""

from __future__ import annotations

import asyncio
import inspect
import json
import os
import signal
import threading
from contextlib import suppress
from typing import Any

import zmq
import zmq.asyncio
from jupyter_client.asynchronous.client import AsyncKernelClient
from jupyter_client.connect import KernelConnectionInfo, port_names
from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_client.manager import AsyncKernelManager

from mle_modernizer_server.code.ipython import literal_value
from mle_modernizer_server.execution.kernel.bounded_client import BoundedSession
from mle_modernizer_server.execution.kernel.inside import setup as kernel_side_setup
from mle_modernizer_server.execution.sandboxes.base import (
    KERNEL_ARGV,
    DescribesExit,
    ExitReason,
    KeepsLastWords,
    Sandbox,
)
from mle_modernizer_server.execution.sandboxes.workspace import Mounts

_KEPT = 2_000
"""Bytes."""
_PIECE = 2**16
_REST = 0.5
"""Seconds the last piece may still take when a process has just died."""


class StderrTail:
    """The last part of the text from a pipe.

    Attributes:
        pipe: File descriptor to print to; for the process that is started.
    """

    def __init__(self) -> None:
        self._reading, self.pipe = os.pipe()
        self._kept = b""
        self._thread = threading.Thread(target=self._read, name="mle-modernizer-log", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Close our copy of the pipe, once the process has its own."""
        os.close(self.pipe)

    def text(self) -> str:
        """Return the last lines of a process that died."""
        self._thread.join(_REST)
        return self._kept.decode("utf-8", "replace").strip()

    def _read(self) -> None:
        while piece := os.read(self._reading, _PIECE):
            self._kept = (self._kept + piece)[-_KEPT:]
        os.close(self._reading)


_START_LIMIT = 60.0
"""Seconds until a kernel must have answered."""
_LARGEST_MESSAGE = 64 * 2**20
"""Bytes; a kernel that sends a larger one loses the message, not our memory."""
_LONGEST_QUEUE = 2
"""Messages of a channel that wait for us here; further ones wait in the kernel's own memory."""
_LONGEST_ANSWER = 2_000_000
"""Characters of an answer between two cells."""
_LONGEST_STREAM = 30_000_000
"""Characters a cell may print."""
_AFTER_INTERRUPT = 1.0
"""Seconds an interrupted question has to end."""
_NUDGE = 0.5
"""Seconds until the kernel is asked again for a message on its output channel."""
_NUDGES = 60
_FURTHER = 5
"""Milliseconds to wait for a second answer."""
_MOST_REPLIES = 1_000
_LAST_WORDS = 0.5
"""Seconds to wait for the exit code of a kernel that does not answer any more."""

_SETUP = (
    inspect.getsource(kernel_side_setup)
    + """
import sys
from IPython import get_ipython
bound_streams(get_ipython(), [sys.stdout, sys.stderr], limit)
lengthen_queue(get_ipython())
bound_errors(get_ipython().kernel.session)
note_endings(get_ipython())
keep_kernel(get_ipython())
answer = "true"
"""
)


class KernelStartFailed(Exception):
    """The kernel's process ended, or did not answer, before the first cell."""


class _OneSpec(KernelSpecManager):
    """Knows the one kernelspec it was made with, so that none has to be installed."""

    def __init__(self, spec: KernelSpec) -> None:
        super().__init__()
        self._spec = spec

    def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
        """Return the spec, for any name."""
        return self._spec


class _Manager(AsyncKernelManager):
    """Never reads the connection's file: once the kernel's process is there, that file is its."""

    def _session_default(self) -> BoundedSession:
        """Return the session that every client shares."""
        return BoundedSession(parent=self)

    def _reconcile_connection_info(self, info: KernelConnectionInfo) -> None:
        """Use the provisioner's connection info.

        The base class compares it with the file, which by then may be a link to another one, or a
        pipe that nobody writes to.
        """
        for name in port_names:
            setattr(self, name, 0)
        self.load_connection_info(info)


class SandboxKernel:
    """A Python kernel in a sandbox; use with `async with`. Leaving the context kills it.

    Attributes:
        manager: Its kernel manager.
        client: A client that is connected, once the context is entered.
        notes_endings: Whether it keeps a record of how its cells ended.
    """

    def __init__(self, sandbox: Sandbox, mounts: Mounts, *, life: float = 0) -> None:
        """Make a kernel that is not started yet.

        Args:
            sandbox: The sandbox that runs it.
            mounts: The directories it sees.
            life: Seconds after which it must have ended even if the server has died, for
                sandboxes that can ensure this; 0: the sandbox's longest.
        """
        spec = KernelSpec(
            argv=list(KERNEL_ARGV),
            display_name=f"Python 3 ({sandbox.name})",
            language="python",
            interrupt_mode="message",
            metadata={
                "kernel_provisioner": {
                    "provisioner_name": sandbox.provisioner,
                    "config": {"sandbox": sandbox.name, "given": mounts, "life": life},
                }
            },
        )
        self._context = zmq.asyncio.Context()
        self._context.setsockopt(zmq.MAXMSGSIZE, _LARGEST_MESSAGE)
        self._context.setsockopt(zmq.RCVHWM, _LONGEST_QUEUE)
        self.manager = _Manager(
            kernel_name="mle-modernizer",
            kernel_spec_manager=_OneSpec(spec),
            context=self._context,
        )
        self.client: AsyncKernelClient = self.manager.client(context=self._context)
        self._ended = False
        self.notes_endings = False

    async def start(self) -> None:
        """Start the kernel and wait until it answers.

        Raises:
            KernelStartFailed: It does not come up.
            OSError: The workspace cannot be written.
        """
        log = StderrTail()
        try:
            await self.manager.start_kernel(stdout=log.pipe, stderr=log.pipe)
        finally:
            log.close()
        try:
            await self._connect()
        except (RuntimeError, asyncio.TimeoutError) as error:
            raise KernelStartFailed(f"{error} {self._last_words(log)}".strip()) from error
        ready = await self.ask_json(_SETUP, {"limit": _LONGEST_STREAM}, limit=_START_LIMIT)
        self.notes_endings = ready is True

    def _last_words(self, log: StderrTail) -> str:
        provisioner: object = self.manager.provisioner
        if isinstance(provisioner, KeepsLastWords):
            return provisioner.stderr_tail()
        return log.text()[-500:]

    async def reconnect(self) -> None:
        """Connect anew, after a message that was too large cut the connection."""
        self.client.stop_channels()
        # it died meanwhile, which the next cell finds out
        with suppress(RuntimeError, asyncio.TimeoutError):
            await self._connect()

    async def _connect(self) -> None:
        """Connect to a kernel and wait until it answers.

        Raises:
            RuntimeError: It is dead or does not answer.
            asyncio.TimeoutError: It answers, and never stops sending.
        """
        self.client = self.manager.client(context=self._context)
        self.client.start_channels(stdin=False)
        ready = self.client.wait_for_ready(timeout=_START_LIMIT)
        await asyncio.wait_for(ready, _START_LIMIT + _NUDGE)
        await self._hear()

    async def _hear(self) -> None:
        """Wait until outputs arrive: the sockets connect one by one, and earlier outputs of a cell
        would be lost."""
        for _ in range(_NUDGES):
            if not await self.manager.is_alive():
                return  # which the next cell finds out
            self.client.kernel_info()
            if await self.client.iopub_channel.socket.poll(int(_NUDGE * 1000)):
                return

    async def death(self) -> ExitReason:
        """Return how a dead kernel ended."""
        provisioner = self.manager.provisioner
        if provisioner is None:
            return ExitReason(None)
        for _ in range(10):
            code = await provisioner.poll()
            if code is not None:
                # bubblewrap, shells and containers report a signal as 128 and its number.
                code = 128 - code if 128 < code < 128 + signal.NSIG else code
                if isinstance(provisioner, DescribesExit):
                    return provisioner.why(code)
                return ExitReason(code)
            await asyncio.sleep(_LAST_WORDS / 10)
        return ExitReason(None)

    async def error_reply(self, request: str) -> dict[str, Any] | None:
        """Return a further answer to a request that reports a failure; None if there is none.

        A kernel answers once: of several answers, code of a cell wrote one. The kernel's own comes
        before its message that it is idle, so it has arrived by then.

        Args:
            request: Id of the message.
        """
        found: dict[str, Any] | None = None
        channel = self.client.shell_channel
        for _ in range(_MOST_REPLIES):
            if await channel.socket.poll(_FURTHER) == 0:
                break
            message: dict[str, Any] = await channel.get_msg(timeout=0)
            failed = message["content"].get("status") == "error"
            if failed and found is None and message["parent_header"].get("msg_id") == request:
                found = message
        return found

    async def kill(self) -> None:
        """Kill every process of the kernel now; may be called at any time, and again."""
        if self.manager.provisioner is not None:
            await self.manager.provisioner.kill()

    async def end(self) -> None:
        """Kill it and free its resources on our side."""
        if self._ended:
            return
        self._ended = True
        try:
            await self.kill()
            if self.manager.has_kernel and self.manager.provisioner is not None:
                await self.manager.provisioner.wait()
            await self.manager.cleanup_resources()
        finally:
            self.client.stop_channels()
            self._context.destroy(linger=0)

    async def __aenter__(self) -> SandboxKernel:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.end()

    async def ask(self, expression: str, *, limit: float) -> dict[str, Any] | None:
        """Evaluate an expression silently between two cells.

        Args:
            expression: A self-contained Python expression.
            limit: Seconds; then the kernel is interrupted.

        Returns:
            The `user_expressions` entry of the reply, or None without an answer in time.
        """
        request = self.client.execute(
            "",
            silent=True,
            store_history=False,
            allow_stdin=False,
            stop_on_error=False,
            user_expressions={"answer": expression},
        )
        reply = await self._reply(request, limit)
        if reply is None and await self.manager.is_alive():
            await self.manager.interrupt_kernel()
            reply = await self._reply(request, _AFTER_INTERRUPT)
        # The message may be anything: the notebook can write to the kernel's sockets.
        answer: Any = reply
        for key in ("content", "user_expressions", "answer"):
            answer = answer.get(key) if isinstance(answer, dict) else None
        return answer if isinstance(answer, dict) else None

    async def ask_json(self, code: str, given: dict[str, object], *, limit: float) -> Any:
        """Run self-contained code in a namespace of its own within the kernel.

        Args:
            code: Assigns a JSON document to `answer`.
            given: Variables of the code, JSON values.
            limit: Seconds.

        Returns:
            The document's value; None without a usable answer.
        """
        namespace = f"{{'__name__': 'mle_modernizer_question', **{given!r}}}"
        expression = (
            "(lambda code, names: (__import__('builtins').exec(code, names), names['answer'])[1])"
            f"({code!r}, {namespace})"
        )
        answer = await self.ask(expression, limit=limit)
        if answer is None or answer.get("status") != "ok":
            return None
        try:
            text = answer["data"]["text/plain"]
            if len(text) > _LONGEST_ANSWER or text[0] not in "'\"":
                return None
            return json.loads(str(literal_value(text)))
        except (LookupError, TypeError, ValueError, SyntaxError, MemoryError, RecursionError):
            return None

    async def ask_control(self, request: str, *, limit: float) -> Any:
        """Ask over the control channel, which a kernel answers while a cell runs.

        Args:
            request: Type of a message the kernel was taught to answer.
            limit: Seconds.

        Returns:
            The content of the reply; None without one in time.
        """
        message = self.client.session.msg(request, {})
        self.client.control_channel.send(message)
        reply = await self._reply(message["header"]["msg_id"], limit, self.client.control_channel)
        return None if reply is None else reply.get("content")

    async def _reply(
        self, request: str, limit: float, channel: Any = None
    ) -> dict[str, Any] | None:
        loop = asyncio.get_running_loop()
        end = loop.time() + limit
        channel = channel or self.client.shell_channel
        while (rest := end - loop.time()) > 0:
            if await channel.socket.poll(int(min(rest, 0.5) * 1000)) == 0:
                if not await self.manager.is_alive():
                    return None
                continue
            message: dict[str, Any] = await channel.get_msg(timeout=0)
            if message["parent_header"].get("msg_id") == request:
                return message
        return None
