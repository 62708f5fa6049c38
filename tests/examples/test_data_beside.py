"""The examples as people have them at their desk: the data in `data/` beside the notebook.

No path names a competition any more, and nothing is set: it is told by the columns and rows of what
the notebook reads. Only the target stays in the notebook's metadata, as the panel records it.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from mle_modernizer_server.cli.main import main
from tests.examples.test_examples import SLUGS
from tests.examples.test_modernizing_examples import FOR_A_MODEL, FOR_RULES, NOTEBOOKS
from tests.examples.test_modernizing_examples import data_root as data_root
from tests.fixing.rules.executed.environment import environment
from tests.values import worded

_FOLDER = re.compile(r"(?:/kaggle|\.\.)/input(?:/(?:" + "|".join(SLUGS) + r")\b)?")
ALWAYS = {"figure1_wine_xgboost_labels", "wine_2021_one_hot_forest"}
"""The others are mended in `make test-all`."""


def moved(name: str, data_root: Path, folder: Path, data: str = "data") -> Path:
    """A copy of an example beside its data, reading `data/train.csv`."""
    notebook = json.loads((NOTEBOOKS / f"{name}.ipynb").read_text("utf-8"))
    ours = notebook["metadata"].pop("mle_modernizer")
    kept = {key: ours[key] for key in ("target_score", "time_limit") if key in ours}
    notebook["metadata"]["mle_modernizer"] = kept
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell["source"] = _FOLDER.sub(lambda _: data, "".join(cell["source"]))
    public = data_root / ours["competition"] / "prepared" / "public"
    shutil.copytree(public, folder / "data")
    path = folder / f"{name}.ipynb"
    path.write_text(json.dumps(notebook), "utf-8")
    return path


def modernized(notebook: Path, data_root: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The report of `jupyter modernize NOTEBOOK --auto` with rules and no setting."""
    monkeypatch.setenv("MLE_MODERNIZER_DATA_ROOT", str(data_root))
    report = notebook.parent / "r.json"
    code = main([str(notebook), "--auto", "--fixer", "rules", "--report", str(report)])
    found: dict[str, Any] = json.loads(report.read_text("utf-8"))
    assert code == 0, worded(found["message"])
    return found


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name in ALWAYS else pytest.mark.thorough)
        for name in sorted(FOR_RULES - FOR_A_MODEL)
    ],
)
def test_with_its_data_beside_it_is_reproduced_without_a_setting(
    name: str, data_root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = modernized(moved(name, data_root, tmp_path), data_root, monkeypatch)
    assert report["verdict"] == "reproduced"
    best = report["iterations"][report["best"] - 1]
    assert best["diagnosis"]["outcome"] == "error-free-reproducible"
    assert best["grade"]["deviation"] <= 0.02


def test_in_a_kernel_of_another_environment_it_is_reproduced_without_a_setting(
    data_root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """JupyterLab in one environment, the kernel in another, as people have it."""
    python = environment("newest").python
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "jupyter"))
    spec = {
        "argv": [str(python), "-m", "ipykernel_launcher", "-f", "{connection_file}"],
        "display_name": "ML",
        "language": "python",
    }
    place = tmp_path / "jupyter" / "kernels" / "ml"
    place.mkdir(parents=True)
    (place / "kernel.json").write_text(json.dumps(spec), "utf-8")
    folder = tmp_path / "desk"
    folder.mkdir()
    path = moved("wine_2021_one_hot_forest", data_root, folder)
    notebook = json.loads(path.read_text("utf-8"))
    notebook["metadata"]["kernelspec"] = {
        "name": "ml",
        "display_name": "ML",
        "language": "python",
    }
    path.write_text(json.dumps(notebook), "utf-8")
    report = modernized(path, data_root, monkeypatch)
    assert report["verdict"] == "reproduced"
    chosen = report["environment"]
    assert (chosen["reason"], chosen["environment"]["name"]) == ("own-kernel", "ml")
    assert chosen["environment"]["interpreter"] != sys.executable
