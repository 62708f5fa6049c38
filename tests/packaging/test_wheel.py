"""The wheel: what is in it, and that `pip install` of it is all an installation takes.

The wheel is built from a copy of the sources and installed into an empty environment from which
Node.js cannot be reached. The front end in it is the one that `make setup` has built, where there
is one. In `make test-all` nothing was built before; the packages that the front end is built with
(`node_modules`) are those of the checkout, where it has them: the lock file's in either case.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from mle_modernizer_server import __version__
from mle_modernizer_server.environments.uv import Uv
from tests.thoroughness import THOROUGH

pytestmark = pytest.mark.xdist_group("wheel")  # built once, by one worker

ROOT = Path(__file__).parents[2]
FRONT_END = ROOT / "mle_modernizer_server" / "labextension"
IS_BUILT = not THOROUGH and (FRONT_END / "static" / "style.js").is_file()
"""Whether the front end is taken as it is."""
GENERATED = (
    "mle_modernizer_server/web/schema.json",
    "schema/plugin.json",
    "src/api/types.ts",
    "src/words/messages.ts",
)
NOT_SOURCES = {
    ROOT: {"node_modules", "lib", "build", "dist"},
    ROOT / "examples": {"data"},
    ROOT / "ui-tests": {"test-results"},  # written and removed by tests beside these
    FRONT_END.parent: {"_version.py", *(() if IS_BUILT else (FRONT_END.name,))},
    **({} if IS_BUILT else {ROOT / Path(name).parent: {Path(name).name} for name in GENERATED}),
}
"""Names of what is made from the sources or beside them, by folder; hidden folders are too."""


def run(*command: str, env: dict[str, str] | None = None, cwd: Path | None = None) -> str:
    """Standard output and error of a command that must succeed."""
    done = subprocess.run(
        command, env=env, cwd=cwd, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def not_sources(folder: str, names: list[str]) -> set[str]:
    """What of a folder is not to be copied: a wheel must be built from the sources alone."""
    made = NOT_SOURCES.get(Path(folder), set()) | {"__pycache__"}
    return {
        name
        for name in names
        if name in made
        or name.endswith((".tsbuildinfo", ".map"))
        or (name.startswith(".") and Path(folder, name).is_dir())  # environments of gigabytes
    }


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, by way of the sdist, as a release is built."""
    folder = tmp_path_factory.mktemp("wheel")
    sources = folder / "sources"
    shutil.copytree(ROOT, sources, ignore=not_sources)
    if not IS_BUILT and os.name == "posix" and (ROOT / "node_modules").is_dir():
        # Hard links; on another file system they are fetched anew.
        subprocess.run(["cp", "-al", str(ROOT / "node_modules"), str(sources)], check=False)
    if IS_BUILT:  # an editable installation leaves it there
        (sources / FRONT_END.relative_to(ROOT) / "install.json").write_text("{}")
    command = ("build", "--out-dir", str(folder / "dist"), str(sources))
    done = Uv().run(command, indexed=True, limit=1800)
    assert done.code == 0, done.stderr
    (built,) = (folder / "dist").glob("*.whl")
    return built


def test_sdist_holds_the_generated_files(wheel: Path) -> None:
    (sdist,) = wheel.parent.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert set(GENERATED) <= names


