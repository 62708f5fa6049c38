"""Notebooks of a repository: looked at before a commit, modernized on a branch on a schedule."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from mle_modernizer_server.batch.folder import StudyFolder
from mle_modernizer_server.domain.proposal import FixerName
from tests.cli.conftest import BROKEN, LOAD, START, SUBMIT_RANKED, Cli, Write

ROOT = Path(__file__).parents[2]
HOOKS = ROOT / ".pre-commit-hooks.yaml"
SCRIPT = ROOT / "examples/ci/keep-notebooks-alive.sh"
OLD = (LOAD, BROKEN, SUBMIT_RANKED)


@pytest.fixture
def repository(tmp_path: Path, write: Write, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with an old notebook in `notebooks/`; `jupyter` there is this code."""
    root = tmp_path / "repository"
    (root / "notebooks").mkdir(parents=True)
    write(*OLD, name="repository/notebooks/old.ipynb")
    write("print(1)", name="repository/notebooks/new.ipynb")
    programs = tmp_path / "programs"
    programs.mkdir()
    command = " ".join(f"'{part}'" for part in START)
    for name, shift in (("jupyter", "shift\n"), ("jupyter-modernize", "")):
        path = programs / name
        path.write_text(f'#!/bin/sh\n{shift}exec {command} "$@"\n')
        path.chmod(0o755)
    # The interpreter's own programs come after ours: `pre-commit` is among them.
    before = os.pathsep.join([str(programs), str(Path(sys.executable).parent)])
    monkeypatch.setenv("PATH", before + os.pathsep + os.environ["PATH"])
    monkeypatch.setenv("PRE_COMMIT_HOME", str(tmp_path / "pre-commit"))
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GH_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    for key, value in (("NAME", "A Person"), ("EMAIL", "person@example.org")):
        monkeypatch.setenv(f"GIT_AUTHOR_{key}", value)
        monkeypatch.setenv(f"GIT_COMMITTER_{key}", value)
    git(tmp_path, "init", "--quiet", "--bare", "remote")
    git(root, "init", "--quiet", "--initial-branch", "main")
    git(root, "remote", "add", "origin", str(tmp_path / "remote"))
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "Notebooks")
    return root


def git(folder: Path, *arguments: str) -> str:
    return subprocess.run(
        ["git", *arguments], cwd=folder, check=True, capture_output=True, text=True
    ).stdout


def sources(text: str) -> str:
    return "\n".join("".join(cell["source"]) for cell in json.loads(text)["cells"])


def test_several_notebooks_are_examined_despite_a_broken_one(
    cli: Cli, write: Write, tmp_path: Path
) -> None:
    old, new = write(*OLD), write("print(1)", name="new.ipynb")
    broken = tmp_path / "broken.ipynb"
    broken.write_text("{")
    ended = cli("preflight", new, old)
    assert ended.code == 1
    assert f"{old}:" in ended.out and f"{new}:" in ended.out
    assert "time.clock was removed in Python 3.8" in ended.out
    found = json.loads(cli("preflight", new, old, "--json").out)
    assert [(one["notebook"], one["stops"]) for one in found] == [(str(new), 0), (str(old), 1)]
    ended = cli("preflight", broken, old)
    assert ended.code == 2
    assert "broken.ipynb is not a notebook" in ended.err
    assert "time.clock was removed in Python 3.8" in ended.out
    with pytest.raises(SystemExit):
        cli("preflight", new, old, "--fix", tmp_path / "fixed.ipynb")


@pytest.mark.thorough
def test_the_pre_commit_hook_stops_what_will_break(repository: Path) -> None:
    [hook] = yaml.safe_load(HOOKS.read_text())
    local = {"repos": [{"repo": "local", "hooks": [hook]}]}
    (repository / ".pre-commit-config.yaml").write_text(yaml.safe_dump(local))

    def run(*files: str) -> subprocess.CompletedProcess[str]:
        command = ["pre-commit", "run", "--files", *files]
        return subprocess.run(command, cwd=repository, check=False, capture_output=True, text=True)

    stopped = run("notebooks/old.ipynb", "notebooks/new.ipynb")
    assert stopped.returncode == 1, stopped.stdout + stopped.stderr
    assert "time.clock" in stopped.stdout
    assert run("notebooks/new.ipynb").returncode == 0


@pytest.mark.xdist_group("batch")
def test_a_scheduled_batch_puts_what_rules_mended_on_a_branch(
    repository: Path, tmp_path: Path, cli: Cli
) -> None:
    old = repository / "notebooks/old.ipynb"
    before = old.read_bytes()

    def run() -> subprocess.CompletedProcess[str]:
        command = ["sh", str(SCRIPT), "notebooks", "--workers", "1", "--files-beside", "none"]
        return subprocess.run(command, cwd=repository, check=False, capture_output=True, text=True)

    ended = run()
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "1 of 1 modernized notebooks applied" in ended.stdout
    remote = tmp_path / "remote"
    changed = git(remote, "show", "--name-only", "--format=%s", "modernize-notebooks").split("\n")
    assert changed == ["Modernize notebooks for today's libraries", "", "notebooks/old.ipynb", ""]
    assert "time.perf_counter" in sources(
        git(remote, "show", "modernize-notebooks:notebooks/old.ipynb")
    )
    assert git(repository, "show", "main:notebooks/old.ipynb").encode() == before
    assert (repository / "modernize-study/report.html").exists()

    again = cli("batch", "--apply", repository / "modernize-study")
    assert (again.code, "already contains the changes" in again.out) == (0, True)
    git(repository, "switch", "--quiet", "main")
    old.write_text(old.read_text().replace("ranked = list", "# Mine.\\nranked = list"))
    mine = old.read_bytes()
    left = cli("batch", "--apply", repository / "modernize-study")
    assert (left.code, "changed since the batch read it" in left.out) == (1, True)
    assert old.read_bytes() == mine
    refused = run()
    assert refused.returncode == 2 and "commit them first" in refused.stderr

    old.write_bytes(before)
    study = StudyFolder(repository / "modernize-study")
    [result] = [one for one in study.results() if one.modernized]
    assert result.facts is not None
    by_model = tuple(fix.model_copy(update={"fixer": FixerName.LLM}) for fix in result.facts.fixes)
    facts = result.facts.model_copy(update={"fixes": by_model})
    study.keep(result.model_copy(update={"facts": facts}))
    assert "a language model wrote" in cli("batch", "--apply", study.root).out
    assert old.read_bytes() == before
    assert cli("batch", "--apply", study.root, "--with-model").code == 0
    assert "time.perf_counter" in sources(old.read_text())


def test_a_folder_of_no_batch_is_refused(cli: Cli, tmp_path: Path) -> None:
    ended = cli("batch", "--apply", tmp_path)
    assert ended.code == 2 and "not a batch folder" in ended.err
