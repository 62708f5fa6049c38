"""Containers of ours that nobody needs any more, found by their labels."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mle_modernizer_server.execution.process_identity import lives
from mle_modernizer_server.execution.sandboxes.docker.engine import (
    ENGINE_ERRORS,
    Engine,
    gone_is_fine,
)
from mle_modernizer_server.execution.sandboxes.docker.isolation import LABEL, OWNER, RUN, belongs


def remove_containers_of(engine: Engine, runtime: Path) -> int:
    """Remove the remaining containers of a run.

    Args:
        engine: The engine of its containers.
        runtime: The run's runtime directory.

    Returns:
        Their number.
    """
    return _remove(engine, _found(engine, f"{RUN}={runtime}"))


def remove_volumes_of(engine: Engine, runtime: Path) -> int:
    """Remove a run's volumes, once its containers are removed; return their number."""
    return _remove_volumes(engine, _volumes(engine, f"{RUN}={runtime}"))


def remove_orphans(engine: Engine) -> int:
    """Remove the containers of this user whose server ended without removing them.

    A container of a running server, of another user or another machine is left alone.

    Returns:
        Their number; 0 also if the engine does not answer.
    """
    try:
        found = _found(engine, f"{LABEL}={belongs()}")
        removed = _remove(engine, [item for item in found if not lives(_label(item, OWNER))])
        volumes = _volumes(engine, f"{LABEL}={belongs()}")
        _remove_volumes(engine, [item for item in volumes if not lives(_label(item, OWNER))])
        return removed
    except ENGINE_ERRORS:
        return 0  # the engine disappeared: the next call checks its containers


def _found(engine: Engine, label: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = engine.api.containers(all=True, filters={"label": label})
    return found


def _label(container: dict[str, Any], name: str) -> str:
    return str((container.get("Labels") or {}).get(name, ""))


def _remove(engine: Engine, found: list[dict[str, Any]]) -> int:
    for container in found:
        with gone_is_fine():
            engine.api.remove_container(container["Id"], force=True, v=True)
    return len(found)


def _volumes(engine: Engine, label: str) -> list[dict[str, Any]]:
    found: dict[str, Any] = engine.api.volumes(filters={"label": label})
    return found.get("Volumes") or []


def _remove_volumes(engine: Engine, found: list[dict[str, Any]]) -> int:
    for volume in found:
        with gone_is_fine():
            engine.api.remove_volume(volume["Name"], force=True)
    return len(found)
