"""Runs notebooks, error-tolerantly and cell by cell, in the Python that runs this file.

Started by path with an environment's Python; needs IPython there and nothing of ours. One JSON
object a line comes in on stdin (`cells`, `data`, `seconds`, and `beside` where a notebook finds its
files in its own folder), one goes out for it on stdout.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.metadata
import json
import linecache
import os
import platform
import select
import shutil
import signal
import sys
import tempfile
import time
import traceback
import warnings
from pathlib import Path
from typing import TextIO

MODULES = ("numpy", "pandas", "matplotlib.pyplot", "seaborn", "sklearn.ensemble", "xgboost")
GRACE = 10
LATE: list[str] = []
"""What was said when this notebook's time was up; each has a process of its own."""


def main() -> None:
    """Answer the first line with what is installed, every other one with a notebook's run."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    warnings.simplefilter("ignore")
    for name in MODULES:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    found = importlib.metadata.packages_distributions()
    packages = {name: importlib.metadata.version(of[0]) for name, of in found.items()}
    answers.write(json.dumps({"python": platform.python_version(), "packages": packages}) + "\n")
    answers.flush()
    for line in sys.stdin:
        answers.write(json.dumps(_forked(json.loads(line))) + "\n")
        answers.flush()


def _forked(request: dict[str, object]) -> list[dict[str, object]]:
    folder = tempfile.mkdtemp(prefix="notebook-")
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        os.setsid()
        try:
            _run(request, Path(folder), os.fdopen(writing, "w", encoding="utf-8"))
        finally:
            os._exit(0)
    os.close(writing)
    text = b""
    end = time.monotonic() + float(str(request["seconds"])) + GRACE
    while select.select([reading], [], [], max(0.0, end - time.monotonic()))[0]:
        part = os.read(reading, 1 << 16)
        if not part:
            break
        text += part
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    os.close(reading)
    shutil.rmtree(folder, ignore_errors=True)
    return [json.loads(line) for line in text.decode().splitlines()]


def _run(request: dict[str, object], folder: Path, answers: TextIO) -> None:
    """Each cell's end goes out the moment it is known."""
    (folder / "working").mkdir()
    if request.get("beside"):
        _show(Path(str(request["beside"])), folder / "working")
        _show(Path(str(request["beside"])).parent, folder)
    if not (folder / "input").exists():
        (folder / "input").symlink_to(str(request["data"]))
    os.chdir(folder / "working")
    sys.path.insert(0, str(Path.cwd()))  # as a kernel does: modules beside the notebook are found
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nothing, number)
    from IPython.core.interactiveshell import InteractiveShell

    # `%matplotlib inline` asks for a display, which a shell outside Jupyter cannot enable.
    InteractiveShell.enable_gui = lambda *_: None  # type: ignore[method-assign]  # as a kernel's
    shell = InteractiveShell.instance()
    with contextlib.suppress(Exception):  # an old backend is no reason not to run
        shell.enable_matplotlib("agg")  # type: ignore[no-untyped-call]  # IPython's own
    signal.signal(signal.SIGALRM, _too_late)
    signal.alarm(int(str(request["seconds"])))
    cells = request["cells"]
    assert isinstance(cells, list)
    for source in cells:
        answer: dict[str, object] = {"error": None}
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                result = shell.run_cell(source)  # type: ignore[no-untyped-call]  # likewise
                error = result.error_before_exec or result.error_in_exec
            except BaseException as raised:  # noqa: BLE001  # the answer is what it raised
                error = raised
        _close_figures()
        answer["warned"] = sorted({one.category.__name__ for one in caught})
        if error is not None:
            answer["error"] = _told(error)
        if LATE:  # a library may have made another error of it, or none
            answer["error"] = _told(TimeoutError(LATE[0]))
        answers.write(json.dumps(answer) + "\n")
        answers.flush()
        if LATE or isinstance(error, TimeoutError):
            return
    signal.alarm(0)


def _show(files: Path, folder: Path) -> None:
    """Put copies of the files in one folder into another, and links to its folders."""
    for file in files.iterdir():
        if (folder / file.name).exists():
            continue
        if file.is_dir():
            (folder / file.name).symlink_to(file.resolve())
        else:
            shutil.copyfile(file, folder / file.name)  # a notebook may write over it


def _close_figures() -> None:
    """As Jupyter does after each cell: the next one draws into a figure of its own."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is not None:
        pyplot.close("all")


def _too_late(*_: object) -> None:
    LATE.append("the notebook's time is up")
    raise TimeoutError(LATE[0])


def _told(error: BaseException) -> dict[str, object]:
    lines: list[str] = []
    numbers: list[int] = []
    for frame in traceback.extract_tb(error.__traceback__):
        ours = frame.filename.startswith("<ipython-input") or "ipykernel_" in frame.filename
        if ours and frame.lineno:
            numbers.append(frame.lineno)
            text = linecache.getline(frame.filename, frame.lineno).rstrip()
            lines += [f"Cell In[1], line {frame.lineno}", f"----> {frame.lineno} {text}"]
        else:
            lines.append(f"File {frame.filename}:{frame.lineno}, in {frame.name}")
    if isinstance(error, SyntaxError) and error.lineno:
        numbers = [error.lineno]
        lines = [f"  Cell In[1], line {error.lineno}", f"    {error.text or ''}"]
    return {
        "ename": type(error).__name__,
        "evalue": str(error)[:2000],
        "line": numbers[0] if numbers else None,
        "traceback": "\n".join(lines)[-8000:],
    }


if __name__ == "__main__":
    main()
