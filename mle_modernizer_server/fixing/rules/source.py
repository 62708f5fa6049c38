"""A cell's text as Python sees it: IPython's own syntax set aside, and put back byte for byte.

IPython cells may hold line magics (`%matplotlib inline`), shell lines (`!ls`, `files = !ls`), help
(`df?`) and a cell magic in the first line (`%%time`). They are replaced by placeholders of the
same number of lines, so that the rest can be parsed and line numbers stay what they were.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

PYTHON_CELL_MAGICS = frozenset({"time", "timeit", "capture", "prun", "memit", "mprun", "lprun"})
"""Cell magics whose body is Python that runs in the notebook's namespace."""

_CELL_MAGIC = re.compile(r"\s*%%(\w+)")
_TIMED = re.compile(r"^(\s*)(%(?:time|timeit)\s+)(?![-\s])(?=\S)")
_ASSIGNED = re.compile(r"^(\s*[A-Za-z_][\w\s,.\[\]'\"]*(?<![=!<>])=\s*)(?=[!%](?!=))")
_MAGIC = re.compile(r"^\s*(?:[%!]|\?\??\s*\S)")
_HELP = re.compile(r"^\s*%{0,2}[\w.*]+\?{1,2}\s*$")
_TRIPLE = ('"""', "'''")


@dataclass(frozen=True)
class MaskedSource:
    """A cell's source with placeholders in the place of IPython's syntax."""

    text: str
    """Python (if the author wrote Python); as many lines as the source."""
    magics: dict[str, str]
    """Original text by placeholder, in order."""

    def restore(self, text: str) -> str | None:
        """Put the original pieces back into a changed text.

        Returns:
            The cell's source, or None if a placeholder got lost or was doubled on the way.
        """
        for placeholder, original in self.magics.items():
            if text.count(placeholder) != 1:
                return None
            text = text.replace(placeholder, original)
        return text


def mask(source: str) -> MaskedSource | None:
    """Set IPython's syntax aside; None for a cell in another language (`%%bash`, `%%html`, …)."""
    cell_magic = _CELL_MAGIC.match(source)
    if cell_magic and cell_magic[1] not in PYTHON_CELL_MAGICS:
        return None
    lines = source.split("\n")
    prefix = "_ipython_"
    while prefix in source:
        prefix += "_"
    magics: dict[str, str] = {}
    state = _State()
    position = 0
    while position < len(lines):
        line = lines[position]
        if state.inside:
            state = state.after(line)
            position += 1
            continue
        position = _mask_line(lines, position, prefix, magics)
        state = state.after(lines[position - 1])
    return MaskedSource("\n".join(lines), magics)


def _mask_line(lines: list[str], position: int, prefix: str, magics: dict[str, str]) -> int:
    """Replace one logical line if IPython owns it; the position of the next line comes back."""
    line = lines[position].removesuffix("\r")
    end = lines[position][len(line) :]
    if timed := _TIMED.match(line):
        placeholder = f"{prefix}{len(magics)}_ = "
        magics[placeholder] = timed[2]
        lines[position] = timed[1] + placeholder + line[timed.end() :] + end
        return position + 1
    assigned = _ASSIGNED.match(line)
    if not (assigned or _MAGIC.match(line) or _HELP.match(line)):
        return position + 1
    start = assigned[1] if assigned else line[: len(line) - len(line.lstrip())]
    placeholder = f"{prefix}{len(magics)}_"
    magics[placeholder] = line[len(start) :]
    lines[position] = start + placeholder + end
    position += 1
    while line.endswith("\\") and position < len(lines):
        line = lines[position].removesuffix("\r")
        end = lines[position][len(line) :]
        placeholder = f"# {prefix}{len(magics)}_"
        magics[placeholder] = line
        lines[position] = placeholder + end
        position += 1
    return position


@dataclass(frozen=True)
class _State:
    """Where the scan stands between two lines: in a bracket, a string, or after a backslash."""

    depth: int = 0
    quote: str = ""
    continued: bool = False

    @property
    def inside(self) -> bool:
        return bool(self.depth or self.quote or self.continued)

    def after(self, line: str) -> _State:
        """The state behind a physical line."""
        line = line.removesuffix("\r")
        depth, quote, at = self.depth, self.quote, 0
        while at < len(line):
            char = line[at]
            if quote:
                if char == "\\":
                    at += 1
                elif line.startswith(quote, at):
                    at += len(quote) - 1
                    quote = ""
            elif char == "#":
                return _State(depth, "", False)
            elif char in "\"'":
                quote = next((triple for triple in _TRIPLE if line.startswith(triple, at)), char)
                at += len(quote) - 1
            elif char in "([{":
                depth += 1
            elif char in ")]}":
                depth = max(0, depth - 1)
            at += 1
        continued = line.endswith("\\")
        if len(quote) == 1 and not continued:
            quote = ""
        return _State(depth, quote, continued)
