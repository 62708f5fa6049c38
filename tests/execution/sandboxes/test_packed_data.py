"""The competition's data as a container on another machine gets them."""

from __future__ import annotations

import io
import os
import tarfile
from pathlib import Path

from mle_modernizer_server.execution.sandboxes.docker.volumes import _pack
from mle_modernizer_server.execution.sandboxes.workspace import Mounts


def test_links_that_lead_out_and_pipes_are_left_out(tmp_path: Path) -> None:
    public = tmp_path / "public"
    (public / "images").mkdir(parents=True)
    (public / "train.csv").write_text("a\n1\n")
    (public / "images" / "1.png").write_bytes(b"x" * 100_000)
    (public / "inner.csv").symlink_to("train.csv")
    (tmp_path / "secret").write_text("secret")
    (public / "out.csv").symlink_to(tmp_path / "secret")
    (public / "images" / "up").symlink_to("..")
    (public / "loop").symlink_to("loop")
    (public / "long").symlink_to("n" * 300)
    os.mkfifo(public / "pipe.csv")
    packed = io.BytesIO()
    mounts = Mounts(tmp_path, tmp_path, competition="tiny", public=public)
    with tarfile.open(fileobj=packed, mode="w", dereference=True) as archive:
        _pack(archive, mounts, (1000, 1000))
    packed.seek(0)
    with tarfile.open(fileobj=packed) as archive:
        found = {
            entry.name.partition("/input/tiny/")[2]: archive.extractfile(entry).read()  # type: ignore[union-attr]
            for entry in archive
            if entry.isreg()
        }
        names = [name.partition("/input/tiny/")[2] for name in archive.getnames()]
    assert found == {
        "train.csv": b"a\n1\n",
        "inner.csv": b"a\n1\n",
        "images/1.png": b"x" * 100_000,
    }
    assert "images" in names
