"""A notebook on disk: read as it is, written with only the changed cells' code replaced."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

from mle_modernizer_server.domain.era import Traces
from mle_modernizer_server.domain.errors import BadInput, BadNotebook, BadSetting, TooLarge
from mle_modernizer_server.domain.grade import DistanceMeasure, ScoreKind
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.domain.notebook import FinishedRun, Notebook, SavedOutputs
from mle_modernizer_server.execution.documents import (
    node,
    notebook_from_json,
    notebook_text,
    saved_outputs,
    traces_from_json,
)
from mle_modernizer_server.execution.notebook_content import parse_notebook
from mle_modernizer_server.execution.notebook_file.rewriting import rewritten
from mle_modernizer_server.execution.outputs import clean
from mle_modernizer_server.untrusted.files import (
    FileTooLarge,
    exists,
    is_file,
    is_folder,
    read_regular,
)
from mle_modernizer_server.untrusted.parsing import finite_number

METADATA_KEY = "mle_modernizer"
MOST_BYTES = 100_000_000
"""Of a notebook's file, outputs included; parsed, it takes several times as much memory."""
_MOST_METADATA = 1_000_000
_LONGEST_NAME = 1_000


@dataclass(frozen=True)
class Defaults:
    """Settings of the modernization in the notebook's own metadata (key `mle_modernizer`)."""

    competition: str | None = None
    target_score: float | None = None
    time_limit: float | None = None
    target_kind: ScoreKind = ScoreKind.GRADED
    distance: DistanceMeasure = DistanceMeasure.TARGET


@dataclass(frozen=True)
class NotebookFile:
    """A notebook's file.

    Attributes:
        path: Path of the file.
        content: Its bytes when it was read; later changes of the file are ignored.
        notebook: Its sources.
        defaults: Settings from its metadata.
        traces: Evidence of its age apart from the sources.
        saved: The saved outputs.
    """

    path: Path
    content: bytes
    notebook: Notebook
    defaults: Defaults
    traces: Traces
    saved: SavedOutputs

    def with_sources(self, after: Notebook) -> bytes:
        """Return the file with new sources; unchanged parts are the same, byte for byte.

        Args:
            after: `notebook` after edits: cells may be changed, inserted and deleted, not moved.
        """
        bom = b"\xef\xbb\xbf" if self.content.startswith(b"\xef\xbb\xbf") else b""
        text = self.content.decode("utf-8-sig")
        return bom + rewritten(text, self.notebook, after).encode("utf-8")

    def beside(self, name: str) -> bytes | None:
        """Return the content of a small file next to it that names this notebook, or None.

        Args:
            name: Of the file, such as Kaggle's `kernel-metadata.json`.
        """
        path = self.path.parent / name
        try:
            content = read_regular(path, _MOST_METADATA)
        except OSError:
            return None  # there is none that can be read, or it is too large
        return content if os.fsencode(self.path.name) in content else None

    def finished(self, after: Notebook, run: FinishedRun) -> bytes:
        """Return the file with new sources, a run's outputs, and a record of their origin.

        It is nbformat 4.5; nothing in it is trusted.

        Args:
            after: As for `with_sources`.
            run: The run with the outputs; its cells are those of `after`.
        """
        content = parse_notebook(self.with_sources(after), self.path.name)
        document, _ = notebook_from_json(content)
        fresh = {cell.cell_id: cell for cell in run.cells}
        for written, cell in zip(document.cells, after.cells, strict=True):
            written["id"] = cell.id
            made = fresh.get(cell.id)
            if made is not None and written.cell_type == "code":
                written["outputs"] = [node(dict(output)) for output in made.outputs]
                written["execution_count"] = made.execution_count
                written.metadata.pop("execution", None)
                written.metadata.pop("trusted", None)
        metadata = document.metadata
        language = metadata.get("language_info")
        metadata["language_info"] = {
            **(language if isinstance(language, dict) else {}),
            "name": "python",
            "version": run.provenance.python,
        }
        own = metadata.get(METADATA_KEY)
        metadata[METADATA_KEY] = {
            **(own if isinstance(own, dict) else {}),
            "provenance": run.provenance.model_dump(mode="json"),
        }
        return notebook_text(document).encode("utf-8", "surrogatepass") + b"\n"


