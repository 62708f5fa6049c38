"""A run's directories as volumes, for an engine that does not see this machine's files.

The data are copied in before the kernel starts and `/kaggle/working` is copied back at the end,
both through the engine's API.
"""

from __future__ import annotations

import hashlib
import io
import os
import tarfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath
from typing import IO, Any

from docker.types import Mount

from mle_modernizer_server.domain.errors import SandboxUnavailable
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.execution.sandboxes.docker.engine import (
    ENGINE_ERRORS,
    Engine,
    explanation,
    gone_is_fine,
)
from mle_modernizer_server.execution.sandboxes.workspace import (
    INPUT,
    Mounts,
    flat_entries,
)
from mle_modernizer_server.untrusted.files import is_within, open_regular

_BLOCK = 2**20
_MOST_FILES = 10_000
_ROOT = "kaggle"
PIP = "pip"
"""The volume with pip's settings, which the kernel never has."""
NAMES = ("input", "working", "temp", "packages", PIP)
"""The volumes of a run, mounted below `/kaggle`."""


def volume(mounts: Mounts, name: str) -> str:
    """Return the name of one of a run's volumes."""
    return f"mle-modernizer-{hashlib.sha256(bytes(mounts.runtime)).hexdigest()[:16]}-{name}"


class Volumes:
    """The volumes of one run, with a container that is never started to reach into them."""

    def __init__(self, engine: Engine, image: str, mounts: Mounts, labels: dict[str, str]) -> None:
        self._engine = engine
        self._image = image
        self._mounts = mounts
        self._labels = labels

    def send(self, user: tuple[int, int], stop: threading.Event) -> None:
        """Make them and fill `/kaggle/input`.

        Args:
            user: Owner of the notebook's files.
            stop: When set, sending ends.

        Raises:
            SandboxUnavailable: The engine refuses, or the data cannot be read.
        """
        try:
            for name in NAMES:
                self._engine.api.create_volume(volume(self._mounts, name), labels=self._labels)
            with self._reach() as container:
                self._engine.api.put_archive(container, "/", self._packed(user, stop))
        except _Stopped:
            return
        except (*ENGINE_ERRORS, OSError) as error:
            raise _failed("sent to", error) from error

    def send_pip_settings(self, files: list[Path], user: tuple[int, int]) -> str:
        """Send files for pip; return their directory as the container sees it.

        Raises:
            SandboxUnavailable: The engine refuses.
        """
        packed = io.BytesIO()
        with tarfile.open(fileobj=packed, mode="w") as archive:
            for file in files:
                entry = archive.gettarinfo(str(file), f"{_ROOT}/{PIP}/{file.name}")
                (entry.uid, entry.gid), entry.mode = user, 0o400
                with file.open("rb") as content:
                    archive.addfile(entry, content)
        try:
            with self._reach() as container:
                self._engine.api.put_archive(container, "/", packed.getvalue())
        except ENGINE_ERRORS as error:
            raise _failed("sent to", error) from error
        return f"/{_ROOT}/{PIP}"

    def fetch(self, most: int) -> bool:
        """Copy `/kaggle/working` back: regular files only, and no more than a number of bytes.

        Args:
            most: Bytes.

        Returns:
            Whether that was all of it.

        Raises:
            SandboxUnavailable: The engine refuses, or the scratch directory cannot be written.
        """
        try:
            with self._reach() as container:
                blocks, _ = self._engine.api.get_archive(container, f"/{_ROOT}/working")
                with tarfile.open(fileobj=_Blocks(blocks), mode="r|") as archive:
                    return _unpack(archive, self._mounts.working, most)
        except (*ENGINE_ERRORS, OSError, tarfile.TarError) as error:
            raise _failed("fetched from", error) from error

    def remove(self) -> None:
        """Remove them."""
        for name in NAMES:
            with gone_is_fine():
                self._engine.api.remove_volume(volume(self._mounts, name), force=True)

    def _reach(self) -> _Container:
        mounts = [
            Mount(f"/{_ROOT}/{name}", volume(self._mounts, name), type="volume") for name in NAMES
        ]
        host = self._engine.api.create_host_config(network_mode="none", mounts=mounts)
        made = self._engine.api.create_container(
            self._image, ["true"], host_config=host, labels=self._labels
        )
        return _Container(self._engine, made["Id"])

    def _packed(self, user: tuple[int, int], stop: threading.Event) -> Iterator[bytes]:
        """Yield the archive in pieces, so that gigabytes are never in memory."""
        reading, writing = os.pipe()
        broken: list[BaseException] = []

        def pack() -> None:
            try:
                with (
                    os.fdopen(writing, "wb") as stream,
                    tarfile.open(fileobj=stream, mode="w|", dereference=True) as archive,
                ):
                    _pack(archive, self._mounts, user)
            except (OSError, tarfile.TarError) as error:
                broken.append(error)

        packing = threading.Thread(target=pack, name="mle-modernizer-pack", daemon=True)
        packing.start()
        with os.fdopen(reading, "rb") as stream:
            while block := stream.read(_BLOCK):
                if stop.is_set():
                    raise _Stopped
                yield block
        packing.join()
        if broken:
            raise OSError(str(broken[0]))


