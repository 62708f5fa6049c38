"""One worker at a time: a file that names the owner of a job, refreshed while he works."""

from __future__ import annotations

import secrets
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.execution.process_identity import lives, this_process
from mle_modernizer_server.untrusted.files import read_regular

_BEAT = 5.0
"""Seconds between two refreshes of a claim."""
_LARGEST = 100_000
"""Bytes of a claim."""
_STALE = 60.0
"""Seconds without a refresh after which an owner on another machine is considered dead."""
_LOOK = 0.5


class Owner(Value):
    """The owner of a claim."""

    host: str
    process: str
    run: str
    worker: str


class Claimed(Exception):
    """The wait for a claim was cancelled."""


@contextmanager
def claim(path: Path, *, run: str, worker: str, give_up: Callable[[], bool]) -> Iterator[None]:
    """Hold the claim on a job, once its owner has released it or died.

    Args:
        path: The claim's file.
        run: Id of the batch's start.
        worker: The claimant.
        give_up: Checked while another worker has it.

    Raises:
        Claimed: `give_up` returned True.
        OSError: The file cannot be written.
    """
    owner = Owner(host=socket.gethostname(), process=this_process(), run=run, worker=worker)
    while not _take(path, owner):
        if give_up():
            raise Claimed
        time.sleep(_LOOK)
    ended = threading.Event()
    beats = threading.Thread(target=_beat, args=(path, ended), daemon=True, name="claim")
    beats.start()
    try:
        yield
    finally:
        ended.set()
        beats.join()
        path.unlink(missing_ok=True)


def owner_of(path: Path) -> Owner | None:
    """Return the owner of a claim; None if it has no living one."""
    owner = None
    try:
        age = time.time() - path.stat().st_mtime
        with suppress(ValueError):  # written right now, or cut off by a crash
            owner = Owner.model_validate_json(read_regular(path, _LARGEST))
    except FileNotFoundError:
        return None
    if owner is not None and owner.host == socket.gethostname():
        return owner if lives(owner.process) else None
    if age > _STALE:
        return None
    return owner or Owner(host="", process="", run="", worker="")


def _take(path: Path, owner: Owner) -> bool:
    if _make(path, owner):
        return True
    if owner_of(path) is not None:
        return False
    # Only the first to rename it succeeds; the others find no file.
    away = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    with suppress(FileNotFoundError):
        path.rename(away)
        away.unlink()
    return _make(path, owner)


def _make(path: Path, owner: Owner) -> bool:
    try:
        with path.open("x", encoding="utf-8") as stream:
            stream.write(owner.model_dump_json())
    except FileExistsError:
        return False
    return True


def _beat(path: Path, ended: threading.Event) -> None:
    while not ended.wait(_BEAT):
        with suppress(OSError):
            path.touch()
