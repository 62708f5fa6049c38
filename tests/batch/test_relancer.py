"""The script that fetches RELANCER's notebooks, on a real repository made like theirs."""

from __future__ import annotations

import csv
import importlib.util
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import nbformat
import pytest

from mle_modernizer_server.batch.manifest import read_lines

SCRIPT = Path(__file__).parents[2] / "scripts" / "relancer.py"
FRUIT = """#!/usr/bin/env python
# coding: utf-8

# # Fruit

# In[ ]:


import pandas as pd
data = pd.read_csv("../../../input/somebody_fruit/fruit.csv")


# In[12]:


data.head()
# pd.read_csv("../../../input/somebody_fruit/older.csv")
"""


@pytest.fixture
def artifact(tmp_path: Path) -> Path:
    """A repository as theirs: two scripts with their data, one without, one that leads outside."""
    root = tmp_path / "artifact"
    scripts = root / "relancer-exp" / "original_notebooks" / "somebody_fruit"
    data = root / "relancer-exp" / "input" / "somebody_fruit"
    scripts.mkdir(parents=True)
    data.mkdir(parents=True)
    (scripts / "apples.py").write_text(FRUIT)
    (scripts / "pears.py").write_text(FRUIT.replace("head", "tail"))
    (scripts / "plums.py").write_text(FRUIT.replace("fruit.csv", "lost.csv"))
    (scripts / "spy.py").write_text(FRUIT.replace("somebody_fruit/fruit.csv", "../../etc/passwd"))
    (data / "fruit.csv").write_text("name,price\napple,1\n")
    (data / "linked.csv").symlink_to("/etc/passwd")
    (data / "elsewhere.csv").write_text("version https://git-lfs.github.com/spec/v1\n")
    (scripts / "figs.py").write_text(FRUIT.replace("fruit.csv", "elsewhere.csv"))
    commit = ["-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-qm", "artifact"]
    for arguments in (["init", "-q"], ["add", "."], commit):
        subprocess.run(["git", *arguments], cwd=root, check=True)
    return root


@pytest.fixture(scope="module")
def relancer() -> Iterator[ModuleType]:
    """The script as a module."""
    spec = importlib.util.spec_from_file_location("relancer", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["relancer"] = module  # its dataclasses look there
    spec.loader.exec_module(module)
    yield module
    del sys.modules["relancer"]


def test_notebooks_with_their_data_make_a_manifest(
    relancer: ModuleType, artifact: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "work"
    lines, problems = read_lines(str(relancer.fetch(folder, str(artifact), None)))
    assert problems == []
    lines.sort(key=lambda line: line.notebook)
    assert [Path(line.notebook).name for line in lines] == [
        "somebody_fruit--apples.ipynb",
        "somebody_fruit--pears.ipynb",
    ]
    notebook = nbformat.read(lines[0].notebook, as_version=4)
    nbformat.validate(notebook)
    assert [cell.source.splitlines()[0] for cell in notebook.cells] == [
        "# # Fruit",
        "import pandas as pd",
        "data.head()",
    ]
    assert '"../input/somebody_fruit/fruit.csv"' in notebook.cells[1].source
    assert (folder / "input" / "somebody_fruit" / "fruit.csv").read_text().startswith("name")
    assert not os.path.lexists(folder / "input" / "somebody_fruit" / "linked.csv")


def test_what_cannot_be_had_is_named(relancer: ModuleType, artifact: Path, tmp_path: Path) -> None:
    relancer.fetch(tmp_path / "work", str(artifact), None)
    with (tmp_path / "work" / "left-out.csv").open() as stream:
        reasons = {row["notebook"]: row["reason"] for row in csv.DictReader(stream)}
    assert reasons == {
        "somebody_fruit--figs.ipynb": "somebody_fruit/elsewhere.csv is kept elsewhere (Git LFS)",
        "somebody_fruit--plums.ipynb": "somebody_fruit/lost.csv is not published",
        "somebody_fruit--spy.ipynb": "its data are looked for at ../../etc/passwd",
    }


def test_again_writes_nothing_again(relancer: ModuleType, artifact: Path, tmp_path: Path) -> None:
    folder = tmp_path / "work"

    def state() -> dict[Path, tuple[int, int]]:
        files = (path for path in folder.rglob("*") if path.is_file())
        return {path: (path.stat().st_ino, path.stat().st_mtime_ns) for path in files}

    relancer.fetch(folder, str(artifact), None)
    before = state()
    relancer.fetch(folder, str(artifact), None)
    assert state() == before


def test_a_sample_is_always_the_same_and_begins_a_larger_one(
    relancer: ModuleType, artifact: Path, tmp_path: Path
) -> None:
    chosen = []
    for name, most in (("one", 1), ("two", 1), ("all", None)):
        chosen.append(relancer.fetch(tmp_path / name, str(artifact), most).read_text().split())
    assert chosen[0] == chosen[1] == chosen[2][:2]
    assert len(chosen[2]) == 3


def test_a_folder_that_is_no_repository_is_refused(relancer: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(relancer.CannotFetch, match="no clone that can be read"):
        relancer.fetch(tmp_path / "work", str(tmp_path / "empty"), None)


def test_repository_that_cannot_be_cloned_is_an_error(
    relancer: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder, source = tmp_path / "work", str(tmp_path / "missing.git")
    monkeypatch.setattr(sys, "argv", [str(SCRIPT), str(folder), "--from", source])
    assert relancer.main() == 2
    assert f"{source} cannot be cloned" in capsys.readouterr().err
    assert list(folder.iterdir()) == []
