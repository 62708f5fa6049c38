"""Cached samples for the next rehearsal on the same data."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from jupyter_core.paths import jupyter_data_dir
from pydantic import ValidationError

from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.domain.verification import Sample
from mle_modernizer_server.execution.process_identity import lives, this_process
from mle_modernizer_server.execution.sampling.folders import files_below
from mle_modernizer_server.execution.sampling.making import (
    CannotSample,
    Layout,
    Watch,
    make_sample,
)
from mle_modernizer_server.execution.sampling.watch import TookTooLong

_VERSION = 1
"""Of the way of choosing: another one makes other samples."""
_FACTS = "sample.json"
_OWNER = "owner"
_MAKING = ".making-"
_NAMELESS = 60.0
"""Seconds for which a directory may have no owner yet."""
_DATA = "public"
_MOST = 8
_MOST_BYTES = 2 * 2**30
_IN_USE = 2 * 3600.0
"""Seconds after its last use in which a sample may still be mounted somewhere."""
LONGEST = 120.0
"""Seconds that making a sample may take."""


@dataclass(frozen=True)
class KeptSample:
    """A sample on the disk.

    Attributes:
        public: Its directory, laid out like the competition's public one.
        sample: Its content.
    """

    public: Path
    sample: Sample


def default_directory() -> Path:
    """Return the folder of the samples: `mle-modernizer/samples` in Jupyter's data directory."""
    return Path(jupyter_data_dir()) / "mle-modernizer" / "samples"


def get_sample(
    slug: str, public: Path, layout: Layout, rows: int, watch: Watch, root: Path | None = None
) -> KeptSample:
    """Return the sample of these data; make it if absent.

    It is remade when a file of the data was changed, added or removed. Several processes may ask
    at once: one of their samples stays.

    Args:
        slug: The competition.
        public: Its public directory.
        layout: Its description of its files.
        rows: About how many rows a table keeps.
        watch: Ends it.
        root: Folder of the samples; `default_directory()` if None.

    Raises:
        CannotSample: It cannot be made; the text states the reason.
        Stopped: It was cancelled.
    """
    root = root or default_directory()
    try:
        root.mkdir(parents=True, exist_ok=True)
        place = root / f"{slug}-{_fingerprint(slug, public, layout, rows, watch)}"
        kept = _kept(place)
        if kept is None:
            _prune(root)
            kept = _made(root, place, public, layout, rows, watch)
    except TookTooLong as error:
        raise CannotSample(coded("no-sample.too-many-files")) from error
    except OSError as error:
        reason = error.strerror or str(error)
        raise CannotSample(coded("no-sample.not-kept", root=str(root), reason=reason)) from error
    return kept


def _made(
    root: Path, place: Path, public: Path, layout: Layout, rows: int, watch: Watch
) -> KeptSample:
    with scratch_directory(root) as making:
        sample = make_sample(public, making / _DATA, layout, rows, watch)
        (making / _FACTS).write_text(sample.model_dump_json())
        with suppress(OSError):  # somebody else was faster
            making.rename(place)
        kept = _kept(place)
        if kept is None:
            # Incomplete: the disk was full, or someone removed files.
            shutil.rmtree(place, ignore_errors=True)
            making.rename(place)
            kept = KeptSample(place / _DATA, sample)
        return kept


def _kept(place: Path) -> KeptSample | None:
    try:
        sample = Sample.model_validate_json((place / _FACTS).read_bytes())
        if not (place / _DATA).is_dir():
            return None
        os.utime(place / _FACTS)
    except (OSError, ValidationError):
        return None
    return KeptSample(place / _DATA, sample)


def _fingerprint(slug: str, public: Path, layout: Layout, rows: int, watch: Watch) -> str:
    told = hashlib.sha256()
    about = [_VERSION, slug, str(public.resolve()), layout.ids, layout.targets, layout.submission]
    about += ["whole test"] if layout.whole_test else []
    told.update(json.dumps([*about, rows]).encode())
    for file in files_below(public, watch):
        told.update(os.fsencode(f"{file.name}\0{file.size}\0{file.changed}\0"))
    return told.hexdigest()[:24]


@contextmanager
def scratch_directory(root: Path | None = None) -> Iterator[Path]:
    """Yield a directory for temporary data of this process; remove it in the end.

    Every user can read it: a container's user is another one. Directories of killed processes are
    removed first.

    Raises:
        OSError: It cannot be made.
    """
    root = root or default_directory()
    root.mkdir(parents=True, exist_ok=True)
    remove_orphans(root)
    scratch = root / f"{_MAKING}{uuid.uuid4().hex}"
    scratch.mkdir()
    try:
        scratch.chmod(0o755)
        (scratch / _OWNER).write_text(this_process())
        yield scratch
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def remove_orphans(root: Path | None = None) -> None:
    """Remove temporary and unfinished directories of processes that have exited."""
    root = root or default_directory()
    with suppress(OSError):
        for place in root.glob(f"{_MAKING}*"):
            if not _in_use(place):
                shutil.rmtree(place, ignore_errors=True)


def _in_use(place: Path) -> bool:
    try:
        return lives((place / _OWNER).read_text())
    except OSError:  # its owner has not yet put a name to it, or never came to it
        with suppress(OSError):
            return time.time() - place.stat().st_mtime < _NAMELESS
        return False


def _prune(root: Path) -> None:
    """Remove unfinished samples of a crash, and the least recently used ones."""
    now = time.time()
    samples: list[tuple[float, Path]] = []
    remove_orphans(root)
    for place in root.iterdir():
        if place.name.startswith(_MAKING):
            continue
        used = 0.0
        with suppress(OSError):
            used = (place / _FACTS).stat().st_mtime
        samples.append((used, place))
    samples.sort(reverse=True)
    size = 0
    for number, (used, place) in enumerate(samples, start=1):
        size += _own_bytes(place)
        if (number >= _MOST or size > _MOST_BYTES) and now - used > _IN_USE:
            shutil.rmtree(place, ignore_errors=True)


def _own_bytes(place: Path) -> int:
    """Return the bytes a directory takes; files that are links to the data take none."""
    size = 0
    for directory, _, names in os.walk(place):
        for name in names:
            with suppress(OSError):
                state = os.lstat(Path(directory) / name)
                size += state.st_size if state.st_nlink == 1 else 0
    return size
