"""What Pythons are on a machine: asked without importing anything, a stranger's never started."""

from __future__ import annotations

import json
import site
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from mle_modernizer_server.domain.environment import (
    ChoiceReason,
    EnvironmentOrigin,
    EnvironmentTrouble,
    FoundEnvironment,
    Requirement,
    Requirements,
    RequirementSource,
)
from mle_modernizer_server.environments import interpreter
from mle_modernizer_server.environments.bounded import Finished, bounded
from mle_modernizer_server.environments.choose import asked, choose
from mle_modernizer_server.environments.discovery import Search, server
from mle_modernizer_server.environments.interpreter import InterpreterAnswer, NoAnswer, ask
from mle_modernizer_server.environments.uv import Indexes, Uv
from tests.environments.wheels import Wheels


@pytest.fixture(autouse=True)
def _no_other_kernels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path / "jupyter"))


def virtual(place: Path, wheels: Wheels | None = None, *packages: str) -> Path:
    """A virtual environment, and its interpreter."""
    uv = Uv(wheels.indexes if wheels else Indexes())
    assert uv.run(("venv", "--python", sys.executable, str(place))).code == 0
    python = place / "bin" / "python"
    if packages:
        done = uv.run(("pip", "install", "--python", str(python), *packages), indexed=True)
        assert done.code == 0, done.stderr
    return python


def kernelspec(tmp_path: Path, name: str, python: Path, module: str = "ipykernel_launcher") -> None:
    place = tmp_path / "jupyter" / "kernels" / name
    place.mkdir(parents=True)
    argv = [str(python), "-m", module, "-f", "{connection_file}"]
    spec = {"argv": argv, "display_name": name, "language": "python"}
    (place / "kernel.json").write_text(json.dumps(spec))


def test_a_kernelspec_tells_its_python_and_what_it_has(tmp_path: Path, wheels: Wheels) -> None:
    wheels.add("alpha", "1.5")
    python = virtual(tmp_path / "ml", wheels, "alpha", "ipykernel")
    kernelspec(tmp_path, "ml", python)
    found = {item.name: item for item in Search(("alpha", "json", "gamma"), None).all()}
    ml = found["ml"]
    assert ml.origin is EnvironmentOrigin.KERNEL
    assert ml.trouble is None
    assert ml.packages == {"alpha": "1.5", "json": ""}
    assert ml.missing == ("gamma",)
    assert ml.ipykernel == "6.29.0"
    assert ml.python == ".".join(map(str, sys.version_info[:3]))
    assert str(tmp_path / "ml") in ml.directories
    assert found["server"].missing == ("alpha", "gamma")


def test_nothing_is_imported_by_the_question(tmp_path: Path, wheels: Wheels) -> None:
    proof = tmp_path / "it-ran"
    line = f"import pathlib; pathlib.Path({str(proof)!r}).touch()\n"
    wheels.add("alpha", "1.5", files={"alpha/__init__.py": line})
    python = virtual(tmp_path / "ml", wheels, "alpha")
    answer = ask(python, ("alpha",))
    assert isinstance(answer, InterpreterAnswer)
    assert answer.packages == {"alpha": "1.5"}
    assert not proof.exists()


def test_an_answer_is_kept_until_something_is_installed(
    tmp_path: Path, wheels: Wheels, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheels.add("alpha", "1.5")
    python = virtual(tmp_path / "ml")
    calls: list[object] = []

    def counted(command: Sequence[str], environ: dict[str, str], *, limit: float) -> Finished:
        calls.append(command)
        return bounded(command, environ, limit=limit)

    monkeypatch.setattr(interpreter, "bounded", counted)
    for _ in range(3):
        answer = ask(python, ("alpha", "json"))
    assert isinstance(answer, InterpreterAnswer)
    assert (len(calls), answer.packages) == (1, {"json": ""})
    done = Uv(wheels.indexes).run(
        ("pip", "install", "--python", str(python), "alpha"), indexed=True
    )
    assert done.code == 0
    answer = ask(python, ("alpha",))
    assert isinstance(answer, InterpreterAnswer)
    assert answer.packages == {"alpha": "1.5"}


@pytest.mark.parametrize(
    ("text", "trouble"),
    [
        ("#!/bin/sh\necho 'Unknown option: -I' >&2\nexit 2\n", EnvironmentTrouble.TOO_OLD),
        ("#!/bin/sh\necho hello\n", EnvironmentTrouble.NO_ANSWER),
        ("#!/bin/sh\necho 'mle-modernizer-environment:{}'\n", EnvironmentTrouble.NO_ANSWER),
        ("no program", EnvironmentTrouble.NO_ANSWER),
    ],
)
def test_what_does_not_answer_like_a_python_is_told_so(
    tmp_path: Path, text: str, trouble: EnvironmentTrouble
) -> None:
    python = tmp_path / "python"
    python.write_text(text)
    python.chmod(0o755)
    assert ask(python, ()) == NoAnswer(trouble)
    assert ask(tmp_path / "nowhere", ()) == NoAnswer(EnvironmentTrouble.NO_INTERPRETER)


def test_pythons_variables_of_the_server_do_not_reach_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "planted.py").touch()
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    answer = ask(Path(sys.executable), ("planted",), user_site=site.getusersitepackages())
    assert isinstance(answer, InterpreterAnswer)
    assert answer.packages == {}


