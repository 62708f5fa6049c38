"""Modules beside a notebook that are Python 2's, in real kernels."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from mle_modernizer_server.domain.execution import CellError
from mle_modernizer_server.execution.notebook_folder import visible_files as shown_module
from mle_modernizer_server.execution.notebook_folder.own_modules import imported_beside
from mle_modernizer_server.execution.notebook_folder.visible_files import Beside, choose_shown
from mle_modernizer_server.execution.sandboxes.base import Reach
from mle_modernizer_server.fixing.rules.python2.own_modules import read_helpers
from tests.execution.conftest import Runner
from tests.thoroughness import HERE

_NOTEBOOK = "from own import predict\nprint(predict.answer())"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    package = tmp_path / "project" / "own"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("import predict\n")
    (package / "predict.py").write_text("def answer():\n    return 42\n")
    return package.parent


@pytest.fixture(params=HERE)
def runner(request: pytest.FixtureRequest, run_in: Callable[[str], Runner], folder: Path) -> Runner:
    found = run_in(request.param)
    found.beside = Beside(folder, read=read_helpers)
    return found


def test_import_between_modules_of_a_package_works_in_the_copy(
    runner: Runner, folder: Path
) -> None:
    ran = runner(_NOTEBOOK)
    assert ran.execution.errors == ()
    assert ran.text(0) == "42\n"
    (remark,) = ran.execution.remarks
    assert remark.code == "beside.relative"
    assert remark.parameters["file"] == "own/__init__.py"
    assert remark.parameters["modules"] == "`predict`"
    assert (folder / "own" / "__init__.py").read_text() == "import predict\n"


def test_python_2_is_translated_in_the_copy(runner: Runner, folder: Path) -> None:
    source = "# -*- coding: latin-1 -*-\ndef answer():\n    print 'né'\n    return 42\n"
    (folder / "own" / "predict.py").write_text(source, "latin-1")
    ran = runner(_NOTEBOOK)
    assert ran.text(0) == "né\n42\n"
    assert [one.code for one in ran.execution.remarks] == ["beside.translated", "beside.relative"]
    assert (folder / "own" / "predict.py").read_text("latin-1") == source


def test_python_3_finds_the_module_if_the_folder_is_on_the_path(
    runner: Runner, folder: Path
) -> None:
    ran = runner("import sys\nsys.path.insert(0, 'own')\nimport predict, os\nos.listdir('own')")
    assert ran.execution.errors == ()


def test_what_is_not_mended_is_recognised(run_in: Callable[[str], Runner], folder: Path) -> None:
    runner = run_in("process")
    runner.beside = Beside(folder)
    (error,) = runner(_NOTEBOOK).execution.errors
    assert error.ename == "ModuleNotFoundError"
    assert error.imported_beside == "own/__init__.py"


def test_a_package_that_is_mounted(
    run_isolated: Runner, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shown_module, "COPIED_AT_MOST", 10)
    run_isolated.beside = Beside(folder, read=read_helpers)
    (error,) = run_isolated(_NOTEBOOK).execution.errors
    assert error.imported_beside == "own/__init__.py"


def _error(name: str, file: str) -> CellError:
    return CellError(
        cell_id="a",
        index=0,
        ename="ModuleNotFoundError",
        evalue=f"No module named '{name}'",
        traceback=(f"Cell In[1], line 1\n----> 1 import own\n\nFile {file}:1\n----> 1 import x",),
        raised=True,
    )


@pytest.mark.parametrize(
    ("name", "file", "found"),
    [
        ("predict", "/kaggle/working/own/__init__.py", "own/__init__.py"),
        ("xgboost", "/kaggle/working/own/__init__.py", ""),
        ("predict", "/usr/lib/python3/site-packages/own/__init__.py", ""),
        ("predict", "/kaggle/working/other/__init__.py", ""),
        ("__init__", "/kaggle/working/own/predict.py", ""),
    ],
)
def test_recognised_by_where_it_was_raised(folder: Path, name: str, file: str, found: str) -> None:
    shown = choose_shown(["import own"], Beside(folder), reach=Reach.MOUNTS, public=None)
    assert imported_beside(_error(name, file), shown) == found


def test_a_folder_without_init_is_no_package(folder: Path) -> None:
    (folder / "own" / "__init__.py").rename(folder / "own" / "first.py")
    shown = choose_shown(["import own.first"], Beside(folder), reach=Reach.MOUNTS, public=None)
    error = _error("predict", "/kaggle/working/own/first.py")
    assert imported_beside(error, shown) == ""
