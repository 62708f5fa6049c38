"""Run a program of this machine, with limits and away from any notebook's folder."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from mle_modernizer_server.domain.environment import MakingProblem
from mle_modernizer_server.domain.errors import EnvironmentUnavailable
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.untrusted.programs import neutral_folder

_MOST_OUTPUT = 4_000_000
"""Bytes that are read of an output."""
_LARGEST_OUTPUT = 100_000_000
"""Bytes; a program that writes more is ended."""
_STEP = 0.05


@dataclass(frozen=True)
class Finished:
    """How a program ended."""

    code: int
    stdout: str
    stderr: str


def bounded(
    argv: Sequence[str],
    environ: dict[str, str],
    *,
    limit: float,
    cancel: threading.Event | None = None,
) -> Finished:
    """Run a program to its end, in a neutral folder; its processes end with it.

    Args:
        argv: The program and its arguments.
        environ: All environment variables that it has.
        limit: Seconds.
        cancel: When set, the program is killed.

    Raises:
        EnvironmentUnavailable: It was cancelled, took too long, wrote too much or cannot be
            started.
    """
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        try:
            process = subprocess.Popen(
                argv,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                env=environ,
                cwd=neutral_folder(),
                start_new_session=os.name == "posix",
            )
        except OSError as error:
            raise EnvironmentUnavailable(
                coded("program.not-started", program=Path(argv[0]).name, why=str(error.strerror)),
                MakingProblem.NO_UV,
            ) from error
        try:
            _wait(process, (out, err), limit, cancel)
        finally:
            _end(process)
        return Finished(process.returncode, _read(out), _read(err))


def _wait(
    process: subprocess.Popen[bytes],
    outputs: Sequence[IO[bytes]],
    limit: float,
    cancel: threading.Event | None,
) -> None:
    end = time.monotonic() + limit
    while True:
        try:
            process.wait(_STEP)
            return
        except subprocess.TimeoutExpired:
            pass  # it is still running
        if cancel is not None and cancel.is_set():
            raise EnvironmentUnavailable(coded("environment.cancelled"), MakingProblem.CANCELLED)
        if sum(os.fstat(output.fileno()).st_size for output in outputs) > _LARGEST_OUTPUT:
            raise EnvironmentUnavailable(
                coded("program.too-much-output", megabytes=_LARGEST_OUTPUT // 1_000_000),
                MakingProblem.FAILED,
            )
        if time.monotonic() > end:
            raise EnvironmentUnavailable(
                coded("environment.too-long", limit=limit), MakingProblem.TOO_LONG
            )


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is not None:
        return
    if os.name == "posix":
        os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.wait()


def _read(stream: IO[bytes]) -> str:
    stream.seek(0)
    return stream.read(_MOST_OUTPUT).decode("utf-8", "replace")
