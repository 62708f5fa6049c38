"""`jupyter modernize environments`, and the words it uses."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from mle_modernizer_server.cli.terminal.environment_text import (
    choice_line,
    found_line,
    made_line,
    refused_line,
    remark_line,
)
from mle_modernizer_server.domain.environment import (
    ChoiceReason,
    EnvironmentChoice,
    EnvironmentOrder,
    EnvironmentOrigin,
    EnvironmentRemark,
    EnvironmentTrouble,
    FoundEnvironment,
    MadeEnvironment,
    MakingProblem,
    MakingProgress,
    MakingStep,
    Refusal,
    RefusedRequirement,
    RemarkCode,
)
from mle_modernizer_server.environments import kernels
from mle_modernizer_server.environments.making import Maker
from mle_modernizer_server.environments.store import KeptEnvironments
from mle_modernizer_server.environments.uv import Uv
from mle_modernizer_server.words import text
from mle_modernizer_server.workflow.environments import step_message
from tests.cli.conftest import Cli, Write
from tests.environments.wheels import Wheels


@pytest.fixture(autouse=True)
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> KeptEnvironments:
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "jupyter"))
    monkeypatch.setenv("MLE_MODERNIZER_MAKE_ENVIRONMENTS", "yes")
    return KeptEnvironments(tmp_path / "jupyter" / "mle-modernizer" / "environments")


def test_what_a_notebook_has_here_is_said(cli: Cli, write: Write, tmp_path: Path) -> None:
    (tmp_path / "visuals.py").touch()
    path = write("import numpy, visuals", "import stop_words\n!pip install -e . /tmp/x")
    ended = cli("environments", "--for", path)
    assert ended.code == 1
    assert "one will be made for this notebook: 1 package is missing here: stop-words" in ended.out
    assert "Needs: numpy, stop-words" in ended.out
    assert "Its own modules: visuals" in ended.out
    assert "'-e .' is not followed (an option of pip)" in ended.out
    assert "the server's Python" in ended.out
    assert "lacks stop_words" in ended.out
    report = json.loads(cli("environments", "--for", path, "--json").out)
    assert report["choice"]["missing"] == ["stop-words"]
    assert not (tmp_path / "jupyter" / "mle-modernizer").exists(), "asking makes nothing"


def test_a_notebook_that_has_all_is_said_so(cli: Cli, write: Write) -> None:
    ended = cli("environments", "--for", write("import numpy, json"))
    assert ended.code == 0
    assert "the server's Python: its one import is there" in ended.out


def test_a_name_no_table_knows_is_asked_for(cli: Cli, write: Write) -> None:
    ended = cli("environments", "--for", write("import numpyy"))
    assert ended.code == 1
    assert "never installed by itself" in ended.out
    assert "the package of numpyy is not known" in ended.out


def test_made_ones_are_listed_and_removed(cli: Cli, kept: KeptEnvironments, tmp_path: Path) -> None:
    assert "No environment has been made yet." in cli("environments").out
    wheels = Wheels(tmp_path / "index")
    wheels.add("alpha", "1.0")
    made = Maker(kept, uv=Uv(wheels.indexes)).make(EnvironmentOrder(requirements=("alpha",)))
    ended = cli("environments")
    assert made.id in ended.out
    assert "alpha 1.0" in ended.out
    assert "just now" in ended.out
    assert json.loads(cli("environments", "--json").out)[0]["id"] == made.id
    (kept.folder(made.id) / "pylock.toml").write_text("")
    assert "not as it was made" in cli("environments").out
    assert cli("environments", "--remove", made.id).code == 0
    assert kept.broken() == ()
    ended = cli("environments", "--remove", made.id)
    assert (ended.code, "There is no environment" in ended.err) == (2, True)


def test_one_that_a_kernel_of_the_menu_runs_in_stays(
    cli: Cli, write: Write, kept: KeptEnvironments, tmp_path: Path
) -> None:
    made = Maker(kept, uv=Uv(Wheels(tmp_path / "index").indexes)).make(
        EnvironmentOrder(requirements=())
    )
    path = write("x = 1")
    kernels.install(str(path), "Python of its time", kept.interpreter(made), made)
    ended = cli("environments", "--remove", made.id)
    assert (ended.code, "remove the kernel first" in ended.err) == (3, True)
    ended = cli("backport", path, "--remove")
    assert (ended.code, made.id in ended.out) == (0, True)
    assert cli("environments", "--remove", made.id).code == 0
    ended = cli("backport", path, "--remove")
    assert (ended.code, "No kernel was added to the menu" in ended.err) == (2, True)


@pytest.mark.thorough
def test_uvs_cache_is_told_and_made_smaller(
    cli: Cli, kept: KeptEnvironments, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UV_CACHE_DIR", str(tmp_path / "uv-cache"))
    wheels = Wheels(tmp_path / "index")
    wheels.add("old", "1.0", files={"old.py": "#" * 3_000_000})
    wheels.add("new", "1.0", files={"new.py": "#" * 3_000_000})
    for name in ("old", "new"):
        made = Maker(kept, uv=Uv(wheels.indexes)).make(EnvironmentOrder(requirements=(name,)))
        for folder in (tmp_path / "uv-cache").glob(f"wheels-*/*/*/{name}"):
            os.utime(folder, (0, 0) if name == "old" else None)
    assert "12 MB in" in cli("environments", "--cache").out, "uv unpacks local wheels twice"
    ended = cli("environments", "--prune", "7m")
    assert "uv's cache had 12 MB and has 6 MB" in ended.out
    assert len(kept.all()) == 2, "they are below the size"
    assert kept.get(made.id).id == made.id
    files = {path.name for path in (tmp_path / "uv-cache").glob("archive-*/*/*.py")}
    assert "new.py" in files and "old.py" not in files
    assert "Removed" in cli("environments", "--prune", "1k").out


def test_wrong_usage_is_refused(cli: Cli) -> None:
    with pytest.raises(SystemExit) as caught:
        cli("environments", "--make", "own")
    assert caught.value.code == 2


ML = FoundEnvironment(name="ml", origin=EnvironmentOrigin.CONDA, interpreter="/p", python="3.7.1")
SERVER = FoundEnvironment(name="server", origin=EnvironmentOrigin.SERVER, interpreter="/p")
MADE = FoundEnvironment(name="0a", origin=EnvironmentOrigin.MADE, interpreter="/p")


@pytest.mark.parametrize(
    ("choice", "line"),
    [
        (
            EnvironmentChoice(reason=ChoiceReason.OWN_KERNEL, environment=ML, imports=9),
            "conda env `ml`: all 9 imports are there",
        ),
        (
            EnvironmentChoice(
                reason=ChoiceReason.MAKE, compared="server", missing=("catboost", "stop-words")
            ),
            "one will be made for this notebook: 2 packages are missing here: catboost, stop-words",
        ),
        (
            EnvironmentChoice(
                reason=ChoiceReason.MADE, environment=MADE, compared="ml", missing=("catboost",)
            ),
            "made for this notebook, 0a: 1 package is missing in ml: catboost",
        ),
        (
            EnvironmentChoice(
                reason=ChoiceReason.NOTHING_TO_ADD, environment=SERVER, unknown=("a", "b")
            ),
            "the server's Python: the package of a, b is not known",
        ),
        (
            EnvironmentChoice(
                reason=ChoiceReason.NOT_MADE,
                environment=SERVER,
                missing=("catboost",),
                problem=MakingProblem.NETWORK,
                detail="The package index cannot be reached.",
            ),
            "the server's Python, because none could be made: 1 package is missing here: "
            "catboost. The package index cannot be reached.",
        ),
        (
            EnvironmentChoice(reason=ChoiceReason.ASKED, environment=ML, imports=2),
            "conda env `ml`, as asked: all 2 imports are there",
        ),
        (
            EnvironmentChoice(reason=ChoiceReason.ASKED, environment=ML, missing=("catboost",)),
            "conda env `ml`, as asked: 1 package is missing here: catboost "
            "(--environment own makes one with catboost)",
        ),
        (
            EnvironmentChoice(reason=ChoiceReason.ASKED, environment=ML, unknown=("mine",)),
            "conda env `ml`, as asked: the package of mine is not known",
        ),
    ],
)
def test_a_choice_is_one_line(choice: EnvironmentChoice, line: str) -> None:
    assert choice_line(choice) == line


def test_every_code_has_words() -> None:
    for trouble in EnvironmentTrouble:
        assert found_line(ML.model_copy(update={"trouble": trouble})).startswith("conda env `ml`")
    for code in RemarkCode:
        remark = EnvironmentRemark(code=code, package="alpha", wanted="3.5", used="3.6.15")
        assert len(remark_line(remark)) > 20
    for refusal in Refusal:
        line = refused_line(RefusedRequirement(text="\x1b[2Jx", origin="f", refusal=refusal))
        assert "is not followed" in line
        assert "\x1b" not in line
    lines = {
        step: text(step_message(MakingProgress(step=step, packages=3, size=250_000_000)))
        for step in MakingStep
    }
    assert lines[MakingStep.INSTALLING] == "Preparing an environment (3 packages, at most 250 MB)"
    assert all(lines.values())
    begins = step_message(MakingProgress(step=MakingStep.BEGINNING), ("nltk", "wordcloud"))
    assert text(begins).startswith("Missing: nltk, wordcloud. ")
    made = MadeEnvironment(
        id="0a",
        order=EnvironmentOrder(requirements=("alpha<2", "beta")),
        created=0,
        python="3.7.16",
        base="/p",
        directories=(),
        versions={"alpha": "1.0"},
        lock="",
    )
    assert made_line(made) == "Python 3.7.16, today's packages: alpha 1.0"
