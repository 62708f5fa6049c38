"""Pipes and odd paths below the server's root: requests are answered, and no reader waits."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path
from typing import Any

import pytest

from mle_modernizer_server.web.contents import file_below, folder_below
from mle_modernizer_server.wiring import folder_below as folder_of_notebook
from mle_modernizer_server.wiring import folder_of_file
from tests.web.conftest import Fetch, code_notebook

_SECONDS = 60.0
"""Wall time; a reader that waits for a pipe never answers."""


async def test_pipes_beside_a_notebook_are_passed(api: Fetch, jp_root_dir: Path) -> None:
    for name in ("a.ipynb", "kernel-metadata.json", "requirements.txt", "pyproject.toml", "b.py"):
        os.mkfifo(jp_root_dir / name)
    asked = {"path": "a.ipynb", "notebook": code_notebook("import b\nopen('a.csv')")}
    for route, more in (("sessions", {"settings": {}}), ("detect", {}), ("environments", {})):
        answer = api(route, method="POST", body=asked | more)
        status, _, _ = await asyncio.wait_for(answer, _SECONDS)
        assert status in (200, 201), route


async def test_pipe_in_the_place_of_a_paper_is_not_found(api: Fetch, jp_root_dir: Path) -> None:
    os.mkfifo(jp_root_dir / "x.tex")
    answer = api("papers", method="POST", body={"path": "x.tex"})
    status, _, _ = await asyncio.wait_for(answer, _SECONDS)
    assert status == 404


@pytest.mark.parametrize("minor", [None, "5"])
async def test_outputs_of_a_notebook_without_minor_version_are_kept(
    api: Fetch, jp_root_dir: Path, minor: Any
) -> None:
    output = {"output_type": "stream", "name": "stdout", "text": "1\n"}
    cell = {"cell_type": "code", "id": "c0", "source": "print(1)", "outputs": [output]}
    content = {"nbformat": 4, "nbformat_minor": minor, "metadata": {}, "cells": [cell]}
    (jp_root_dir / "a.ipynb").write_text(json.dumps(content))
    asked = {"path": "a.ipynb", "notebook": code_notebook("print(1)"), "settings": {}}
    assert (await api("sessions", method="POST", body=asked))[0] == 201


@pytest.mark.parametrize("path", ["n" * 300, "loop", "a\0b", "../x", "pipe", "long"])
def test_path_that_is_no_file_has_no_folder(tmp_path: Path, path: str) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (tmp_path / "x").write_text("")
    (root / "loop").symlink_to("loop")
    (root / "long").symlink_to("n" * 300)
    os.mkfifo(root / "pipe")
    assert folder_of_notebook(root)(path) is None
    assert folder_of_file(str(root / path)) is None or path == "../x"
    assert file_below(root, path) is None
    assert folder_below(root, path) is None
