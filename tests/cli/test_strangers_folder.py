"""A command in a stranger's folder starts nothing of it outside the sandbox."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Cli, Write
from tests.strangers_folder import StrangersFolder


@pytest.fixture
def folder(tmp_path: Path) -> StrangersFolder:
    return StrangersFolder(tmp_path, tmp_path.parent / f"{tmp_path.name}-ran")


def test_linked_interpreter_is_not_started_for_a_run(
    cli: Cli, write: Write, folder: StrangersFolder
) -> None:
    folder.program("tools/python3")
    folder.environment()
    path = write("print(1)")
    for named in (".venv", ".venv/bin/python", str(folder.root / ".venv"), "tools/python3"):
        ended = cli("run", path, "--environment", named)
        assert ended.code == 3
        assert "none that this machine lists" in ended.err
    ended = cli("environments", "--for", path)
    assert "none that this machine lists" in ended.out
    assert not folder.mark.exists()


@pytest.mark.parametrize("name", ["re", "json", "importlib", "typing"])
def test_module_named_like_pythons_is_not_imported(
    cli: Cli, write: Write, folder: StrangersFolder, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    folder.module(name)
    monkeypatch.chdir(folder.root)
    assert cli("preflight", write("import json")).code == 0
    assert not folder.mark.exists()
