"""The sandboxes there are, and which one to take."""

from __future__ import annotations

from functools import cache

from mle_modernizer_server.domain.errors import SandboxUnavailable
from mle_modernizer_server.execution.sandboxes.base import Sandbox
from mle_modernizer_server.execution.sandboxes.bubblewrap import Bubblewrap
from mle_modernizer_server.execution.sandboxes.docker.sandbox import Docker
from mle_modernizer_server.execution.sandboxes.local import Local
from mle_modernizer_server.execution.sandboxes.process import Process


@cache
def docker() -> Docker:
    """The Docker sandbox of this process."""
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
        reasons = []
        for sandbox in every.values():
            if sandbox.isolated:
                availability = sandbox.availability()
                if availability.ok and availability.at_hand:
                    return sandbox
                reasons.append(f"{sandbox.name}: {availability.reason}")
        raise SandboxUnavailable(
            f"No sandbox that isolates the notebook works here ({'; '.join(reasons)}). "
            "The sandbox `process` runs anywhere, but notebook code then has your own rights on "
            "this machine: choose `process` by name if you trust the notebook."
        )
    chosen = every.get(name)
    if chosen is None:
        raise SandboxUnavailable(
            f"There is no sandbox `{name}`. Choose one of: {', '.join(every)}."
        )
    availability = chosen.availability()
    if availability.ok:
        return chosen
    others = [other for other in every.values() if other is not chosen and other.availability().ok]
    offer = " ".join(
        f"`{other.name}` works here"
        + ("." if other.isolated else ", but gives no isolation: choose it if you trust the code.")
        for other in others
    )
    raise SandboxUnavailable(
        f"The sandbox `{name}` cannot be used: {availability.reason}. {offer}".strip()
    )


def local_sandbox(name: str | None) -> Local:
    """A sandbox that starts its kernels as children of the server.

    Raises:
        SandboxUnavailable: As `choose_sandbox`, or the sandbox has a provisioner of its own.
    """
    chosen = choose_sandbox(name)
    if not isinstance(chosen, Local):
        raise SandboxUnavailable(
            f"Kernels of the sandbox `{chosen.name}` are started by the kernel provisioner "
            f"`{chosen.provisioner}`: name that one in the kernelspec."
        )
    return chosen
