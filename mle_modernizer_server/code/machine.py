"""Cells that only show the machine: its versions, hardware and folders, and nothing of the data."""

from __future__ import annotations

import ast
import re

from mle_modernizer_server.code.colab import colab_parts
from mle_modernizer_server.code.ipython import escapes, parsed

_SHOWS_MACHINE = re.compile(
    r"[!%]\s*(?:watermark|version_information|load_ext|nvidia-smi|pip|conda|python|ls|pwd|date)\b"
)


def shows_machine(source: str) -> bool:
    """Return whether a cell's output is another one on each machine, whatever the data."""
    tree = parsed(source)
    if tree is None:
        return False
    on_colab = {part.lines[0] for part in colab_parts([tree]) if part.call is None}
    commands = all(_SHOWS_MACHINE.match(one.text) and not one.assigned for one in escapes(source))
    # a command is a `pass` in the tree
    return commands and all(
        isinstance(node, ast.Pass) or node.lineno - 1 in on_colab for node in tree.body
    )
