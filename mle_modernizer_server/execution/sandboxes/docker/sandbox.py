"""The sandbox `docker`: Kaggle's image, paths and limits, and no network."""

from __future__ import annotations

import asyncio
import logging
import os
import threading
from collections.abc import AsyncIterator, Callable, Hashable
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

from pydantic import ValidationError

from mle_modernizer_server import pools
from mle_modernizer_server.domain.errors import BadCompetition, SandboxUnavailable
from mle_modernizer_server.domain.execution import Environment
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.execution.sandboxes.base import (
    KERNEL_ARGV,
    Availability,
    Finished,
    Place,
    Reach,
    Sandbox,
    Say,
)
from mle_modernizer_server.execution.sandboxes.docker.container import Container
from mle_modernizer_server.execution.sandboxes.docker.engine import ENGINE_ERRORS, Engine
from mle_modernizer_server.execution.sandboxes.docker.images import Image, find_image, pull
from mle_modernizer_server.execution.sandboxes.docker.installer import install, refused
from mle_modernizer_server.execution.sandboxes.docker.isolation import Maker, lay_out, limits
from mle_modernizer_server.execution.sandboxes.docker.kernel_container import (
    Connection,
    KernelContainer,
    new_connection,
)
from mle_modernizer_server.execution.sandboxes.docker.orphans import (
    remove_containers_of,
    remove_orphans,
    remove_volumes_of,
)
from mle_modernizer_server.execution.sandboxes.docker.pool import Pool
from mle_modernizer_server.execution.sandboxes.docker.settings import Settings
from mle_modernizer_server.execution.sandboxes.pip_options import InstallRequest
from mle_modernizer_server.execution.sandboxes.slots import SlotQueue
from mle_modernizer_server.execution.sandboxes.waiting import is_done
from mle_modernizer_server.execution.sandboxes.workspace import Mounts, Workspace

_LIMIT = 120.0
"""Seconds; the first start of a large image takes its time."""


async def packages_of_image(
    engine: Engine, maker: Maker, mounts: Mounts, prepare: Callable[[], None], script: str
) -> Environment:
    """Return Python's version and those of all packages in an image, by import name.

    Args:
        engine: The image's engine.
        maker: Makes the container.
        mounts: Of an empty scratch directory.
        prepare: Lays it out.
        script: Prints the answer.

    Raises:
        SandboxUnavailable: The container does not start, or does not answer.
    """

    def start() -> Container:
        prepare()
        asking = ("-c", script)
        return Container(engine, maker.kernel(asking, mounts, life=_LIMIT, connection=""))

    container = await pools.sandboxes.run(start)
    try:
        found = await container.ending()
    finally:
        await pools.sandboxes.run(container.end)
    try:
        return Environment.model_validate_json(found.stdout)
    except ValidationError as error:
        last = found.stderr.strip().splitlines()[-1:] or [f"exit code {found.code}"]
        raise SandboxUnavailable(coded("docker.packages-unknown", last=last[0][-200:])) from error


DOCKER_PROVISIONER = "mle-modernizer-docker"
"""Name of the entry point."""

_NEXT_ONE = 3.0
"""Seconds after which a run is well on its way, and the container for the next can be started."""
_SHORT_ID = len("sha256:") + 12
_LOOKED_AT = 100
"""Entries of a data directory that are tried."""

logger = logging.getLogger(__name__)


