"""Hashes of the files a score rests on."""

from __future__ import annotations

import hashlib
from pathlib import Path

from mle_modernizer_server.domain.competition import Competition
from mle_modernizer_server.grading.csv_table import opened
from mle_modernizer_server.grading.description import FILE_NAME
from mle_modernizer_server.grading.refusal import InvalidSubmission
from mle_modernizer_server.untrusted.files import resolved

_MOST_BYTES = 1 << 40
_BLOCK = 1 << 20


def file_hash(path: Path, most_bytes: int = _MOST_BYTES) -> str:
    """Return the SHA-256 of a regular file's bytes in hex.

    Raises:
        InvalidSubmission: It is not there, a link, a pipe or a device, or larger than that.
    """
    digest = hashlib.sha256()
    with opened(path, most_bytes) as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def seal(competition: Competition, root: Path) -> str:
    """Return one hash over the answers and the description of a competition.

    Taken before a notebook runs and compared before its submission is graded: a notebook in a
    sandbox that does not isolate could have rewritten them.
    """
    folder = root / competition.id
    digest = hashlib.sha256(competition.model_dump_json().encode())
    for name in (competition.answers, FILE_NAME):
        path = resolved(folder / name) or folder / name
        try:
            digest.update(file_hash(path).encode())
        except InvalidSubmission as error:  # absent, a link, a pipe: reported by the reader
            digest.update(str(error).encode())
    return digest.hexdigest()
