"""The sandboxes there are, and which one to take."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from mle_modernizer_server.domain.errors import SandboxUnavailable
from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.execution.sandboxes.base import Sandbox
from mle_modernizer_server.execution.sandboxes.bubblewrap import Bubblewrap
from mle_modernizer_server.execution.sandboxes.local import Local
from mle_modernizer_server.execution.sandboxes.process import Process

if TYPE_CHECKING:
    from mle_modernizer_server.execution.sandboxes.docker.sandbox import Docker


@cache
def docker() -> Docker:
    """The Docker sandbox of this process; only its use loads what speaks to an engine."""
    from mle_modernizer_server.execution.sandboxes.docker.sandbox import Docker

    return Docker()


@cache
def sandboxes() -> dict[str, Sandbox]:
    """All sandboxes by name, in the order in which one is chosen where nobody says."""
    return {sandbox.name: sandbox for sandbox in (Bubblewrap(), docker(), Process())}


def choose_sandbox(name: str | None) -> Sandbox:
    """The sandbox of that name, or with None the first isolated one that works here.

    A sandbox that does not isolate is only ever taken by its name; one that would first have to
    fetch gigabytes too.

    Raises:
        SandboxUnavailable: There is no such sandbox, or it does not work on this machine; the
            message says why and offers another one.
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
    """A sandbox that starts its kernels as children of the server.

    Raises:
        SandboxUnavailable: As `choose_sandbox`, or the sandbox has a provisioner of its own.
    """
    chosen = choose_sandbox(name)
    if not isinstance(chosen, Local):
        raise SandboxUnavailable(
            coded("sandbox.provisioner", chosen=chosen.name, provisioner=chosen.provisioner)
        )
    return chosen
