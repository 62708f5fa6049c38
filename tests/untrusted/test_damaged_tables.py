"""Damaged tables, packed or not: every reader refuses them, or reads what is left."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import random
import shutil
import zipfile
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mle_modernizer_server.execution.differential.data_head import copy_head
from mle_modernizer_server.execution.sampling import tables
from mle_modernizer_server.grading.csv_table import read_table
from mle_modernizer_server.grading.data_preview import data_preview
from mle_modernizer_server.grading.refusal import InvalidSubmission
from mle_modernizer_server.untrusted.archives import UNREADABLE
from tests.thoroughness import tries

_TABLE = b"a,b\n" + b"1,2\n" * 200


def _zipped(method: int) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as packed:
        packed.writestr("träin.csv", _TABLE)
    return made.getvalue()


_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
_FILES = (
    ("train.csv", _TABLE),
    *((f"train{method}.csv.zip", _zipped(method)) for method in _METHODS),
    ("train.csv.gz", gzip.compress(_TABLE)),
    ("train.csv.bz2", bz2.compress(_TABLE)),
    ("train.csv.xz", lzma.compress(_TABLE)),
    ("train.jsonl", b'{"a": 1}\n{"a": 2}\n'),
)


def _damaged(content: bytes, chance: random.Random) -> bytes:
    changed = bytearray(content)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(changed))
        deed = chance.randrange(4)
        if deed == 0:
            changed = changed[: at + 1]
        elif deed == 1:
            changed[at : at + 4] = b"\xff\xff\xff\xff"
        else:
            changed[at : at + deed] = chance.randbytes(2)
    return bytes(changed)


@given(seed=st.integers(0, 2**32), file=st.sampled_from(_FILES))
@settings(max_examples=tries(150, 5_000))
def test_damaged_table_is_refused_or_read(
    tmp_path_factory: pytest.TempPathFactory, seed: int, file: tuple[str, bytes]
) -> None:
    folder = tmp_path_factory.getbasetemp() / "damaged"
    shutil.rmtree(folder, ignore_errors=True)
    public = folder / "public"
    public.mkdir(parents=True)
    path = public / file[0]
    path.write_bytes(_damaged(file[1], random.Random(seed)))
    with suppress(InvalidSubmission):
        read_table(path)
    table = tables.read_table(path, path.name)
    with suppress(OSError, tables.NoTable, *UNREADABLE):
        list(table.records() if table is not None else ())
    assert path.name in data_preview(public) or not path.name.endswith((".csv", ".gz"))
    copy_head(public, folder / "head", 5)
