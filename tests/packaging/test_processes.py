"""Each process that the package starts is kept from reading the folder it is started in."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.packaging.test_architecture import PACKAGE

_STARTS = frozenset({"run", "Popen", "call", "check_call", "check_output"})
_CLOSED_IN = {
    "execution/sandboxes/bubblewrap.py": "starts `bwrap` only; what it starts is in the sandbox",
    "execution/sandboxes/socket_relay.py": "runs in the sandbox",
}
"""Files whose processes need neither, and why."""


def starts(tree: ast.AST) -> Iterator[ast.Call]:
    """Yield the calls that start a process."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        name = node.func.attr
        is_subprocess = name in _STARTS and ast.unparse(node.func.value) == "subprocess"
        if is_subprocess or name.startswith(("create_subprocess_", "posix_spawn", "spawnv")):
            yield node


def is_kept_from_folder(call: ast.Call) -> bool:
    """Return whether a process has a folder of its own, or is a Python in isolated mode."""
    isolated = any(isinstance(node, ast.Constant) and node.value == "-I" for node in ast.walk(call))
    return isolated or any(keyword.arg == "cwd" for keyword in call.keywords)


def test_process_is_kept_from_the_current_folder() -> None:
    found = [
        (path.relative_to(PACKAGE).as_posix(), call)
        for path in sorted(PACKAGE.rglob("*.py"))
        for call in starts(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert len(found) > 5
    open_to_folder = {name for name, call in found if not is_kept_from_folder(call)}
    assert open_to_folder == set(_CLOSED_IN)


def test_program_is_never_looked_for_in_the_current_folder() -> None:
    texts = {path: path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py")}
    users = [
        path.relative_to(PACKAGE).as_posix() for path in texts if "shutil.which" in texts[path]
    ]
    assert users == ["untrusted/programs.py"]
