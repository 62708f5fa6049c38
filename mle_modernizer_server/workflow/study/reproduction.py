"""Notebook files that reproduce a paper's experiment, with the experiment in the metadata."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from pydantic import ValidationError

from mle_modernizer_server import pools
from mle_modernizer_server.domain.errors import BadInput, Conflict, first_problem
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.paper import PaperReading
from mle_modernizer_server.domain.reproduction import Experiment, Writing
from mle_modernizer_server.execution.documents import executed_notebook, notebook_text
from mle_modernizer_server.execution.notebook_file.notebook_file import METADATA_KEY
from mle_modernizer_server.papers.read import MOST_BYTES
from mle_modernizer_server.reproducing.experiment import experiment_of
from mle_modernizer_server.reproducing.skeleton import skeleton
from mle_modernizer_server.untrusted.files import read_regular
from mle_modernizer_server.untrusted.parsing import UnreadableText, read_json

_KEY = "reproduction"
_MOST_METADATA = 1_000_000
_MOST_NAMES = 100


async def draft(reading: PaperReading, paper: Path, chosen: tuple[str, ...]) -> bytes:
    """Return the file of a notebook that reproduces a paper's claims.

    Args:
        paper: Its file.
        chosen: Ids or numbers of the claims; empty: those of the best table.

    Raises:
        BadInput: There is no such claim, or none at all.
    """

    def make() -> bytes:
        begun = begin_writing(reading, paper, chosen)
        return reproduction_file(begun.experiment, begun.notebook)

    return await pools.files.run(make)


def begin_writing(reading: PaperReading, paper: Path, chosen: tuple[str, ...]) -> Writing:
    """Return the skeleton for a model to complete; as `draft`."""
    checksum = paper_checksum(paper)
    experiment = experiment_of(reading, chosen, source=paper.name, checksum=checksum)
    return Writing(experiment=experiment, notebook=skeleton(experiment))


def paper_checksum(paper: Path) -> str:
    """Return the SHA-256 of a paper's file in hex.

    Raises:
        BadInput: It cannot be read, or is too large for a paper.
    """
    try:
        return hashlib.sha256(read_regular(paper, MOST_BYTES)).hexdigest()
    except OSError as error:
        raise BadInput(
            coded("file.not-readable-why", path=paper.name, strerror=str(error.strerror))
        ) from error


def reproduction_file(experiment: Experiment, notebook: Notebook) -> bytes:
    """Return the file of a notebook with its experiment in its metadata."""
    document = executed_notebook(notebook)
    document.metadata[METADATA_KEY] = {_KEY: experiment.model_dump(mode="json")}
    return notebook_text(document).encode("utf-8", "replace") + b"\n"


def experiment_in(content: bytes, name: str) -> Experiment:
    """Return a notebook's experiment from its metadata.

    Args:
        name: Its name in messages.

    Raises:
        BadInput: It has none, or an unusable one.
    """
    try:
        document = read_json(content)
    except UnreadableText as error:
        raise BadInput(coded("reproduction.no-claims-named", name=name)) from error
    metadata = document.get("metadata") if isinstance(document, dict) else None
    own = metadata.get(METADATA_KEY) if isinstance(metadata, dict) else None
    kept = own.get(_KEY) if isinstance(own, dict) else None
    if kept is None:
        raise BadInput(coded("reproduction.no-claims-named", name=name))
    if len(json.dumps(kept)) > _MOST_METADATA:
        raise BadInput(coded("reproduction.too-large", name=name))
    try:
        return Experiment.model_validate(kept)
    except ValidationError as error:
        where, why = first_problem(error)
        raise BadInput(coded("reproduction.wrong", name=name, where=where, first=why)) from error


def write_beside(paper: Path, content: bytes) -> Path:
    """Write a notebook next to a paper, under an unused name.

    Raises:
        Conflict: Every suitable name is taken.
        BadInput: The folder is not writable.
    """
    stem = paper.name.removesuffix(".gz").rsplit(".", 1)[0] or "paper"
    for number in range(1, _MOST_NAMES):
        again = "" if number == 1 else f"-{number}"
        target = paper.with_name(f"{stem}-reproduction{again}.ipynb")
        try:
            with target.open("xb") as stream:
                stream.write(content)
        except FileExistsError:
            continue
        except OSError as error:
            raise BadInput(
                coded("file.not-writable", path=target.name, why=str(error.strerror))
            ) from error
        return target
    raise Conflict(coded("reproduction.names-used", most_names=_MOST_NAMES, paper=paper.name))