def test_environment_next_to_the_notebook_is_never_started(tmp_path: Path, wheels: Wheels) -> None:
    wheels.add("alpha", "1.5")
    folder = tmp_path / "downloaded"
    virtual(folder / ".venv", wheels, "alpha", "ipykernel")
    proof = tmp_path / "it-ran"
    for name in ("python", "python3"):
        python = folder / ".venv" / "bin" / name
        python.unlink()
        python.write_text(f"#!/bin/sh\ntouch {proof}\n")
        python.chmod(0o755)
    (found,) = [
        item
        for item in Search(("alpha", "gamma"), folder).all()
        if item.origin is EnvironmentOrigin.BESIDE
    ]
    assert (found.name, found.packages, found.missing) == (".venv", {"alpha": "1.5"}, ("gamma",))
    assert Search(("alpha",), folder).named(".venv") is not None
    assert Search(("alpha",), folder).named(str(folder / ".venv" / "bin" / "python")) is not None
    assert not proof.exists()


def test_base_path_of_a_downloaded_environment_is_not_trusted(
    tmp_path: Path, wheels: Wheels
) -> None:
    folder = tmp_path / "downloaded"
    virtual(folder / "venv", wheels, "ipykernel")
    secret = tmp_path / "home" / ".ssh"
    secret.mkdir()
    config = folder / "venv" / "pyvenv.cfg"
    config.write_text(f"home = {secret}\nversion = 3.9.1\n")
    found = Search((), folder).named("venv")
    assert found is not None
    assert not any(
        str(secret) in place or place == str(secret.parent) for place in found.directories
    )
    python = folder / "venv" / "bin" / "python"
    python.unlink()
    python.symlink_to("/bin/sh")
    again = Search((), folder).named("venv")
    assert again is not None
    assert again.trouble is not None


def test_a_conda_environment_is_found_by_its_name(tmp_path: Path, wheels: Wheels) -> None:
    place = tmp_path / "home" / "miniconda3" / "envs" / "ml"
    virtual(place, wheels, "ipykernel")
    (place / "conda-meta").mkdir()
    (found,) = [item for item in Search((), None).all() if item.origin is EnvironmentOrigin.CONDA]
    assert (found.name, found.ipykernel) == ("ml", "6.29.0")
    assert Search((), None).named("ml") == found


def test_the_servers_kernelspec_is_the_server(tmp_path: Path) -> None:
    kernelspec(tmp_path, "mine", Path(sys.executable))
    found = Search(("json",)).kernel("mine")
    assert found == server(("json",))
    assert [item.name for item in Search((), None).all()] == ["server"]


def test_kernels_that_are_no_ipython_are_left_out(tmp_path: Path) -> None:
    kernelspec(tmp_path, "bash", Path("/bin/sh"), module="bash_kernel")
    assert Search(()).kernel("bash") is None
    assert Search(()).kernel("nowhere") is None
    assert Search((), None).named("/nowhere") is None


def found(name: str, *missing: str, origin: EnvironmentOrigin) -> FoundEnvironment:
    return FoundEnvironment(name=name, origin=origin, interpreter="/python", missing=missing)


NEEDS = Requirements(
    packages=(
        Requirement(name="catboost", imports=("catboost",), source=RequirementSource.IMPORT),
        Requirement(name="stop-words", imports=("stop_words",), source=RequirementSource.IMPORT),
        Requirement(
            name="lightgbm", imports=("lightgbm",), source=RequirementSource.IMPORT, optional=True
        ),
    ),
    unknown=("strange",),
)


def test_own_kernel_precedes_the_server_and_a_made_environment() -> None:
    own = found("ml", origin=EnvironmentOrigin.KERNEL)
    here = found("server", origin=EnvironmentOrigin.SERVER)
    lacking = found("ml", "catboost", "strange", origin=EnvironmentOrigin.KERNEL)
    bare = found("server", "catboost", "stop_words", "strange", origin=EnvironmentOrigin.SERVER)
    assert choose((here, own), NEEDS, "ml").reason is ChoiceReason.OWN_KERNEL
    assert choose((here, lacking), NEEDS, "ml").reason is ChoiceReason.SERVER
    made = choose((bare, lacking), NEEDS, "ml")
    assert (made.reason, made.environment, made.compared) == (ChoiceReason.MAKE, None, "ml")
    assert (made.missing, made.unknown, made.imports) == (("catboost",), ("strange",), 3)
    made = choose((bare, own), NEEDS, "other")
    assert (made.compared, made.missing) == ("server", ("catboost", "stop-words"))
    only = found("server", "strange", origin=EnvironmentOrigin.SERVER)
    choice = choose((only,), NEEDS, "")
    assert (choice.reason, choice.environment) == (ChoiceReason.NOTHING_TO_ADD, only)
    assert asked(bare, NEEDS).missing == ("catboost", "stop-words")
