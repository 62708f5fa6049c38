"""Store of the environments made for notebooks, under Jupyter's data directory.

<root>/<id>/record.json     what it is, sealed with its own hash
<root>/<id>/pylock.toml     the lock it was installed from
<root>/<id>/python/         the virtual environment
<root>/<id>/users/          one empty file a process that runs something in it
<root>/<id>.lock            locked while it is made or removed
<root>/.making-<id>-…       one that is being made; left behind, it is removed
<root>/pythons/             Pythons that uv fetched
<root>/wheels/              wheels that were made of source archives of pure Python
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import re
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
from filelock import FileLock, Timeout
from jupyter_core.paths import jupyter_data_dir

from mle_modernizer_server.domain.environment import (
    EnvironmentOrder,
    EnvironmentOrigin,
    FoundEnvironment,
    MadeEnvironment,
    MakingProblem,
)
from mle_modernizer_server.domain.errors import Conflict, EnvironmentUnavailable, NotFound
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.environments.files import read_environment
from mle_modernizer_server.environments.resolving import locked_versions
from mle_modernizer_server.untrusted.files import read_regular
from mle_modernizer_server.untrusted.parsing import read_json

_ID = re.compile(r"[0-9a-f]{16}")
_RECORD = "record.json"
_LOCK = "pylock.toml"
_LARGEST_RECORD = 2_000_000
MOST_BYTES = 20_000_000_000


def default_root() -> Path:
    """Return the default folder of made environments."""
    return Path(str(jupyter_data_dir())) / "mle-modernizer" / "environments"


class KeptEnvironments:
    """The made environments in one folder."""

    def __init__(self, root: Path | None = None) -> None:
        self.root = default_root() if root is None else root

    @property
    def wheels(self) -> Path:
        """Return the folder of wheels that were made from source archives."""
        return self.root / "wheels"

    @property
    def pythons(self) -> Path:
        """Return the folder of fetched Pythons."""
        return self.root / "pythons"

    def folder(self, environment_id: str) -> Path:
        """Return the folder of an environment.

        Raises:
            NotFound: That is no id of one.
        """
        if not _ID.fullmatch(environment_id):
            raise NotFound(coded("environment.not-made-here"))
        return self.root / environment_id

    def lock(self, environment_id: str) -> FileLock:
        """Return the inter-process lock for making or removing an environment."""
        self.root.mkdir(parents=True, exist_ok=True)
        return FileLock(str(self.folder(environment_id)) + ".lock")

    def all(self) -> tuple[MadeEnvironment, ...]:
        """Return the intact environments, last used first."""
        found = []
        for folder in self._folders():
            try:
                found.append(self.get(folder.name))
            except (NotFound, EnvironmentUnavailable):
                continue  # `broken` lists it
        return tuple(sorted(found, key=lambda item: -self.last_used(item.id)))

    def broken(self) -> tuple[str, ...]:
        """Return the ids of those whose record or lock is not as it was written."""
        found = []
        for folder in self._folders():
            try:
                self.get(folder.name)
            except EnvironmentUnavailable:
                found.append(folder.name)
        return tuple(found)

    def get(self, environment_id: str) -> MadeEnvironment:
        """Return an environment's record, after a check of it, of the lock, and of what is
        installed.

        Raises:
            NotFound: There is none of that id.
            EnvironmentUnavailable: It is not as it was made.
        """
        folder = self.folder(environment_id)
        try:
            text = _read(folder / _RECORD)
            lock = _read(folder / _LOCK)
        except FileNotFoundError as error:
            if folder.exists():
                raise _tampered(environment_id) from error
            raise NotFound(coded("environment.missing", environment_id=environment_id)) from error
        except (OSError, ValueError) as error:
            raise _tampered(environment_id) from error
        record = _unsealed(text)
        files = read_environment(folder / "python")
        if (
            record is None
            or record.id != environment_id
            or order_hash(record.order) != environment_id
            or record.lock != _hash(lock)
            or files is None
            or not _installed_as_locked(files.versions, lock)
        ):
            raise _tampered(environment_id)
        return record

    def interpreter(self, record: MadeEnvironment) -> Path:
        """Return the Python of an environment."""
        files = read_environment(self.folder(record.id) / "python")
        if files is None:
            raise _tampered(record.id)
        return files.interpreter

    def lock_text(self, record: MadeEnvironment) -> str:
        """Return its `pylock.toml`."""
        return _read(self.folder(record.id) / _LOCK)

    def as_found(self, record: MadeEnvironment, names: tuple[str, ...]) -> FoundEnvironment:
        """Return the environment with its packages of a notebook's imports; it is not started."""
        files = read_environment(self.folder(record.id) / "python")
        if files is None:
            raise _tampered(record.id)
        packages = files.packages(names)
        return FoundEnvironment(
            name=record.id,
            origin=EnvironmentOrigin.MADE,
            interpreter=str(files.interpreter),
            directories=record.directories,
            python=record.python,
            ipykernel=files.versions.get("ipykernel", ""),
            packages=packages,
            missing=tuple(name for name in names if name not in packages),
        )

    def keep(self, making: Path, record: MadeEnvironment, lock: str) -> None:
        """Move a made environment to its final path; before this it does not exist for anybody.

        Args:
            making: Its folder so far, with `python/` in it.
            record: Its record.
            lock: The lock file it was installed from.
        """
        (making / _LOCK).write_text(lock, encoding="utf-8")
        (making / _RECORD).write_text(_sealed(record), encoding="utf-8")
        (making / "users").mkdir()
        making.rename(self.folder(record.id))

    def last_used(self, environment_id: str) -> float:
        """Return the seconds since 1970 at which something last ran in it, or it was made."""
        try:
            return (self.folder(environment_id) / "users").stat().st_mtime
        except OSError:
            return 0.0

    @contextmanager
    def using(self, environment_id: str) -> Iterator[None]:
        """While something runs in an environment it is not removed."""
        users = self.folder(environment_id) / "users"
        mark = users / f"{os.getpid()}-{time.monotonic_ns()}"
        mark.touch()
        try:
            yield
        finally:
            mark.unlink(missing_ok=True)

    def remove(self, environment_id: str) -> None:
        """Remove an environment, whole or broken.

        Raises:
            NotFound: There is none of that id.
            Conflict: Something runs in it, or it is being made.
        """
        folder = self.folder(environment_id)
        if not folder.is_dir():
            raise NotFound(coded("environment.missing", environment_id=environment_id))
        try:
            with self.lock(environment_id).acquire(timeout=0):
                if _in_use(folder):
                    raise Conflict(coded("environment.in-use", environment_id=environment_id))
                going = self.root / f".removing-{environment_id}-{os.getpid()}"
                folder.rename(going)
        except Timeout as error:
            raise Conflict(
                coded("environment.being-made", environment_id=environment_id)
            ) from error
        shutil.rmtree(going, ignore_errors=True)

    def trim(
        self, most: int = MOST_BYTES, *, keep: str = "", spared: frozenset[str] = frozenset()
    ) -> tuple[str, ...]:
        """Remove the least recently used environments until all together are below a size.

        Args:
            most: Bytes.
            keep: Id of one that stays whatever its size.
            spared: Ids of further ones that stay.

        Returns: Ids of those removed.
        """
        kept = list(self.all())
        total = sum(item.size for item in kept)
        removed = []
        for item in reversed(kept):
            if total <= most:
                break
            if item.id == keep or item.id in spared:
                continue
            try:
                self.remove(item.id)
            except (Conflict, NotFound):
                continue  # in use, or another process was faster
            total -= item.size
            removed.append(item.id)
        return tuple(removed)

    def clean(self) -> None:
        """Remove the remains of interrupted makings and removals."""
        for folder in self.root.glob(".making-*") if self.root.is_dir() else ():
            environment_id = folder.name.split("-")[1]
            try:
                with self.lock(environment_id).acquire(timeout=0):
                    shutil.rmtree(folder, ignore_errors=True)
            except (Timeout, NotFound):
                continue  # it is being made right now
        for folder in self.root.glob(".removing-*") if self.root.is_dir() else ():
            shutil.rmtree(folder, ignore_errors=True)

    def _folders(self) -> list[Path]:
        try:
            return sorted(item for item in self.root.iterdir() if _ID.fullmatch(item.name))
        except OSError:
            return []


