"""The sandboxes there are, and which one to take."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from mle_modernizer_server.domain.errors import SandboxUnavailable
from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.execution.sandboxes.base import Sandbox
from mle_modernizer_server.execution.sandboxes.bubblewrap import Bubblewrap
from mle_modernizer_server.execution.sandboxes.docker.settings import Settings
from mle_modernizer_server.execution.sandboxes.local import Local
from mle_modernizer_server.execution.sandboxes.process import Process

if TYPE_CHECKING:
    from mle_modernizer_server.execution.sandboxes.docker.sandbox import Docker


@cache
def docker() -> Docker:
    """Return the Docker sandbox of this process; the first call loads the Docker client."""
    from mle_modernizer_server.execution.sandboxes.docker.sandbox import Docker

    return Docker(_containers.settings)


def configure_docker(settings: Settings) -> None:
    """Have the Docker sandbox of this process make its containers with these settings."""
    _containers.settings = settings
    if is_docker_used():
        docker().configure(settings)


def is_docker_used() -> bool:
    """Return whether this process has used the Docker sandbox."""
    return docker.cache_info().currsize > 0


@dataclass
class _Containers:
    settings: Settings


_containers = _Containers(Settings())
_MAKERS: dict[str, Callable[[], Sandbox]] = {
    "bubblewrap": cache(Bubblewrap),
    "docker": docker,
    "process": cache(Process),
}


class _Sandboxes(Mapping[str, Sandbox]):
    """Sandboxes by name, each created on first use."""

    def __getitem__(self, name: str) -> Sandbox:
        return _MAKERS[name]()

    def __iter__(self) -> Iterator[str]:
        return iter(_MAKERS)

    def __len__(self) -> int:
        return len(_MAKERS)


def sandboxes() -> Mapping[str, Sandbox]:
    """Return all sandboxes by name, in the order of the default choice."""
    return _Sandboxes()


def choose_sandbox(name: str | None) -> Sandbox:
    """Return the sandbox of that name, or with None the first isolated one that works here.

    A sandbox that does not isolate is only ever taken by its name; one that would first have to
    fetch gigabytes too.

    Raises:
        SandboxUnavailable: There is no such sandbox, or it does not work on this machine; the
            message states the reason and offers another one.
    """
    every = sandboxes()
    if name is None:
        reasons: Messages = ()
        for sandbox in every.values():
            if sandbox.isolated:
                availability = sandbox.availability()
                if availability.ok and availability.at_hand:
                    return sandbox
                reasons += coded("sandbox.reason", name=sandbox.name, reason=availability.reason)
        raise SandboxUnavailable(coded("sandbox.none-isolates", reasons=reasons))
    chosen = every.get(name)
    if chosen is None:
        raise SandboxUnavailable(coded("sandbox.unknown", name=name, every=", ".join(every)))
    availability = chosen.availability()
    if availability.ok:
        return chosen
    message = coded("sandbox.unusable", name=name, reason=availability.reason)
    for other in every.values():
        if other is not chosen and other.availability().ok:
            offer = "sandbox.other-works" if other.isolated else "sandbox.other-not-isolated"
            message += coded(offer, name=other.name)
    raise SandboxUnavailable(message)


def local_sandbox(name: str | None) -> Local:
    """Return a sandbox that starts its kernels as children of the server.

    Raises:
        SandboxUnavailable: As `choose_sandbox`, or the sandbox has a provisioner of its own.
    """
    chosen = choose_sandbox(name)
    if not isinstance(chosen, Local):
        raise SandboxUnavailable(
            coded("sandbox.provisioner", chosen=chosen.name, provisioner=chosen.provisioner)
        )
    return chosen
