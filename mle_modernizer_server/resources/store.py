"""The folder of fetched files, under Jupyter's data directory.

<root>/<id>/record.json   its address and its checksum
<root>/<id>/content       the content of the address
<root>/<id>.lock          locked during a fetch or removal
<root>/.fetching-<id>-…   a fetch in progress; a leftover is removed

An id is made of the address: the same address is fetched once.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import tempfile
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime, timezone
from pathlib import Path

from filelock import FileLock
from jupyter_core.paths import jupyter_data_dir
from pydantic import ValidationError

from mle_modernizer_server.domain.errors import NotFound, ResourceUnavailable
from mle_modernizer_server.domain.files import (
    KeptResource,
    checked_address,
    downloaded_name,
    places_of,
)
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.resources.download import Limits, OnBytes, download
from mle_modernizer_server.untrusted.files import open_regular, read_regular

_ID = re.compile(r"[0-9a-f]{16}")
_RECORD = "record.json"
_CONTENT = "content"
_LARGEST_RECORD = 100_000
MOST_BYTES = 2_000_000_000
"""Total size of stored files; beyond it, the oldest are removed."""


def default_root() -> Path:
    """Return the default folder for fetched files."""
    return Path(str(jupyter_data_dir())) / "mle-modernizer" / "resources"


class KeptResources:
    """The fetched files in one folder.

    Args:
        root: The folder; that in Jupyter's data directory if None.
        limits: Limits for one address.
        private: Allow servers that are not of the public network, too.
        most_bytes: Total size of stored files.
    """

    def __init__(
        self,
        root: Path | None = None,
        *,
        limits: Limits | None = None,
        private: bool = False,
        most_bytes: int = MOST_BYTES,
    ) -> None:
        self.root = default_root() if root is None else root
        self.limits = limits or Limits()
        self._private = private
        self._most_bytes = most_bytes

    def all(self) -> tuple[KeptResource, ...]:
        """List stored files, the latest first; skip files whose checksum changed."""
        if not self.root.is_dir():
            return ()
        found = [
            kept
            for folder in self.root.iterdir()
            if _ID.fullmatch(folder.name) and (kept := self._record(folder)) is not None
        ]
        return tuple(sorted(found, key=lambda kept: kept.fetched, reverse=True))

    def file(self, address: str) -> Path | None:
        """Return the stored file of an address after a check of it; None if absent. Blocks."""
        folder = self.root / _id_of(address)
        kept = self._record(folder)
        if kept is None or kept.address != address:
            return None
        content = folder / _CONTENT
        try:
            same = _checksum(content) == kept.sha256
        except OSError:
            return None  # removed, or not readable: absent
        return content if same else None

    def given(self, addresses: Iterable[str]) -> dict[str, Path]:
        """Return the stored files of addresses, by their place in a run (`places_of`). Blocks."""
        return {
            place: file
            for address in addresses
            if (file := self.file(address)) is not None
            for place in places_of(address)
        }

    def fetch(
        self,
        address: str,
        *,
        progress: OnBytes = lambda size: None,
        cancel: threading.Event | None = None,
    ) -> Path:
        """Return the file of an address; fetch it if it is not stored. Blocks.

        Args:
            address: A person agreed to it.
            progress: Called with the bytes received.
            cancel: When set, fetching ends.

        Raises:
            ResourceUnavailable: It cannot be fetched or stored; the message is the reason.
        """
        try:
            checked_address(address)
        except ValueError as error:
            raise ResourceUnavailable(
                coded("fetch.refused", address=address, reason=str(error))
            ) from error
        try:
            with self._locked(_id_of(address)) as folder:
                return self.file(address) or self._fetched(folder, address, progress, cancel)
        except OSError as error:
            detail = error.strerror or str(error)
            raise ResourceUnavailable(
                coded("fetch.not-kept", address=address, folder=str(self.root), detail=detail)
            ) from error

    def remove(self, resource_id: str) -> None:
        """Remove a fetched file.

        Raises:
            NotFound: There is none of that id.
        """
        if not _ID.fullmatch(resource_id) or not (self.root / resource_id).is_dir():
            raise NotFound(coded("fetch.no-such", id=resource_id))
        with self._locked(resource_id) as folder:
            shutil.rmtree(folder, ignore_errors=True)

    def _fetched(
        self, folder: Path, address: str, progress: OnBytes, cancel: threading.Event | None
    ) -> Path:
        mark = f".fetching-{folder.name}-"
        for left in self.root.glob(f"{mark}*"):  # no other process fetches it: the lock is ours
            shutil.rmtree(left, ignore_errors=True)
        making = Path(tempfile.mkdtemp(prefix=mark, dir=self.root))
        try:
            with (making / _CONTENT).open("wb") as target:
                got = download(
                    address,
                    target,
                    limits=self.limits,
                    private=self._private,
                    progress=progress,
                    cancel=cancel,
                )
            (making / _CONTENT).chmod(0o444)
            kept = KeptResource(
                id=folder.name,
                address=address,
                name=downloaded_name(address) or "",
                size=got.size,
                sha256=got.sha256,
                fetched=datetime.now(timezone.utc),
            )
            (making / _RECORD).write_text(kept.model_dump_json(indent=2), "utf-8")
            making.chmod(0o755)
            shutil.rmtree(folder, ignore_errors=True)  # the old content failed its check
            making.rename(folder)
        finally:
            shutil.rmtree(making, ignore_errors=True)
        self._trim(folder.name)
        return folder / _CONTENT

    def _trim(self, latest: str) -> None:
        """Remove the oldest files until the rest is within the bound."""
        total = 0
        for kept in self.all():
            total += kept.size
            if total > self._most_bytes and kept.id != latest:
                shutil.rmtree(self.root / kept.id, ignore_errors=True)

    @contextmanager
    def _locked(self, resource_id: str) -> Iterator[Path]:
        self.root.mkdir(parents=True, exist_ok=True)
        with FileLock(str(self.root / f"{resource_id}.lock")):
            yield self.root / resource_id

    def _record(self, folder: Path) -> KeptResource | None:
        """Read the record of a folder; None if it is not a valid one."""
        record = folder / _RECORD
        try:
            kept = KeptResource.model_validate_json(read_regular(record, _LARGEST_RECORD))
            whole = (folder / _CONTENT).stat().st_size == kept.size
        except (OSError, ValidationError):
            return None
        return kept if whole and kept.id == folder.name == _id_of(kept.address) else None


def _checksum(file: Path) -> str:
    digest = hashlib.sha256()
    with open_regular(file) as opened:
        while block := opened.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def _id_of(address: str) -> str:
    return hashlib.sha256(address.encode("utf-8")).hexdigest()[:16]
