"""A traceback as a model needs it: the notebook's own frames, and where the library gave up."""

from __future__ import annotations

import re

from mle_modernizer_server.domain.traceback import parse_blocks
from mle_modernizer_server.fixing.llm.view import plain

# Where a library lies on this machine is nobody's business.
_LIBRARY_ROOT = re.compile(r"(?:/[^\s:\"']{1,300}?)?/(?:site-packages|dist-packages)/")
_STANDARD_LIBRARY = re.compile(r"/[^\s:\"']{1,300}?/lib/python3\.\d{1,2}/")
_LAST_FRAMES = 2


def traceback_text(lines: tuple[str, ...]) -> str:
    """The text of a traceback without colours, machine paths and inner frames of libraries.

    Args:
        lines: As the kernel sent them: IPython puts a frame and the code around it into one.
    """
    blocks = parse_blocks(plain("\n".join(lines)).strip())
    library = [at for at, block in enumerate(blocks) if block.of_library]
    dropped = set(library[:-_LAST_FRAMES])
    kept: list[str] = []
    for at, block in enumerate(blocks):
        if at not in dropped:
            kept.append("\n".join(block.lines))
        elif at - 1 not in dropped:
            kept.append("[inner frames of libraries left out]\n")
    text = "\n".join(kept)
    return _STANDARD_LIBRARY.sub("", _LIBRARY_ROOT.sub("", text))
