"""Tracebacks of IPython 7 in the form that IPython has given them since version 8.

Kaggle's image has IPython 7.34, whose frames begin with a file's name and tell the line by an
arrow only: `/tmp/ipykernel_10/2845766214.py in <module>`. In today's form a frame says its cell
and its line: `Cell In[2], line 3, in f()`, `File /usr/lib/python3/x.py:7, in f()`.
https://ipython.readthedocs.io/en/stable/whatsnew/version8.html#traceback-improvements
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from mle_modernizer_server.execution.outputs import without_colours

_HEAD = re.compile(
    r"(?P<path>(?P<cell>\S*/ipykernel_\d+/\d+\.py|<ipython-input-\S+>)|\S+\.pyx?|<\S+>)"
    r" in (?P<name>\S.*)"
)
_ARROW = re.compile(r"-+> *(\d+)")
_TOP = re.compile(r"<module>|<cell line: \d+>")


def modern(traceback: Sequence[str], execution_count: object) -> list[str]:
    """A traceback with the heads of its frames in today's form; any other is left as it is.

    Args:
        traceback: As the kernel sent it.
        execution_count: The failing cell's, as the kernel counts; frames of other cells, of which
            it does not tell the number, get the number 0.
    """
    lines = [line for part in traceback for line in part.split("\n")]
    plain = [without_colours(line) for line in lines]
    heads = {place: head for place, line in enumerate(plain) if (head := _HEAD.fullmatch(line))}
    if not any(head["cell"] for head in heads.values()):
        return list(traceback)
    own = {head["path"] for head in heads.values() if head["cell"] and _TOP.match(head["name"])}
    for place, head in heads.items():
        number = _line_below(plain, place)
        if number is None:
            continue
        name = re.sub(r"<cell line: \d+>", "<module>", head["name"])
        if not head["cell"]:
            lines[place] = f"File {head['path']}:{number}, in {name}"
        else:
            count = execution_count if head["path"] in own else 0
            lines[place] = f"Cell In[{count}], line {number}, in {name}"
    return lines


def _line_below(plain: Sequence[str], head: int) -> str | None:
    """The number the arrow points at, in the frame under a head."""
    for line in plain[head + 1 :]:
        if arrow := _ARROW.match(line):
            return arrow[1]
        if _HEAD.fullmatch(line):
            return None
    return None