def order_hash(order: EnvironmentOrder) -> str:
    """Return the id of the environment that an order defines on this kind of machine."""
    text = f"1 {platform.system()} {platform.machine()} {order.model_dump_json()}"
    return _hash(text)[:16]


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def _sealed(record: MadeEnvironment) -> str:
    content = record.model_dump(mode="json")
    return json.dumps({"record": content, "seal": _hash(_canonical(content))}, indent=1)


def _unsealed(text: str) -> MadeEnvironment | None:
    try:
        data: Any = read_json(text)
        if data["seal"] != _hash(_canonical(data["record"])):
            return None
        return MadeEnvironment.model_validate(data["record"])
    except (ValueError, KeyError, TypeError):
        return None


def _canonical(content: object) -> str:
    return json.dumps(content, sort_keys=True)


def _installed_as_locked(versions: dict[str, str], lock: str) -> bool:
    try:
        return locked_versions(lock) == versions
    except ValueError:
        return False


def _read(path: Path) -> str:
    return read_regular(path, _LARGEST_RECORD).decode("utf-8")


def _in_use(folder: Path) -> bool:
    used = False
    for mark in (folder / "users").glob("*-*"):
        number = mark.name.split("-")[0]
        if number.isdigit() and psutil.pid_exists(int(number)):
            used = True
        else:
            mark.unlink(missing_ok=True)
    return used


def _tampered(environment_id: str) -> EnvironmentUnavailable:
    return EnvironmentUnavailable(
        coded("environment.changed", environment_id=environment_id),
        MakingProblem.TAMPERED,
    )
