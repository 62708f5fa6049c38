"""Kaggle's absolute paths in a plain process: mapped where they are paths, and back."""

from __future__ import annotations

from pathlib import Path

import pytest

from mle_modernizer_server.execution.sandboxes.process import Process
from mle_modernizer_server.execution.sandboxes.workspace import Mounts

MOUNTS = Mounts(
    working=Path("/tmp/m/kaggle/working"),
    runtime=Path("/tmp/m/runtime"),
    competition="slug",
    public=Path("/data/slug/prepared/public"),
    packages=Path("/tmp/m/packages"),
)


@pytest.mark.parametrize(
    ("source", "mapped"),
    [
        ("open('/kaggle/input/a.csv')", "open('/tmp/m/kaggle/input/a.csv')"),
        ("os.listdir('/kaggle')", "os.listdir('/tmp/m/kaggle')"),
        ('os.walk("/kaggle/input/")', 'os.walk("/tmp/m/kaggle/input/")'),
        ("!ls -la /kaggle/working | wc", "!ls -la /tmp/m/kaggle/working | wc"),
        ("%cd /kaggle/working", "%cd /tmp/m/kaggle/working"),
        ("# see https://www.kaggle.com/kaggle/input", "# see https://www.kaggle.com/kaggle/input"),
        ("'/home/kaggle/input'", "'/home/kaggle/input'"),
        ("'../kaggle/input'", "'../kaggle/input'"),
        ("'/kaggle/input_2'", "'/kaggle/input_2'"),
        ("'/kaggle.json'", "'/kaggle.json'"),
    ],
)
def test_paths_are_mapped_and_nothing_else(source, mapped):
    assert Process().localize(source, MOUNTS) == mapped


def test_what_is_shown_has_kaggles_paths():
    text = (
        "/tmp/m/kaggle/working/x /data/slug/prepared/public/train.csv /tmp/m/packages/six.py /tmp/z"
    )
    assert Process().delocalize(text, MOUNTS) == (
        "/kaggle/working/x /kaggle/input/slug/train.csv /kaggle/packages/six.py /tmp/z"
    )