class Docker(Sandbox):
    """Kernels in sealed containers."""

    name = "docker"
    isolated = True
    provisioner = DOCKER_PROVISIONER
    reach = Reach.WORKING

    def __init__(self, settings: Settings | None = None) -> None:
        self._settings = settings or Settings()
        self._engine = Engine(self._settings.host)
        self._turns = SlotQueue(self._settings.containers)
        self._pool = Pool(self._settings.pool)
        self._inventory: dict[str, Environment] = {}

    @property
    def settings(self) -> Settings:
        """Return the settings of containers."""
        return self._settings

    def configure(self, settings: Settings) -> None:
        """Take other settings, for containers started from now on."""
        if settings.host != self._settings.host:
            self._engine = Engine(settings.host)
        self._settings = settings
        self._turns.places = settings.containers
        self._pool.empty(for_good=True)
        self._pool = Pool(settings.pool)

    def like(self, settings: Settings) -> Docker:
        """Return one with other settings, in the same engine, without a pool."""
        other = Docker(replace(settings, pool=0))
        other._engine = self._engine
        return other

    @property
    def engine(self) -> Engine:
        """Return the engine of its containers."""
        return self._engine

    @property
    def kept_ready(self) -> int:
        """Return the number of containers that wait for a run."""
        return len(self._pool)

    def availability(self) -> Availability:
        """Return whether the engine responds, and whether the image exists."""
        facts, reason = self._engine.look()
        if facts is None:
            return Availability(False, reason)
        try:
            there = find_image(self._engine, self._settings.image)
        except SandboxUnavailable as error:
            return Availability(False, error.message)
        if there is None:
            reason = coded("docker.image-not-yet", image=self._settings.image)
            return Availability(True, reason, at_hand=False)
        return Availability(True)

    def workspace(self, competition: str | None, public: Path | None) -> Workspace:
        """Return a scratch directory, with a running kernel if one is ready."""
        return self._pool.hand_over(self._kind(competition, public)) or Workspace()

    def warm_up(self, competition: str | None, public: Path | None) -> None:
        """Start a container in advance for a run with these data; returns at once."""

        def start(workspace: Workspace) -> KernelContainer:
            mounts = workspace.mounts(competition, public)
            self.prepare(mounts)
            kernel = self.kernel(mounts, new_connection(mounts))
            try:
                kernel.start(list(KERNEL_ARGV), life=self._settings.life)
                kernel.wait_until_ready()
            except BaseException:
                kernel.end()
                raise
            return kernel

        facts, _ = self._engine.look()
        if self._settings.pool == 0 or facts is None or not facts.reachable_files:
            return  # elsewhere the data would have to be sent for a run that may not come
        self._pool.fill(self._kind(competition, public), self._settings.life, start)

    def _kind(self, competition: str | None, public: Path | None) -> Hashable:
        """Return the fixed properties of a container."""
        return self._settings, competition, None if public is None else public.resolve()

    def warm_kernel(self, mounts: Mounts, life: float) -> KernelContainer | None:
        """Return the kernel that came with the workspace, if it can still be used.

        Args:
            mounts: Of that workspace.
            life: Seconds it must be allowed to run.
        """
        return self._pool.kernel(mounts, life)

    @asynccontextmanager
    async def place(
        self, mounts: Mounts, *, say: Say, cancel: asyncio.Event
    ) -> AsyncIterator[Place]:
        """Wait for a free container, fetch the image, lay out the directories."""

        def waiting(before: int) -> None:
            line = coded("docker.in-line", count=before) if before else coded("docker.next-in-line")
            say(line)

        async with self._turns.turn(waiting=waiting, cancel=cancel) as given:
            next_one = partial(self.warm_up, mounts.competition, mounts.public)
            later = asyncio.get_running_loop().call_later(_NEXT_ONE, next_one)
            try:
                yield await self._make_ready(mounts, say, cancel) if given else Place()
                if given and not cancel.is_set():
                    await pools.sandboxes.run(self._fetch_results, mounts)
                next_one()
            finally:
                later.cancel()
                await pools.sandboxes.run(self.discard, mounts)

    async def _make_ready(self, mounts: Mounts, say: Say, cancel: asyncio.Event) -> Place:
        if mounts.interpreter is not None:
            raise SandboxUnavailable(
                coded("docker.python-of-machine", python=str(mounts.interpreter.python))
            )
        # before gigabytes come
        limits(self._settings, await pools.sandboxes.run(self._engine.facts))
        image = await pools.sandboxes.run(find_image, self._engine, self._settings.image)
        if image is None:
            image = await pull(self._engine, self._settings.image, say=say, cancel=cancel)
        if image is None:
            return Place()
        maker = await pools.sandboxes.run(Maker, self._engine, self._settings, image)
        if maker.remote:
            say(coded("docker.sending"))
        stop = threading.Event()
        sending = asyncio.ensure_future(pools.sandboxes.run(_lay_out, mounts, maker, stop))
        try:
            await is_done(sending, cancel)
        finally:
            if not sending.done():
                stop.set()
        await sending
        if maker.limits.remarks:
            say(maker.limits.remarks)
        name = f"{image.name} ({image.id[:_SHORT_ID]})"
        return Place(name, maker.limits.remarks, wanted=lambda: self._turns.queue > 0)

    def prepare(self, mounts: Mounts) -> None:
        """Lay out the directories; may be repeated.

        Raises:
            SandboxUnavailable: The engine cannot be used, or the image is not there.
            BadCompetition: A container could not read the data.
            OSError: The scratch directory cannot be written.
        """
        _lay_out(mounts, self._maker(), threading.Event())

    def discard(self, mounts: Mounts) -> None:
        """Remove a run's remains in the engine; a second call does nothing."""
        try:
            remove_containers_of(self._engine, mounts.runtime)
            facts, _ = self._engine.look()
            if facts is not None and not facts.reachable_files:
                remove_volumes_of(self._engine, mounts.runtime)
        except (*ENGINE_ERRORS, SandboxUnavailable) as error:
            # The engine is unreachable: the next start removes the rest.
            logger.warning("A run's containers could not be removed: %s", error)

    def _fetch_results(self, mounts: Mounts) -> None:
        maker = self._maker()
        if maker.remote and not maker.volumes(mounts).fetch(self._settings.disk):
            logger.warning("Not all of a run's files were fetched from the Docker engine")

    def kernel(self, mounts: Mounts, connection: Connection) -> KernelContainer:
        """Return a kernel that is not started yet.

        Raises:
            SandboxUnavailable: The engine cannot be used, or the image is not there.
        """
        return KernelContainer(self._engine, self._settings, self._maker(), mounts, connection)

    def life(self, wanted: float) -> float:
        """Return the seconds a container may live: the requested ones, or the longest for 0."""
        return wanted or self._settings.life

    async def run(
        self, argv: tuple[str, ...], mounts: Mounts, *, end: float, cancel: asyncio.Event
    ) -> Finished:
        """Run pip in its own container, with a network; the container is removed on return."""
        maker = await pools.sandboxes.run(self._maker)
        return await install(
            self._engine, self._settings, maker, argv, mounts, end=end, cancel=cancel
        )

    async def installed(self, script: str) -> Environment:
        """Return the image's Python version and those of all its packages; cached for an image.

        Args:
            script: Prints the answer.

        Raises:
            SandboxUnavailable: The engine cannot be used, the image is not there, or it does not
                answer.
        """
        image = await pools.sandboxes.run(self._image)
        if image.id not in self._inventory:
            maker = await pools.sandboxes.run(self._maker)
            with Workspace() as workspace:
                mounts = workspace.mounts()
                lay_out_here = partial(_lay_out, mounts, maker, threading.Event())
                try:
                    self._inventory[image.id] = await packages_of_image(
                        self._engine, maker, mounts, lay_out_here, script
                    )
                finally:
                    await pools.sandboxes.run(self.discard, mounts)
        return self._inventory[image.id]

    def remove_orphans(self) -> int:
        """Remove the containers of this user's servers that ended without doing so; how many."""
        facts, _ = self._engine.look()
        removed = 0 if facts is None else remove_orphans(self._engine)
        if removed:
            logger.warning("Removed %d containers that a server which is gone left", removed)
        return removed

    async def close(self) -> None:
        """End the pool."""
        await pools.sandboxes.run(self._pool.empty, for_good=True)

    def refusal(self, request: InstallRequest) -> str:
        """Return why the setting forbids these `pip install` lines; empty if it allows them."""
        return refused(self._settings.pip, request)

    def _maker(self) -> Maker:
        return Maker(self._engine, self._settings, self._image())

    def _image(self) -> Image:
        image = find_image(self._engine, self._settings.image)
        if image is None:
            name = self._settings.image
            raise SandboxUnavailable(coded("docker.image-not-here", name=name))
        return image


def _lay_out(mounts: Mounts, maker: Maker, stop: threading.Event) -> None:
    if maker.remote:
        maker.volumes(mounts).send(maker.user, stop)
        return
    if mounts.public is not None:
        _check_readable(mounts.public, maker.user)
    lay_out(mounts, maker.user)


def _check_readable(public: Path, user: tuple[int, int]) -> None:
    """Refuse data that the container's user cannot read; a server that is root can, it cannot.

    Raises:
        BadCompetition: The message names the file and the next step.
    """
    if user == (0, 0) or os.geteuid() != 0:
        unreadable = None if os.access(public, os.R_OK | os.X_OK) else public
    else:
        unreadable = next((path for path in _some(public) if not _open_to_all(path)), None)
    if unreadable is not None:
        raise BadCompetition(
            coded("docker.data-closed", unreadable=str(unreadable), public=str(public))
        )


def _some(public: Path) -> list[Path]:
    return [public, *sorted(public.iterdir())[:_LOOKED_AT]]


def _open_to_all(path: Path) -> bool:
    if not path.exists():
        return True  # a link that leads nowhere: nothing to read
    mode = path.stat().st_mode
    return bool(mode & 0o005 == 0o005 if path.is_dir() else mode & 0o004)
