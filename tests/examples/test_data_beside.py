"""The examples as people have them at their desk: the data in `data/` beside the notebook.

No path names a competition any more, and nothing is set: it is told by the columns and rows of what
the notebook reads. Only the target stays in the notebook's metadata, as the panel records it.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from mle_modernizer_server.cli.main import main
from tests.examples.desk import add_kernel, moved
from tests.examples.test_modernizing_examples import FOR_A_MODEL, FOR_RULES
from tests.examples.test_modernizing_examples import data_root as data_root
from tests.values import worded


def modernized(notebook: Path, data_root: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The report of `jupyter modernize NOTEBOOK --auto` with rules and no setting."""
    monkeypatch.setenv("MLE_MODERNIZER_DATA_ROOT", str(data_root))
    report = notebook.parent / "r.json"
    code = main([str(notebook), "--auto", "--fixer", "rules", "--report", str(report)])
    found: dict[str, Any] = json.loads(report.read_text("utf-8"))
    assert code == 0, worded(found["message"])
    return found


@pytest.mark.thorough  # that of Figure 1 is always mended in a browser
@pytest.mark.parametrize("name", sorted(FOR_RULES | FOR_A_MODEL))
def test_with_its_data_beside_it_is_reproduced_without_a_setting(
    name: str, data_root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = modernized(moved(name, data_root, tmp_path), data_root, monkeypatch)
    assert report["verdict"] == "reproduced"
    best = report["iterations"][report["best"] - 1]
    assert best["diagnosis"]["outcome"] == "error-free-reproducible"
    assert best["grade"]["deviation"] <= 0.02


@pytest.mark.thorough
def test_notebook_in_another_kernel_is_reproduced_by_default(
    data_root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """JupyterLab in one environment, the kernel in another, as people have it."""
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "jupyter"))
    add_kernel(tmp_path / "jupyter")
    folder = tmp_path / "desk"
    folder.mkdir()
    path = moved("wine_2021_one_hot_forest", data_root, folder, kernel="ml")
    report = modernized(path, data_root, monkeypatch)
    assert report["verdict"] == "reproduced"
    chosen = report["environment"]
    assert (chosen["reason"], chosen["environment"]["name"]) == ("own-kernel", "ml")
    assert chosen["environment"]["interpreter"] != sys.executable
