"""Which packages an image has, asked once in a container of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from pydantic import ValidationError

from mle_modernizer_server.domain.errors import SandboxUnavailable
from mle_modernizer_server.domain.execution import Environment
from mle_modernizer_server.execution.sandboxes.docker.container import Container
from mle_modernizer_server.execution.sandboxes.docker.engine import Engine
from mle_modernizer_server.execution.sandboxes.docker.isolation import Maker
from mle_modernizer_server.execution.sandboxes.workspace import Mounts

_LIMIT = 120.0
"""Seconds; the first start of a large image takes its time."""


async def packages_of_image(
    engine: Engine, maker: Maker, mounts: Mounts, prepare: Callable[[], None], script: str
) -> Environment:
    """Python's version and those of all packages in an image, by import name.

    Args:
        engine: Where the image is.
        maker: Makes the container.
        mounts: Of an empty scratch directory.
        prepare: Lays it out.
        script: Prints the answer.

    Raises:
        SandboxUnavailable: The container does not start, or gives no answer.
    """

    def start() -> Container:
        prepare()
        asking = ("-c", script)
        return Container(engine, maker.kernel(asking, mounts, life=_LIMIT, connection=""))

    container = await asyncio.to_thread(start)
    try:
        found = await container.ending()
    finally:
        await asyncio.to_thread(container.end)
    try:
        return Environment.model_validate_json(found.stdout)
    except ValidationError as error:
        last = found.stderr.strip().splitlines()[-1:] or [f"exit code {found.code}"]
        raise SandboxUnavailable(
            "The image does not tell which packages it has; what will break cannot be told before "
            f"a run ({last[0][-200:]})."
        ) from error