class _Stopped(Exception):
    pass


class _Container:
    def __init__(self, engine: Engine, name: str) -> None:
        self._engine = engine
        self._name = name

    def __enter__(self) -> str:
        return self._name

    def __exit__(self, *_: object) -> None:
        with gone_is_fine():
            self._engine.api.remove_container(self._name, force=True)


class _Blocks(io.RawIOBase):
    """Blocks of bytes as a file that is read from front to back."""

    def __init__(self, blocks: Iterator[bytes]) -> None:
        self._blocks = iter(blocks)
        self._rest = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if not self._rest:
            self._rest = next(self._blocks, b"")
        count = min(len(buffer), len(self._rest))
        buffer[:count] = self._rest[:count]
        self._rest = self._rest[count:]
        return count


def _pack(archive: tarfile.TarFile, mounts: Mounts, user: tuple[int, int]) -> None:
    def add(name: str, kind: bytes, owner: tuple[int, int], link: str = "") -> None:
        entry = tarfile.TarInfo(f"{_ROOT}/{name}")
        entry.type, entry.mode, entry.linkname = kind, 0o755, link
        entry.uid, entry.gid = owner
        archive.addfile(entry)

    def readable(entry: tarfile.TarInfo) -> tarfile.TarInfo | None:
        if not (entry.isreg() or entry.isdir()):
            return None
        entry.uid = entry.gid = 0
        entry.uname = entry.gname = ""
        entry.mode = 0o755 if entry.isdir() else 0o644
        return entry

    if mounts.public is not None and mounts.data == INPUT:
        archive.add(mounts.public, f"{_ROOT}/input", filter=readable)
    else:
        add("input", tarfile.DIRTYPE, (0, 0))
    for name in ("working", "temp", "packages"):
        add(name, tarfile.DIRTYPE, user)
    add("working/input", tarfile.SYMTYPE, user, f"/{_ROOT}/input")
    if mounts.public is not None and mounts.data not in (None, INPUT):
        place = f"{_ROOT}/input/{mounts.competition}"
        archive.add(mounts.public, place, recursive=False, filter=readable)
        _pack_folder(archive, mounts.public, place, readable)
    for flat in flat_entries(mounts):
        target = f"{mounts.competition}/{flat.name}"
        add(f"input/{flat.name}", tarfile.SYMTYPE, (0, 0), target)


def _pack_folder(
    archive: tarfile.TarFile,
    folder: Path,
    place: str,
    readable: Callable[[tarfile.TarInfo], tarfile.TarInfo | None],
) -> None:
    """Add the files below a folder; no link that leads out of it, and no folder behind a link."""
    for root, folders, names in os.walk(folder):
        inside = PurePosixPath(place, Path(root).relative_to(folder).as_posix())
        for name in folders:
            path = Path(root, name)
            if not path.is_symlink():
                archive.add(path, str(inside / name), recursive=False, filter=readable)
        for name in names:
            path = Path(root, name)
            if path.is_symlink() and not is_within(path, folder):
                continue
            try:
                content = open_regular(path)
            except OSError:
                continue  # a pipe, a loop of links, or closed to us
            with content:
                entry = readable(archive.gettarinfo(arcname=str(inside / name), fileobj=content))
                if entry is not None:
                    archive.addfile(entry, content)


def _unpack(archive: tarfile.TarFile, working: Path, most: int) -> bool:
    """Unpack the harmless files of an archive that hostile code filled: no links, no way out."""
    files = 0
    for entry in archive:
        parts = PurePosixPath(entry.name).parts[1:]  # the first is `working`
        if ".." in parts or not parts or not (entry.isreg() or entry.isdir()):
            continue
        target = working.joinpath(*parts)
        files += 1
        most -= entry.size if entry.isreg() else 0
        if files > _MOST_FILES or most < 0:
            return False
        if entry.isdir():
            target.mkdir(parents=True, exist_ok=True)
            continue
        source = archive.extractfile(entry)
        target.parent.mkdir(parents=True, exist_ok=True)
        if source is not None and not os.path.lexists(target):
            with target.open("xb") as stream:
                _copy(source, stream)
    return True


def _copy(source: IO[bytes], target: IO[bytes]) -> None:
    while block := source.read(_BLOCK):
        target.write(block)


def _failed(way: str, error: Exception) -> SandboxUnavailable:
    words = explanation(error)
    return SandboxUnavailable(coded("docker.files-not-moved", way=way, words=words))
