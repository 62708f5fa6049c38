"""Make an environment for a notebook: whole, or not at all.

It is made in a folder of its own and renamed when it is whole; who is killed leaves nothing that is
used. Two processes that want the same one: one makes it, the other waits and takes it. Nothing of
an environment's packages runs here: no interpreter is started once they are installed.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from filelock import Timeout
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from mle_modernizer_server.domain.environment import (
    EnvironmentOrder,
    EnvironmentRemark,
    EnvironmentTime,
    MadeEnvironment,
    MakingProblem,
    MakingProgress,
    MakingStep,
    Requirements,
)
from mle_modernizer_server.domain.errors import BadInput, EnvironmentUnavailable, NotFound
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.environments.bounded import bounded
from mle_modernizer_server.environments.distributions import distributions
from mle_modernizer_server.environments.files import read_environment, site_packages
from mle_modernizer_server.environments.pythons import BasePython, base_python
from mle_modernizer_server.environments.requirements import plain_requirement
from mle_modernizer_server.environments.resolving import Lock, Releases, Resolver
from mle_modernizer_server.environments.store import KeptEnvironments, order_hash
from mle_modernizer_server.environments.uv import Uv, failure
from mle_modernizer_server.untrusted.programs import minimal_environ

_LEAST_FREE = 300_000_000
"""Bytes that must be free before anything is begun."""
_INSTALL_LIMIT = 1800.0
_COMPILE_LIMIT = 120.0
_NOT_COMPILED = r"[/\\](tests?|pip)[/\\]"
_STEP = 0.2
MOST_DOWNLOAD = 6_000_000_000


def order_of(
    requirements: Requirements,
    *,
    time: EnvironmentTime = EnvironmentTime.TODAY,
    until: date | None = None,
    python: str = "",
    bounds: dict[str, str] | None = None,
    further: tuple[str, ...] = (),
) -> EnvironmentOrder:
    """Return the order of an environment for a notebook.

    Args:
        requirements: Its packages; unknown names are not in it.
        time: Today's packages, or those of the notebook's date.
        until: With the latter, the day up to which packages are taken.
        python: Version of that time.
        bounds: Version specifiers by distribution, from evidence on the notebook's libraries.
        further: Distributions that the person named for unknown imports, or that a run lacked.
    """
    tables = distributions()
    today = time is EnvironmentTime.TODAY
    wanted: dict[str, str] = {item.name: item.specifier for item in requirements.packages}
    wanted |= {name: wanted.get(name, "") for name in further}
    for name in list(wanted):
        for needed in tables.needs.get(name, ()):
            wanted.setdefault(needed, "")
    if not today:
        wanted.setdefault("setuptools", "")  # it was everywhere, and many took it for granted
    for name, specifier in tables.bounds.items():
        if name in wanted:
            wanted[name] = str(SpecifierSet(wanted[name]) & SpecifierSet(specifier))
    for name, lighter in tables.lighter.items():
        if today and sys.platform == "linux" and wanted.get(name) == "":
            del wanted[name]
            wanted[lighter] = ""
    constraints = {*requirements.constraints}
    constraints |= {f"{name}{specifier}" for name, specifier in (bounds or {}).items()}
    for name in wanted.keys() & tables.goes_with.keys():
        others = map(Requirement, tables.goes_with[name])
        constraints |= {str(other) for other in others if not wanted.get(other.name)}
    return EnvironmentOrder(
        requirements=tuple(sorted(name + specifier for name, specifier in wanted.items())),
        constraints=tuple(sorted(constraints)),
        time=time,
        until=until,
        python=python,
        made_for=date.today().strftime("%Y-%m") if today else "",
    )


@dataclass
class Maker:
    """Makes environments.

    Attributes:
        kept: Their store.
        releases: Month by version by import name, for an index without upload times.
        uv: Runs uv; None: with pip's indexes.
        most_download: Bytes that an environment may download.
        download_python: Whether uv may fetch a Python.
        folder: The notebook's folder: no Python in it is started.
    """

    kept: KeptEnvironments
    releases: Releases = field(default_factory=dict)
    uv: Uv | None = None
    most_download: int = MOST_DOWNLOAD
    download_python: bool = True
    folder: Path | None = None

    def make(
        self,
        order: EnvironmentOrder,
        *,
        progress: Callable[[MakingProgress], None] = lambda _: None,
        cancel: threading.Event | None = None,
    ) -> MadeEnvironment:
        """Return the environment of an order; make it if it is absent. Blocks; run it in a thread.

        Args:
            order: The order.
            progress: Called at each step.
            cancel: When set, making ends and leaves nothing.

        Raises:
            BadInput: A requirement is more than a name and versions.
            EnvironmentUnavailable: It cannot be made; `problem` has the reason.
        """
        _check_order(order)
        cancel = cancel or threading.Event()
        environment_id = order_hash(order)
        if (there := self._there(environment_id)) is not None:
            return there
        try:
            self.kept.clean()
            lock = self.kept.lock(environment_id)
            waiting = False
            while True:
                try:
                    lock.acquire(timeout=_STEP)
                    break
                except Timeout:
                    if not waiting:
                        progress(MakingProgress(step=MakingStep.WAITING))
                    waiting = True
                    _check(cancel)
            try:
                there = self._there(environment_id)
                return there or self._make(environment_id, order, progress, cancel)
            finally:
                lock.release()
        except OSError as error:
            raise _disk(error) from error

    def _there(self, environment_id: str) -> MadeEnvironment | None:
        try:
            return self.kept.get(environment_id)
        except NotFound:
            return None

    def _make(
        self,
        environment_id: str,
        order: EnvironmentOrder,
        progress: Callable[[MakingProgress], None],
        cancel: threading.Event,
    ) -> MadeEnvironment:
        if shutil.disk_usage(self.kept.root).free < _LEAST_FREE:
            raise EnvironmentUnavailable(
                coded("environment.disk-full", root=str(self.kept.root)),
                MakingProblem.DISK,
            )
        uv = self.uv or Uv()
        if order.python:
            progress(MakingProgress(step=MakingStep.PYTHON))
        base, remarks = base_python(
            order.python,
            uv,
            self.kept.pythons,
            folder=self.folder,
            download=self.download_python,
            cancel=cancel,
        )
        progress(MakingProgress(step=MakingStep.RESOLVING))
        lock = Resolver(uv, base.interpreter, self.releases, cancel, self.kept.wheels).resolve(
            order
        )
        if lock.size > self.most_download:
            raise EnvironmentUnavailable(
                coded(
                    "environment.too-large",
                    size=format(lock.size / 1000000000.0, ".1f"),
                    most_download=format(self.most_download / 1000000000.0, ".1f"),
                    largest=", ".join(lock.largest),
                ),
                MakingProblem.TOO_LARGE,
            )
        making = Path(tempfile.mkdtemp(prefix=f".making-{environment_id}-", dir=self.kept.root))
        try:
            step = MakingProgress(
                step=MakingStep.INSTALLING, packages=len(lock.versions), size=lock.size
            )
            progress(step)
            self._install(uv, base, lock, making, cancel)
            _check(cancel)
            progress(step.model_copy(update={"step": MakingStep.CHECKING}))
            record = _record(environment_id, order, base, (*remarks, *lock.remarks), lock, making)
            record = record.model_copy(
                update={
                    "directories": (
                        str(self.kept.folder(environment_id) / "python"),
                        *base.directories,
                    )
                }
            )
            self.kept.keep(making, record, lock.text)
            return record
        finally:
            shutil.rmtree(making, ignore_errors=True)

    def _install(
        self,
        uv: Uv,
        base: BasePython,
        lock: Lock,
        making: Path,
        cancel: threading.Event,
    ) -> None:
        place = making / "python"
        done = uv.run(
            (
                *("venv", "--relocatable", "--no-project"),
                "--python",
                str(base.interpreter),
                str(place),
            ),
            cancel=cancel,
        )
        if done.code:
            raise failure(done)
        locked = making / "pylock.toml"
        locked.write_text(lock.text, encoding="utf-8")
        files = read_environment(place)
        assert files is not None
        command = (
            *("pip", "sync", "--python", str(files.interpreter), str(locked)),
            *("--only-binary", ":all:"),
        )
        # From the cache if all is there: uv requests an index without upload times once more.
        done = uv.run((*command, "--offline"), indexed=True, limit=_INSTALL_LIMIT, cancel=cancel)
        if done.code and failure(done).problem is MakingProblem.NETWORK:  # nothing is installed
            done = uv.run(command, indexed=True, limit=_INSTALL_LIMIT, cancel=cancel)
        if done.code:
            raise failure(done)
        _compile(base, place, cancel)


def _compile(base: BasePython, place: Path, cancel: threading.Event) -> None:
    """Compile the installed modules: a sandbox cannot write there and would compile them each time.

    By the base's interpreter, which loads nothing from the environment. Modules not compiled in
    time are compiled on import. The packages' tests, a third of all files, and pip are left out.
    """
    for folder in site_packages(place):
        command = (
            *(str(base.interpreter), "-I", "-S", "-m", "compileall", "-q", "-j", "2"),
            *("-x", _NOT_COMPILED, str(folder)),
        )
        try:
            bounded(command, minimal_environ(), limit=_COMPILE_LIMIT, cancel=cancel)
        except EnvironmentUnavailable as error:
            if error.problem is MakingProblem.CANCELLED:
                raise


def _record(
    environment_id: str,
    order: EnvironmentOrder,
    base: BasePython,
    remarks: tuple[EnvironmentRemark, ...],
    lock: Lock,
    making: Path,
) -> MadeEnvironment:
    """Return the record of the environment after checking it against the lock.

    Raises:
        EnvironmentUnavailable: It differs from the lock.
    """
    files = read_environment(making / "python")
    if files is None or files.versions != lock.versions:
        raise EnvironmentUnavailable(coded("environment.not-locked"), MakingProblem.FAILED)
    return MadeEnvironment(
        id=environment_id,
        order=order,
        created=time.time(),
        python=base.text,
        base=str(base.interpreter),
        directories=base.directories,
        versions=lock.versions,
        remarks=remarks,
        size=_size(making),
        lock=hashlib.sha256(lock.text.encode("utf-8")).hexdigest(),
    )


def _check_order(order: EnvironmentOrder) -> None:
    """Check that an order of any source has no path, address or option, which must not reach uv."""
    for text in (*order.requirements, *order.constraints):
        if not isinstance(plain_requirement(text), tuple):
            raise BadInput(coded("environment.no-requirement", given=repr(text[:100])))
    if order.python and not re.fullmatch(r"\d+\.\d+(\.\d+)?", order.python):
        raise BadInput(coded("environment.no-version", python=repr(order.python[:100])))


def _size(folder: Path) -> int:
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            try:
                total += (Path(place) / name).lstat().st_size
            except OSError:
                continue  # removed meanwhile
    return total


def _check(cancel: threading.Event) -> None:
    if cancel.is_set():
        raise EnvironmentUnavailable(coded("environment.cancelled"), MakingProblem.CANCELLED)


def _disk(error: OSError) -> EnvironmentUnavailable:
    full = error.errno in (errno.ENOSPC, errno.EDQUOT)
    words = "The disk is full." if full else f"It cannot be written ({error.strerror})."
    return EnvironmentUnavailable(
        coded("environment.not-made", words=words),
        MakingProblem.DISK if full else MakingProblem.FAILED,
    )