def open_notebook(path: Path) -> NotebookFile:
    """Read a notebook of nbformat 3 or 4.

    Raises:
        BadInput: There is no such file, or its path is no text.
        TooLarge: It has more than `MOST_BYTES`.
        BadNotebook: It is no notebook that can be modernized.
        BadSetting: Its `mle_modernizer` metadata cannot be used.
    """
    if clean(str(path)) != str(path):
        raise BadInput(coded("notebook.name-no-text", path=clean(str(path))))
    if not is_file(path):
        what = "is not a file" if exists(path) else "does not exist"
        raise BadInput(coded("notebook.name-one", path=str(path), what=what))
    try:
        content = read_regular(path, MOST_BYTES)
    except FileTooLarge as error:
        raise TooLarge(
            coded(
                "notebook.too-large-outputs",
                path=str(path),
                size=error.size / 1000000.0,
                most_bytes=MOST_BYTES / 1000000.0,
            )
        ) from error
    except OSError as error:
        raise BadNotebook(
            coded("notebook.not-readable", path=path.name, strerror=str(error.strerror))
        ) from error
    raw = parse_notebook(content, path.name)
    document, notebook = notebook_from_json(raw, name=path.name)
    metadata = raw.get("metadata")
    own = metadata.get(METADATA_KEY) if isinstance(metadata, dict) else None
    defaults = _defaults(own, path)
    saved = saved_outputs(document, notebook)
    return NotebookFile(path, content, notebook, defaults, traces_from_json(raw), saved)


def _defaults(raw: object, path: Path) -> Defaults:
    if raw is None:
        return Defaults()
    if not isinstance(raw, dict):
        raise BadSetting(coded("notebook.metadata", metadata_key=METADATA_KEY, path=str(path)))
    competition = raw.get("competition")
    if competition is not None and not isinstance(competition, str):
        raise BadSetting(
            coded("notebook.metadata-competition", metadata_key=METADATA_KEY, path=str(path))
        )
    numbers: dict[str, float | None] = {}
    for key in ("target_score", "time_limit"):
        value = raw.get(key)
        number = finite_number(value)
        if value is not None and number is None:
            raise BadSetting(
                coded(
                    "notebook.metadata-number", metadata_key=METADATA_KEY, key=key, path=str(path)
                )
            )
        numbers[key] = number
    try:
        kind = ScoreKind(raw.get("target_kind", ScoreKind.GRADED))
        distance = DistanceMeasure(raw.get("distance", DistanceMeasure.TARGET))
    except ValueError as error:
        raise BadSetting(
            coded(
                "notebook.metadata-wrong",
                metadata_key=METADATA_KEY,
                path=str(path),
                error=clean(str(error)[:200]),
            )
        ) from error
    competition = None if competition is None else clean(competition[:_LONGEST_NAME])
    return Defaults(competition, numbers["target_score"], numbers["time_limit"], kind, distance)


def check_output(output: Path, source: Path, *, force: bool) -> None:
    """Make sure, before any work, that a file may be written.

    Raises:
        BadInput: It is the input, exists without `force`, or has no directory to lie in.
    """
    if exists(output) and exists(source) and output.samefile(source):
        raise BadInput(coded("output.is-notebook", output=str(output)))
    if is_folder(output):
        raise BadInput(coded("output.is-directory", output=str(output)))
    if exists(output) and not force:
        raise BadInput(coded("cli.output-exists", path=str(output)))
    if not is_folder(output.absolute().parent):
        raise BadInput(coded("output.no-directory", parent=str(output.parent)))


def write_file(output: Path, content: bytes) -> None:
    """Write a file in one go: it is there whole, or as it was before.

    Raises:
        BadInput: It cannot be written.
    """
    try:
        handle, name = tempfile.mkstemp(dir=output.absolute().parent, prefix=f".{output.name}.")
        temporary = Path(name)
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(content)
            umask = os.umask(0)
            os.umask(umask)
            temporary.chmod(0o666 & ~umask)  # mkstemp makes it private
            temporary.replace(output)
        except OSError:
            temporary.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise BadInput(
            coded("file.not-writable", path=str(output), why=str(error.strerror))
        ) from error
