"""An example as people have it at their desk: its data beside it, a kernel of an environment of
its own.
"""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

from tests.examples.test_examples import EXAMPLES, SLUGS
from tests.fixing.rules.executed.environment import environment

_FOLDER = re.compile(r"(?:/kaggle|\.\.)/input(?:/(?:" + "|".join(SLUGS) + r")\b)?")


def moved(
    name: str, data_root: Path, folder: Path, data: str = "data", kernel: str = "python3"
) -> Path:
    """A copy of an example beside its data, reading `data/train.csv`, for the kernel named."""
    notebook = json.loads((EXAMPLES / "notebooks" / f"{name}.ipynb").read_text("utf-8"))
    ours = notebook["metadata"].pop("mle_modernizer")
    notebook["metadata"]["mle_modernizer"] = {"target_score": ours["target_score"]}
    spec = {"name": kernel, "display_name": kernel.upper(), "language": "python"}
    notebook["metadata"]["kernelspec"] = spec
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell["source"] = _FOLDER.sub(lambda _: data, "".join(cell["source"]))
    public = data_root / ours["competition"] / "prepared" / "public"
    shutil.copytree(public, folder / "data")
    path = folder / f"{name}.ipynb"
    path.write_text(json.dumps(notebook), "utf-8")
    return path


def add_kernel(jupyter: Path, name: str = "ml") -> None:
    """Add the kernel of an environment that is not the server's to Jupyter's data directory."""
    python = environment("newest").python
    spec = {
        "argv": [str(python), "-m", "ipykernel_launcher", "-f", "{connection_file}"],
        "display_name": name.upper(),
        "language": "python",
    }
    place = jupyter / "kernels" / name
    place.mkdir(parents=True)
    (place / "kernel.json").write_text(json.dumps(spec), "utf-8")
