"""Record the scores of the example notebooks with the libraries of their year.

Run: python examples/record_targets.py --python python3.7 [NOTEBOOK ...]

For every notebook: make a virtual environment of that Python with the versions pinned in the
notebook's `old_environment_<year>.txt`, run the notebook there on the example data, grade the
submission it wrote, and put the score, the library versions and the cells' outputs into the
notebook. A notebook that raises an error in its own year is refused.

The script itself runs in today's environment, and the product's own grader scores the submission;
only the kernel is old.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import nbformat
from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode

from mle_modernizer_server.domain.competition import Competition
from mle_modernizer_server.grading.competitions import Competitions
from mle_modernizer_server.grading.grader import grade_csv
from mle_modernizer_server.words import text

HERE = Path(__file__).parent
KEY = "mle_modernizer"
LIBRARIES = ("numpy", "pandas", "scipy", "scikit-learn", "xgboost", "lightgbm", "matplotlib")
RUN_LIMIT = 3600
"""Seconds a notebook may take: the limit of a Kaggle kernel in those years was an hour."""


def main() -> None:
    """Record the target of every notebook named, or of all of them."""
    parser = argparse.ArgumentParser(description="Record the targets of the example notebooks.")
    parser.add_argument("notebooks", nargs="*", type=Path, metavar="NOTEBOOK")
    parser.add_argument("--python", default="python3.7", help="the old Python (default: python3.7)")
    parser.add_argument("--data", type=Path, default=HERE / "data", help="made by make_data.py")
    parser.add_argument(
        "--environments",
        type=Path,
        default=HERE.parent / "build" / "old-environments",
        help="where the virtual environments are made and kept",
    )
    arguments = parser.parse_args()
    for path in arguments.notebooks or sorted((HERE / "notebooks").glob("*.ipynb")):
        notebook = nbformat.read(path, as_version=nbformat.NO_CONVERT)
        pins = HERE / notebook.metadata[KEY]["environment"]
        python = old_python(arguments.python, pins, arguments.environments / pins.stem)
        print(f"{path.name}: {record(notebook, python, arguments.data)}", flush=True)
        nbformat.write(notebook, path)


def old_python(base: str, pins: Path, folder: Path) -> Path:
    """Make the virtual environment with those pins, unless it is there already.

    Raises:
        subprocess.CalledProcessError: The environment cannot be made or a pin not be installed.
    """
    python = folder.absolute() / "bin" / "python"
    done = folder / "installed.txt"
    if not done.exists() or done.read_text() != pins.read_text():
        shutil.rmtree(folder, ignore_errors=True)
        install = [str(python), "-m", "pip", "install", "--quiet"]
        subprocess.run([base, "-m", "venv", str(folder)], check=True)
        subprocess.run([*install, "--upgrade", "pip<24.1"], check=True)
        subprocess.run([*install, "-r", str(pins)], check=True)
        done.write_text(pins.read_text())
    return python


def record(notebook: NotebookNode, python: Path, data: Path) -> float:
    """Run the notebook with that Python and put score, versions and outputs into it.

    Raises:
        CellExecutionError: A cell raised an error.
        RuntimeError: No valid submission was written.
    """
    ours = notebook.metadata[KEY]
    competitions = Competitions(data)
    competition = competitions.get(ours["competition"])
    public = competitions.public_dir(competition.id)
    with tempfile.TemporaryDirectory() as temporary:
        kaggle = Path(temporary).resolve() / "kaggle"
        lay_out(kaggle, public, is_flat(notebook, competition.id))
        executed, seconds = run(notebook, python, kaggle)
        score = grade(kaggle / "working", competition, data)
    for cell, ran in zip(notebook.cells, executed.cells, strict=True):
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = ran.outputs, ran.execution_count
    notebook.metadata.language_info = executed.metadata.language_info
    versions = installed(python)
    used = ", ".join(f"{name} {version}" for name, version in versions.items())
    ours["target_score"] = score
    ours["target_source"] = (
        f"Recorded by examples/record_targets.py: this notebook, run on the same data with {used}; "
        f"{competition.metric.value} of the submission it wrote (the run took {seconds:.0f} s)."
    )
    ours["libraries"] = versions
    return score


def is_flat(notebook: NotebookNode, slug: str) -> bool:
    """Return whether the notebook is from the years when the files were in `../input` itself."""
    return not any(slug in cell.source for cell in notebook.cells if cell.cell_type == "code")


def lay_out(kaggle: Path, public: Path, flat: bool) -> None:
    """Make Kaggle's folders: the data in `input`, an empty `working`."""
    shutil.copytree(public, kaggle / "input" if flat else kaggle / "input" / public.parents[1].name)
    (kaggle / "working").mkdir()


def run(notebook: NotebookNode, python: Path, kaggle: Path) -> tuple[NotebookNode, float]:
    """Run a copy of the notebook in a kernel of that Python. Return the copy and the seconds.

    Machine paths in the outputs are written as the ones of Kaggle's container.
    """
    specs = kaggle.parent / "kernels"
    (specs / "python3").mkdir(parents=True)
    argv = [str(python), "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    spec = {"argv": argv, "display_name": "Python 3", "language": "python"}
    (specs / "python3" / "kernel.json").write_text(json.dumps(spec))
    manager = AsyncKernelManager(
        kernel_name="python3", kernel_spec_manager=KernelSpecManager(kernel_dirs=[str(specs)])
    )
    copy = swap(notebook, {"/kaggle/input": str(kaggle / "input")})
    client = NotebookClient(
        copy,
        km=manager,
        timeout=RUN_LIMIT,
        record_timing=False,
        resources={"metadata": {"path": str(kaggle / "working")}},
    )
    start = time.monotonic()
    client.execute()
    seconds = time.monotonic() - start
    return swap(copy, {str(kaggle): "/kaggle", str(python.parents[1]): "/opt/conda"}), seconds


def swap(notebook: NotebookNode, texts: dict[str, str]) -> NotebookNode:
    """Return a copy of the notebook with texts replaced everywhere in it."""
    content = json.dumps(notebook)
    for old, new in texts.items():
        content = content.replace(old, new)
    copy: NotebookNode = nbformat.from_dict(json.loads(content))
    return copy


def grade(working: Path, competition: Competition, data: Path) -> float:
    """Score the submission in the working folder against the private answers.

    Raises:
        RuntimeError: No CSV there is a valid submission.
    """
    reasons = []
    for path in sorted(working.glob("*.csv")):
        candidate = grade_csv(path, competition, data)
        if candidate.score is not None:
            return round(candidate.score, 6)
        reasons.append(f"{path.name}: {text(candidate.reason)}")
    raise RuntimeError("; ".join(reasons) or "the notebook wrote no CSV")


def installed(python: Path) -> dict[str, str]:
    """Ask the old Python which versions of the libraries it has, itself included."""
    code = (
        "import json, platform, pkg_resources as p;"
        f"print(json.dumps([platform.python_version()]"
        f"+[p.get_distribution(n).version for n in {LIBRARIES!r}]))"
    )
    output = subprocess.run([python, "-c", code], check=True, capture_output=True, text=True).stdout
    return dict(zip(("Python", *LIBRARIES), json.loads(output), strict=True))


if __name__ == "__main__":
    try:
        main()
    except (CellExecutionError, RuntimeError, subprocess.CalledProcessError) as failure:
        sys.exit(f"not recorded: {failure}")
