"""A traceback as a model needs it: the notebook's own frames, and where the library gave up."""

from __future__ import annotations

import re

from mle_modernizer_server.fixing.llm.view import plain

_FRAME = re.compile(r"^(?:File |Cell In\s?\[|<ipython-input|/tmp/ipykernel|Input In\s?\[|~?/)\S")
_NOTEBOOK_FRAME = re.compile(r"^(?:Cell In|<ipython-input|/tmp/ipykernel|Input In|File /tmp/ipyk)")
# Where a library lies on this machine is nobody's business.
_LIBRARY_ROOT = re.compile(r"(?:/[^\s:\"']{1,300}?)?/(?:site-packages|dist-packages)/")
_STANDARD_LIBRARY = re.compile(r"/[^\s:\"']{1,300}?/lib/python3\.\d{1,2}/")
_LAST_FRAMES = 2


def traceback_text(lines: tuple[str, ...]) -> str:
    """The text of a traceback without colours, machine paths and inner frames of libraries.

    Args:
        lines: As the kernel sent them: IPython puts a frame and the code around it into one.
    """
    frames: list[list[str]] = [[]]
    for line in plain("\n".join(lines)).strip().split("\n"):
        if _FRAME.match(line) or (frames[-1] and not frames[-1][-1].strip() and line.strip()):
            frames.append([])
        frames[-1].append(line)
    library = [at for at, frame in enumerate(frames) if _is_library(frame)]
    dropped = set(library[:-_LAST_FRAMES])
    kept: list[str] = []
    for at, frame in enumerate(frames):
        if at not in dropped:
            kept.append("\n".join(frame))
        elif at - 1 not in dropped:
            kept.append("[inner frames of libraries left out]\n")
    text = "\n".join(kept)
    return _STANDARD_LIBRARY.sub("", _LIBRARY_ROOT.sub("", text))


def _is_library(frame: list[str]) -> bool:
    return bool(_FRAME.match(frame[0])) and not _NOTEBOOK_FRAME.match(frame[0])
