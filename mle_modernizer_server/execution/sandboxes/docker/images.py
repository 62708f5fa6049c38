"""Images: whether they are there, and fetching them with progress."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import Any

from docker.errors import APIError, DockerException, ImageNotFound, NotFound
from docker.utils import parse_repository_tag

from mle_modernizer_server import pools
from mle_modernizer_server.domain.errors import SandboxUnavailable
from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.execution.sandboxes.docker.engine import (
    ENGINE_ERRORS,
    Engine,
    explanation,
)
from mle_modernizer_server.execution.sandboxes.docker.settings import in_words
from mle_modernizer_server.execution.sandboxes.waiting import is_done

_DONE = frozenset({"Pull complete", "Already exists"})
_LOADED = frozenset({"Download complete", "Verifying Checksum", "Extracting", *_DONE})


@dataclass(frozen=True)
class Image:
    """An image on the engine's machine.

    Attributes:
        id: Its hash.
        name: Its requested name.
        environ: The environment variables it sets.
    """

    id: str
    name: str
    environ: dict[str, str]


def find_image(engine: Engine, name: str) -> Image | None:
    """Return the image of that name, or None if it must be fetched.

    Raises:
        SandboxUnavailable: The engine cannot be queried, or the name is invalid.
    """
    try:
        inspect: Callable[[str], dict[str, Any]] = engine.api.inspect_image
        found = inspect(name)
    except (ImageNotFound, NotFound):
        return None
    except APIError as error:
        raise SandboxUnavailable(
            coded("docker.image-unknown", name=name, error=explanation(error))
        ) from error
    except ENGINE_ERRORS as error:
        raise SandboxUnavailable(coded("docker.silent", host=engine.host)) from error
    pairs = (entry.partition("=") for entry in (found.get("Config") or {}).get("Env") or ())
    return Image(found["Id"], name, {key: value for key, _, value in pairs})


class _Progress:
    """Sums up the engine's progress messages on single layers."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._layers: dict[str, str] = {}
        self._loaded: dict[str, int] = {}
        self._sizes: dict[str, int] = {}

    def take(self, step: dict[str, Any]) -> None:
        layer, status = str(step.get("id", "")), str(step.get("status", ""))
        if not layer or status.startswith("Pulling from"):
            return
        self._layers[layer] = status
        detail = step.get("progressDetail") or {}
        if status == "Downloading" and detail.get("total"):
            self._sizes[layer] = int(detail["total"])
            self._loaded[layer] = int(detail.get("current", 0))
        elif status in _LOADED and layer in self._sizes:
            self._loaded[layer] = self._sizes[layer]

    def message(self) -> Messages:
        """Return the progress as a message."""
        if not self._layers:
            return coded("docker.fetching", image=self._name)
        done = sum(status in _DONE for status in self._layers.values())
        layers = coded("docker.layers", done=done, of=len(self._layers))
        if not self._sizes:
            return coded("docker.fetching-layers", image=self._name, layers=layers)
        loaded, total = in_words(sum(self._loaded.values())), in_words(sum(self._sizes.values()))
        return coded(
            "docker.fetching-bytes", image=self._name, layers=layers, loaded=loaded, total=total
        )


async def pull(
    engine: Engine, name: str, *, say: Callable[[Messages], None], cancel: asyncio.Event
) -> Image | None:
    """Fetch an image from its registry.

    Args:
        engine: The engine that stores it.
        name: With or without a tag; without one the newest (`latest`).
        say: Called with layers and megabytes, at most twice a second.
        cancel: When set, fetching stops; the engine keeps the layers it has.

    Returns:
        The image; None after a cancel.

    Raises:
        SandboxUnavailable: There is no such image, it may not be read, or the registry is not
            reached.
    """
    progress = _Progress(name)
    say(progress.message())
    stop = threading.Event()
    loop = asyncio.get_running_loop()
    ended: asyncio.Future[None] = loop.create_future()

    def finish(error: Exception | None) -> None:
        if ended.done():
            return
        if error is None:
            ended.set_result(None)
        else:
            ended.set_exception(error)

    def work() -> None:
        error: Exception | None = None
        try:
            for step in _steps(engine, name):
                if stop.is_set():
                    break
                progress.take(step)
        except Exception as caught:  # noqa: BLE001 - handed to the event loop's side, which tells
            error = caught
        with suppress(RuntimeError):  # the loop was closed: nobody waits any more
            loop.call_soon_threadsafe(finish, error)

    # Not a thread of the pool: it may have to wait for a silent registry after a cancel.
    threading.Thread(target=work, name="mle-modernizer-pull", daemon=True).start()
    said = progress.message()
    try:
        while not ended.done() and not cancel.is_set():
            await is_done(ended, cancel, 0.5)
            if progress.message() != said:
                said = progress.message()
                say(said)
    finally:
        stop.set()
    if not ended.done():
        ended.cancel()
        return None
    try:
        ended.result()
    except ENGINE_ERRORS as error:
        raise _refused(name, error) from error
    return await pools.sandboxes.run(find_image, engine, name)


def _steps(engine: Engine, name: str) -> Iterator[dict[str, Any]]:
    repository, tag = parse_repository_tag(name)
    with closing(
        engine.api.pull(repository, tag=tag or "latest", stream=True, decode=True)
    ) as steps:
        for step in steps:
            if "error" in step:
                raise DockerException(str(step["error"]))
            yield step


def _refused(name: str, error: Exception) -> SandboxUnavailable:
    words = explanation(error)
    lowered = words.lower()
    absent = isinstance(error, APIError) and error.status_code == 404
    if absent or "not found" in lowered or "does not exist" in lowered or "denied" in lowered:
        return SandboxUnavailable(coded("docker.no-image", name=name, words=words))
    return SandboxUnavailable(coded("docker.image-not-fetched", name=name, words=words))