@pytest.fixture(scope="module")
def names(wheel: Path) -> list[str]:
    """The files in the wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return archive.namelist()


@pytest.fixture(scope="module")
def environment(
    wheel: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, dict[str, str]]:
    """Directory of the programs of a new environment with the wheel, and variables without Node."""
    folder = tmp_path_factory.mktemp("environment")
    programs = folder / "venv" / ("Scripts" if os.name == "nt" else "bin")
    home = folder / "home"
    home.mkdir()
    kept = {name: value for name, value in os.environ.items() if name.startswith("TMP")}
    uv = Uv()
    for command in (
        ("venv", "--python", sys.executable, str(folder / "venv")),
        ("pip", "install", "--python", str(programs / "python"), "jupyterlab>=4.6,<5", str(wheel)),
    ):
        done = uv.run(command, indexed=command[0] == "pip")
        assert done.code == 0, done.stderr
    variables = {**kept, "PATH": str(programs), "HOME": str(home)}
    return programs, variables


def test_the_wheel_holds_the_data_its_code_reads(names: list[str]) -> None:
    package = "mle_modernizer_server"
    assert f"{package}/py.typed" in names
    assert f"{package}/web/schema.json" in names
    assert f"{package}/web/session_event.yaml" in names
    kept = [
        path.relative_to(ROOT).as_posix()
        for suffix in ("*.j2", "*.yaml", "*.json")
        for path in (ROOT / package).rglob(suffix)
        if not {"labextension", "__pycache__"} & set(path.parts)
    ]
    assert any(path.endswith(".j2") for path in kept)
    assert any("/rules/" in path and path.endswith(".yaml") for path in kept)
    assert set(kept) <= set(names)


def test_the_wheel_holds_the_built_front_end(names: list[str]) -> None:
    share = f"mle_modernizer-{__version__}.data/data/share/jupyter/labextensions/mle-modernizer"
    assert f"{share}/package.json" in names
    assert f"{share}/install.json" in names
    assert f"{share}/static/style.js" in names
    assert any(name.startswith(f"{share}/schemas/") for name in names)


@pytest.mark.thorough
def test_the_front_end_in_the_wheel_is_no_development_build(names: list[str]) -> None:
    assert not any(name.endswith(".map") for name in names)


def test_the_wheel_enables_the_server_extension(names: list[str]) -> None:
    settings = f"mle_modernizer-{__version__}.data/data/etc/jupyter/jupyter_server_config.d"
    assert f"{settings}/mle_modernizer_server.json" in names


def test_the_wheel_holds_nothing_of_the_workshop(names: list[str]) -> None:
    rooms = {name.split("/")[0] for name in names}
    assert rooms == {
        "mle_modernizer_server",
        f"mle_modernizer-{__version__}.data",
        f"mle_modernizer-{__version__}.dist-info",
    }
    assert not [
        name
        for name in names
        if Path(name).name.startswith(("test_", "conftest"))
        or {"tests", "__tests__", "examples", "node_modules"} & set(Path(name).parts)
        or name.endswith((".csv", ".ipynb"))
    ]


@pytest.mark.thorough
def test_jupyterlab_finds_the_front_end_without_node(
    environment: tuple[Path, dict[str, str]],
) -> None:
    programs, variables = environment
    assert [shutil.which(name, path=variables["PATH"]) for name in ("node", "npm")] == [None, None]
    listed = run(str(programs / "jupyter"), "labextension", "list", env=variables)
    (line,) = (line for line in listed.splitlines() if "mle-modernizer" in line)
    assert f"v{__version__}" in line
    assert "enabled" in line and "OK" in line


@pytest.mark.thorough
def test_jupyter_server_finds_the_server_part(environment: tuple[Path, dict[str, str]]) -> None:
    programs, variables = environment
    listed = run(str(programs / "jupyter"), "server", "extension", "list", env=variables)
    about = [line for line in listed.splitlines() if "mle_modernizer_server" in line]
    assert any("enabled" in line for line in about), listed
    assert any("OK" in line for line in about), listed


@pytest.mark.thorough
def test_the_command_is_there(environment: tuple[Path, dict[str, str]]) -> None:
    programs, variables = environment
    shown = run(str(programs / "jupyter"), "modernize", "--help", env=variables)
    assert "--target-score" in shown


@pytest.mark.thorough
def test_the_kernel_provisioner_can_be_found(environment: tuple[Path, dict[str, str]]) -> None:
    programs, variables = environment
    ask = (
        "from importlib.metadata import entry_points\n"
        "(entry,) = entry_points(group='jupyter_client.kernel_provisioners',"
        " name='mle-modernizer-sandbox')\n"
        "print(entry.load().__name__)"
    )
    assert "Provisioner" in run(str(programs / "python"), "-c", ask, env=variables)
