"""Runs snippets in the Python that runs this file, each in a fork of its own.

It is started by path with an environment's Python, so it needs nothing but the standard library.
One JSON object a line comes in on stdin and one goes out for it on stdout.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import select
import shutil
import signal
import sys
import tempfile
import traceback
import warnings
from pathlib import Path
from typing import Any

FILE = "<old code>"
SECONDS = 120
"""After which a snippet is stopped."""


def main() -> None:
    """Import the modules named in the arguments, say what is installed, then run what comes in."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever prints on being imported is no answer
    warnings.simplefilter("ignore")
    for name in sys.argv[1:]:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    gc.freeze()  # so that a fork's collections do not copy what is imported here
    for line in sys.stdin:
        answers.write(json.dumps(_forked(json.loads(line))) + "\n")
        answers.flush()


def _forked(request: dict[str, str]) -> dict[str, object]:
    folder = tempfile.mkdtemp(prefix="rule-")
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _child(request, folder, writing)
    os.close(writing)
    try:
        return _awaited(child, reading, folder)
    finally:
        os.close(reading)
        shutil.rmtree(folder, ignore_errors=True)


def _awaited(child: int, reading: int, folder: str) -> dict[str, object]:
    text = b""
    while select.select([reading], [], [], SECONDS)[0]:
        part = os.read(reading, 1 << 16)
        if not part:
            break
        text += part
    else:
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if text:
        answer: dict[str, object] = json.loads(text)
        return answer
    said = Path(folder, "output").read_text(encoding="utf-8", errors="replace")[-2000:]
    return {"died": f"the process ended with {status}: {said}"}


def _child(request: dict[str, str], folder: str, writing: int) -> None:
    """Never returns."""
    code = 1
    try:
        os.chdir(folder)
        output = os.open("output", os.O_WRONLY | os.O_CREAT)
        os.dup2(output, 1)
        os.dup2(output, 2)
        os.write(writing, json.dumps(_run(request)).encode())
        code = 0
    finally:
        os._exit(code)


def _run(request: dict[str, str]) -> dict[str, object]:
    space: dict[str, object] = {"__name__": "__main__"}
    run = _in_shell if request["shell"] else _plainly
    failed = run(request["setup"], "<setup>", space)
    if failed:
        return {"setup": failed}
    failed = run(request["code"], FILE, space)
    if failed:
        return {"raised": failed}
    try:
        return {"holds": bool(eval(request["holds"], space))}
    except BaseException as error:  # noqa: BLE001  # whatever a snippet raises is the answer
        return {"holds": False, "why": _told(error, "<holds>")}


def _plainly(source: str, file: str, space: dict[str, object]) -> dict[str, object] | None:
    try:
        exec(compile(source, file, "exec", dont_inherit=True), space)
    except BaseException as error:  # noqa: BLE001  # whatever a snippet raises is the answer
        return _told(error, file)
    return None


def _in_shell(source: str, file: str, space: dict[str, object]) -> dict[str, object] | None:
    """As a cell of IPython, with magics."""
    from IPython.core.interactiveshell import InteractiveShell

    shell: Any = InteractiveShell.instance()  # typed in newer versions only
    shell.user_ns = space
    shell.init_user_ns()
    result = shell.run_cell(source)
    error = result.error_before_exec or result.error_in_exec
    return _told(error, "ipython") if error else None


def _told(error: BaseException, file: str) -> dict[str, object]:
    """Type, message and the line of our source where it failed."""
    lines = [
        frame.lineno
        for frame in traceback.extract_tb(error.__traceback__)
        if file in frame.filename and frame.lineno
    ]
    if isinstance(error, SyntaxError) and not lines and error.lineno:
        lines = [error.lineno]
    text = "".join(traceback.format_exception(type(error), error, error.__traceback__))
    return {
        "ename": type(error).__name__,
        "evalue": str(error),
        "line": lines[0] if lines else None,
        "traceback": text[-4000:],
    }


if __name__ == "__main__":
    main()
