"""The Docker engine: its address, capabilities, and refusals as sentences.

API: https://docs.docker.com/reference/api/engine/
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import requests
from docker import APIClient
from docker.context import ContextAPI
from docker.errors import APIError, DockerException, NotFound
from docker.utils import kwargs_from_env

from mle_modernizer_server.domain.errors import SandboxUnavailable
from mle_modernizer_server.domain.message import Messages, coded

ENGINE_ERRORS = (DockerException, requests.RequestException)
"""Refusals of the engine, and the errors of a connection to it."""

_TIMEOUT = 60
"""Seconds the engine may stay silent in answer to a request."""
_FIRST_ANSWER = 5
_REMEMBERED = 10.0
"""Seconds for which the facts about the engine are cached."""


@dataclass(frozen=True)
class EngineFacts:
    """Facts of an engine's machine.

    Attributes:
        memory: Bytes.
        cpus: Processors.
        gpu: Whether containers can get one.
        rootless: The engine runs without root's rights; a container's root is the user.
        reachable_files: Whether it sees the directories of this machine.
    """

    memory: int
    cpus: int
    gpu: bool
    rootless: bool
    reachable_files: bool


class Engine:
    """One engine, connected when it is first used; may be used from several threads.

    Args:
        host: Its address; empty: `DOCKER_HOST`, else the `docker` command's current context.
    """

    def __init__(self, host: str = "") -> None:
        self._host = host
        self._api: APIClient | None = None
        self._lock = threading.Lock()
        self._looked = 0.0
        self._facts: EngineFacts | None = None
        self._reason: Messages = ()

    @property
    def host(self) -> str:
        """Return its address."""
        return str(self._address().get("base_url") or "unix:///var/run/docker.sock")

    @property
    def api(self) -> APIClient:
        """Return a connected client.

        Raises:
            SandboxUnavailable: There is no engine, or it may not be used.
        """
        with self._lock:
            if self._api is None:
                try:
                    self._api = self._connect(_TIMEOUT)
                except (*ENGINE_ERRORS, OSError) as error:
                    raise SandboxUnavailable(
                        coded("docker.refuses", reason=self._refusal(error))
                    ) from error
            return self._api

    def look(self) -> tuple[EngineFacts | None, Messages]:
        """Return the engine's facts, or None and why it cannot be used; cached for seconds."""
        now = time.monotonic()
        if not self._looked or now - self._looked > _REMEMBERED:
            self._facts, self._reason = self._find_out()
            self._looked = time.monotonic()
        return self._facts, self._reason

    def facts(self) -> EngineFacts:
        """Return the engine's facts.

        Raises:
            SandboxUnavailable: There is no engine, or it may not be used.
        """
        facts, reason = self.look()
        if facts is None:
            raise SandboxUnavailable(coded("docker.refuses", reason=reason))
        return facts

    def _find_out(self) -> tuple[EngineFacts | None, Messages]:
        if os.name != "posix":
            return None, coded("docker.needs-unix")
        try:
            client = self._connect(_FIRST_ANSWER)
            try:
                info: dict[str, Any] = client.info()
            finally:
                client.close()
        except (*ENGINE_ERRORS, OSError) as error:
            return None, self._refusal(error)
        if info.get("OSType") != "linux":
            return None, coded("docker.windows-containers")
        options = [str(option) for option in info.get("SecurityOptions") or ()]
        if any(option.startswith("name=userns") for option in options):
            return None, coded("docker.maps-users")
        runtimes = info.get("Runtimes") or {}
        devices = [str(item.get("ID", "")) for item in info.get("DiscoveredDevices") or ()]
        desktop = "Docker Desktop" in str(info.get("OperatingSystem"))
        local = self.host.startswith("unix://") and sys.platform.startswith("linux")
        return (
            EngineFacts(
                memory=int(info["MemTotal"]),
                cpus=int(info["NCPU"]),
                gpu="nvidia" in runtimes or any("gpu" in device for device in devices),
                rootless=any(option.startswith("name=rootless") for option in options),
                reachable_files=local and not desktop,
            ),
            (),
        )

    def _connect(self, timeout: int) -> APIClient:
        address = self._address()
        ssh = str(address.get("base_url", "")).startswith("ssh://")
        return APIClient(version="auto", timeout=timeout, use_ssh_client=ssh, **address)

    def _address(self) -> dict[str, Any]:
        if self._host:
            return {"base_url": self._host}
        if os.environ.get("DOCKER_HOST"):
            return dict(kwargs_from_env())
        return dict(ContextAPI.kwargs_from_context())

    def _refusal(self, error: Exception) -> Messages:
        words = str(error)
        host = self.host
        if "Permission denied" in words or isinstance(error, PermissionError):
            return coded("docker.no-right", host=host)
        if not host.startswith("unix://"):
            return coded("docker.host-silent", host=host, words=_last_line(words))
        return coded("docker.none-answers", host=host)


def _last_line(words: str) -> str:
    return words.strip().splitlines()[-1][-200:] if words.strip() else "no reason given"


@contextmanager
def gone_is_fine() -> Iterator[None]:
    """Ignore errors of stopping or removing an object that has already ended."""
    try:
        yield
    except NotFound:
        pass
    except APIError as error:
        # 409: not running, or being removed right now.
        if error.status_code != 409:
            raise


def explanation(error: Exception) -> str:
    """Return the engine's reason for refusing a request."""
    return _last_line(str(getattr(error, "explanation", None) or error))
