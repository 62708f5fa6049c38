"""An install line that wants code to run while packages are installed."""

from __future__ import annotations

import asyncio
import io
import tarfile
import zipfile
from pathlib import Path

import pytest

from mle_modernizer_server.domain.notebook import Cell, CellType, Notebook
from mle_modernizer_server.execution.notebook_folder.visible_files import Beside
from mle_modernizer_server.execution.pip.install import install_lines
from mle_modernizer_server.execution.pip.lines import find_install_lines
from tests.execution.conftest import Runner

RAN = "open('/kaggle/working/ran', 'a').write('x')\n"


def _source(path: Path) -> None:
    """Write a source archive whose build leaves a trace."""
    with tarfile.open(path, "w:gz") as archive:
        content = f"{RAN}from setuptools import setup\nsetup(name='evil', version='1.0')\n".encode()
        entry = tarfile.TarInfo("evil-1.0/setup.py")
        entry.size = len(content)
        archive.addfile(entry, io.BytesIO(content))


def _wheel(folder: Path, name: str, **files: str) -> None:
    """Write a wheel with these files."""
    facts = f"{name}-1.0.dist-info"
    content = {
        f"{facts}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n",
        f"{facts}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        **{f"{module}.py": text for module, text in files.items()},
    }
    with zipfile.ZipFile(folder / f"{name}-1.0-py3-none-any.whl", "w") as archive:
        for path, text in content.items():
            archive.writestr(path, text)
        rows = "".join(f"{path},,\n" for path in content)
        archive.writestr(f"{facts}/RECORD", f"{rows}{facts}/RECORD,,\n")


@pytest.fixture
def beside(run_isolated: Runner, tmp_path: Path) -> tuple[Runner, Path]:
    """Runs cells next to the files of a folder."""
    folder = tmp_path / "notebooks"
    folder.mkdir()
    run_isolated.beside = Beside(folder)
    return run_isolated, folder


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("pip install --only-binary :none: ./evil-1.0.tar.gz", "asks for a build"),
        ("pip install --only-b=:none: ./evil-1.0.tar.gz", "asks for a build"),
        ("python -m pip install ./evil-1.0.tar.gz", "would have to be built"),
        ("uv pip install evil-1.0.tar.gz", "would have to be built"),
        ("PIP_ONLY_BINARY=:none: pip install ./evil-1.0.tar.gz", "would have to be built"),
        ("pip install -r needs.txt", "a package would have to be built"),
        ("pip install --no-build-iso -rneeds.txt  # needs.txt", "a package would have to be built"),
    ],
)
def test_source_archive_is_refused_without_running(beside, line, why):
    run, folder = beside
    _source(folder / "evil-1.0.tar.gz")
    (folder / "needs.txt").write_text("--only-binary :none:\n./evil-1.0.tar.gz\n")
    ran = run(f"!{line}\nimport os\nopen('needs.txt'), open('evil-1.0.tar.gz')")
    [installed] = ran.execution.pip_installs
    assert not installed.ok
    assert why in installed.message
    assert ran.execution.errors == ()
    assert not (run.workspace.working / "ran").exists()


def test_local_wheel_is_installed(beside):
    run, folder = beside
    _wheel(folder, "good", good="number = 3\n")
    ran = run("!pip install ./good-1.0-py3-none-any.whl\nimport good\nprint(good.number)")
    assert [one.message for one in ran.execution.pip_installs] == ["Installed good 1.0."]
    assert ran.text(0) == "3\n"


def test_installed_package_does_not_run_in_the_next_install(run_isolated):
    """Nor does a module in the notebook's folder with the name of one that pip imports."""
    workspace = run_isolated.workspace
    _wheel(workspace.working, "evil", sitecustomize=RAN, subprocess=RAN, keyring=RAN, pip=RAN)
    _wheel(workspace.working, "good", good="number = 3\n")
    for name in ("pip.py", "socket.py", "runpy.py"):
        (workspace.working / name).write_text(RAN)
    names = ("./evil-1.0-py3-none-any.whl", "./good-1.0-py3-none-any.whl", "evil")
    source = "\n".join(f"!pip install {name}" for name in names)
    lines = find_install_lines(Notebook(cells=(Cell(id="a", type=CellType.CODE, source=source),)))
    coming = install_lines(
        lines,
        run_isolated.sandbox,
        workspace.mounts(),
        on_start=lambda line: None,
        cancel=asyncio.Event(),
    )
    messages = [installed.message for installed in asyncio.run(coming)]
    assert messages == ["Installed evil 1.0.", "Installed good 1.0.", "Already there."]
    assert not (workspace.working / "ran").exists()


def test_build_that_pips_settings_allow_is_made(beside, monkeypatch):
    monkeypatch.setenv("PIP_ONLY_BINARY", ":none:")
    run, folder = beside
    _source(folder / "evil-1.0.tar.gz")
    run(
        "!pip install --no-index --no-build-isolation --find-links=/kaggle/working evil\n"
        "open('evil-1.0.tar.gz')"
    )
    assert (run.workspace.working / "ran").exists()
