"""A session's notebook finds what lies beside it."""

from __future__ import annotations

from pathlib import Path

import pytest

from mle_modernizer_server.wiring import folder_below, folder_of_file


def test_a_servers_notebooks_lie_below_its_root(tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / "work").mkdir(parents=True)
    (root / "work" / "nb.ipynb").touch()
    (tmp_path / "other.ipynb").touch()
    (root / "link.ipynb").symlink_to(tmp_path / "other.ipynb")
    folder = folder_below(root)
    assert folder("work/nb.ipynb") == (root / "work").resolve()
    assert folder("/work/nb.ipynb") == (root / "work").resolve()
    for path in ("../other.ipynb", "link.ipynb", "RTC:work/nb.ipynb", "none.ipynb", ""):
        assert folder(path) is None


def test_a_commands_notebook_is_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "nb.ipynb").touch()
    monkeypatch.chdir(tmp_path)
    assert folder_of_file("nb.ipynb") == tmp_path.resolve()
    assert folder_of_file("none.ipynb") is None
