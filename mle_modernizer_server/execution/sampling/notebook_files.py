"""A sample of the files in a notebook's folder, for a rehearsal without a competition."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from mle_modernizer_server.domain.execution import FileAccess
from mle_modernizer_server.domain.verification import Sample
from mle_modernizer_server.execution.notebook_folder.visible_files import Item, Shown
from mle_modernizer_server.execution.sampling.folders import File, files_below
from mle_modernizer_server.execution.sampling.making import (
    CannotSample,
    Layout,
    Stopped,
    Watch,
    sample_files,
)
from mle_modernizer_server.execution.sampling.watch import TookTooLong

_PROVIDED = (FileAccess.COPY, FileAccess.READ_ONLY)
"""Ways of providing data; those of libraries, below `~`, are not reduced."""


@dataclass
class NotebookFiles:
    """Reduces the visible files of one run: few rows of tables, few files of a folder.

    Attributes:
        target: Directory for the sample; it must exist as long as the run.
        rows: About how many rows a table keeps.
        watch: Ends it.
        sample: Its content; of all data if nothing was reduced.
    """

    target: Path
    rows: int
    watch: Watch
    sample: Sample = field(default_factory=Sample)
    _left_out: set[str] = field(default_factory=set)

    def reduce(self, shown: Shown) -> Shown:
        """Return the same files from the sample; all as they are if none can be made."""
        try:
            files = [file for item in shown.items for file in self._files(item)]
            made = self.target / "files"
            sample = sample_files(files, made, Layout((), (), ""), self.rows, self.watch)
        except (CannotSample, Stopped, TookTooLong, OSError):
            return shown  # a stop ends the run itself
        if not sample.cut:
            return shown
        self.sample = sample
        self._left_out = {file.name for file in files if not (made / file.name).exists()}
        items = []
        for item in shown.items:
            place = made / _name(item.at)
            if item.access not in _PROVIDED or item.named.startswith("~"):
                items.append(item)
            elif place.exists():
                size = 0 if item.is_folder else place.stat().st_size
                items.append(replace(item, source=place, size=size))
        return replace(shown, items=tuple(items))

    def left_out(self, path: str) -> bool:
        """Return whether a path of the notebook leads to a file that the sample lacks."""
        name = _name(posixpath.normpath(path))
        return name in self._left_out

    def _files(self, item: Item) -> Iterator[File]:
        if item.access not in _PROVIDED or item.named.startswith("~"):
            return
        name = _name(item.at)
        if item.is_folder:
            for file in files_below(item.source, self.watch):
                yield replace(file, name=f"{name}/{file.name}")
        else:
            state = item.source.stat()
            yield File(item.source, name, state.st_size, state.st_mtime_ns)


def _name(at: str) -> str:
    """Return the path in a run as one below a folder: `../data` is `up/data`."""
    return "/".join({"..": "up", "": "root"}.get(part, part) for part in at.split("/"))
