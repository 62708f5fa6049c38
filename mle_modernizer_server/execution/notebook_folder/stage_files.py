"""Put the visible files into a run's folder; detect afterwards which are unchanged."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from mle_modernizer_server.domain.execution import FileAccess
from mle_modernizer_server.domain.files import HelperReading
from mle_modernizer_server.execution.notebook_folder.own_modules import encoding_of
from mle_modernizer_server.execution.notebook_folder.visible_files import Item, Shown
from mle_modernizer_server.untrusted.files import open_regular

_BLOCK = 1 << 20


@dataclass(frozen=True)
class _Copy:
    path: Path
    size: int
    modified: int


@dataclass
class LaidOut:
    """Files that were put into the run's folder.

    Attributes:
        working: The run's working directory.
    """

    working: Path
    _copies: list[_Copy] = field(default_factory=list)
    _mounted: list[str] = field(default_factory=list)
    _places: set[str] = field(default_factory=set)

    def put(self, shown: Shown, readings: Iterable[HelperReading] = ()) -> None:
        """Copy files and make folders; existing ones stay.

        Args:
            shown: The run's visible files.
            readings: The copies whose content differs from their files.

        Raises:
            OSError: The scratch directory cannot be written.
        """
        otherwise = {reading.path: reading for reading in readings}
        for folder in shown.folders:
            _inside(self.working, folder).mkdir(parents=True, exist_ok=True)
        for item in shown.items:
            if item.access is FileAccess.COPY and item.at not in self._places:
                self._places.add(item.at)
                self._copy(item, otherwise.get(item.at))
            elif item.access is FileAccess.READ_ONLY and not item.at.startswith(("/", "..")):
                self._mounted.append(item.at)

    def _copy(self, item: Item, reading: HelperReading | None) -> None:
        target = _inside(self.working, item.at)
        if os.path.lexists(target):
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            content = open_regular(item.source, follow_links=False)
            encoding = "" if reading is None else encoding_of(item.source)
        except OSError:
            return  # removed, closed or replaced since it was listed: the notebook meets that, too
        with content, target.open("wb") as copy:
            if reading is None:
                shutil.copyfileobj(content, copy, _BLOCK)
            else:
                copy.write(reading.source.encode(encoding, "backslashreplace"))
            times = os.fstat(content.fileno())
        os.utime(target, ns=(times.st_atime_ns, times.st_mtime_ns))
        target.chmod(0o644)
        status = target.stat()
        self._copies.append(_Copy(target, status.st_size, status.st_mtime_ns))

    def unchanged(self) -> frozenset[str]:
        """Return the paths below the working directory that the notebook did not write."""
        paths = set(self._mounted)
        for copy in self._copies:
            try:
                status = copy.path.lstat()
            except OSError:
                continue  # the notebook removed it
            if (status.st_size, status.st_mtime_ns) == (copy.size, copy.modified):
                paths.add(os.path.relpath(copy.path, self.working).replace(os.sep, "/"))
        return frozenset(paths)


def _inside(working: Path, at: str) -> Path:
    """Return the place of a path in the scratch directory.

    Raises:
        ValueError: It is outside the directory.
    """
    place = Path(os.path.normpath(working / at))
    if not place.is_relative_to(working.parent.parent):
        raise ValueError(f"{at} leads out of the scratch directory")
    return place
