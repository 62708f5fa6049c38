"""Errors of a rehearsal that may come from the sample and not from the notebook.

The messages are those of scikit-learn (model_selection/_split.py, utils/validation.py), pandas
(core/indexing.py), NumPy and OpenCV.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from mle_modernizer_server.code.contents import whole_numbers
from mle_modernizer_server.domain.diagnosis import ErrorKind, Finding
from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.domain.notebook import CellType, Notebook
from mle_modernizer_server.domain.verification import Sample

_TOO_FEW = re.compile(
    r"n_splits=\d+ (greater than|cannot be greater)|number of splits n_splits"
    r"|least populated class|greater than the number of (members|samples|groups|folds)"
    r"|n_samples=\d+.*(should be >=|resulting train set will be empty)"
    r"|n_components=\d+ must be between|Expected n_neighbors|perplexity must be less"
    r"|test_size = \d+ should be|train_size = \d+ should be"
    r"|larger sample than population|sample larger than population"
    r"|(number of classes|classes) has to be greater|contains? (only )?(1|one) class"
    r"|Only one class present|needs samples of at least 2 classes|contains only one label"
    r"|Number of classes in y_true not equal|[Tt]oo few|not enough (data|samples|values)",
)
_EMPTY = re.compile(
    r"0 sample\(s\)|empty sequence|zero-size array|No objects to concatenate"
    r"|at least one array|empty (data|frame|array|dataset|vocabulary)|of an empty|is empty"
    r"|division by zero|no terms remain|iterable argument is empty|num_samples=0",
    re.IGNORECASE,
)
_UNSEEN = re.compile(r"previously unseen labels|[Ff]ound unknown categor|unseen labels|new labels")
_BEYOND = re.compile(r"out[- ]of[- ]bounds|index \d+ is out|out of range", re.IGNORECASE)
_SIZES = re.compile(
    r"reshape|shape|broadcast|length|inconsistent numbers|dimension|same size|mismatch",
    re.IGNORECASE,
)
_NO_PICTURE = re.compile(r"!_src\.empty\(\)|NoneType.*(shape|subscriptable)|ssize\.empty\(\)")
_WHOLE_NUMBER = re.compile(r"(?<![\w.])\d{2,}(?![\w.])")
_QUOTED = re.compile(r"'([^'\n]+)'|\"([^\"\n]+)\"|(?:file|path|directory):? ([^\s'\"]\S*)")


def sample_caused(
    findings: Iterable[Finding],
    notebook: Notebook,
    sample: Sample,
    left_out: Callable[[str], bool],
) -> dict[str, Messages]:
    """Return which root errors may come from the sample, and why.

    Args:
        findings: Of a rehearsal.
        notebook: The sources that ran.
        sample: The sample they ran on.
        left_out: Whether a path is one of a file that is in the data but not in the sample.

    Returns:
        A sentence by cell id; a root error that is missing there is the notebook's own.
    """
    sources = {cell.id: cell.source for cell in notebook.cells if cell.type is CellType.CODE}
    numbers = {cell_id: _numbers(source) for cell_id, source in sources.items()}
    everywhere = set().union(*numbers.values())
    doubts: dict[str, Messages] = {}
    for finding in findings:
        if finding.kind is not ErrorKind.ROOT:
            continue
        here = numbers.get(finding.error.cell_id, set())
        reason = _reason(finding, sample, here, everywhere, left_out)
        if reason:
            doubts[finding.error.cell_id] = reason
    return doubts


def _reason(
    finding: Finding,
    sample: Sample,
    here: set[int],
    everywhere: set[int],
    left_out: Callable[[str], bool],
) -> Messages:
    error = finding.error
    text = error.evalue
    if error.ename in ("MemoryError", "ModuleNotFoundError", "NameError", "SyntaxError"):
        return ()
    named = [part for match in _QUOTED.findall(text) for part in match if part]
    if any(left_out(path) for path in named):
        return coded("sampled.file")
    if sample.files_left_out and _NO_PICTURE.search(text):
        return coded("sampled.picture")
    if not sample.tables:
        return ()
    if _TOO_FEW.search(text):
        return coded("sampled.too-few")
    if _EMPTY.search(text) or error.ename == "ZeroDivisionError":
        return coded("sampled.nothing-left")
    if _UNSEEN.search(text):
        return coded("sampled.value")
    smallest = min(table.rows for table in sample.tables)
    large = {number for number in here if number >= smallest}
    if large and (_BEYOND.search(text) or error.ename in ("IndexError", "KeyError")):
        return coded("sampled.place", place=max(large))
    if large and error.ename == "AssertionError":
        return coded("sampled.count", rows=max(large))
    if _SIZES.search(text) and _known_size(text, sample, everywhere, smallest):
        return coded("sampled.rows")
    return ()


def _known_size(text: str, sample: Sample, everywhere: set[int], smallest: int) -> bool:
    """Return whether the code has the whole data's row count, or a large number of the message."""
    sizes = {table.of + by for table in sample.tables for by in (-1, 0, 1)}
    sizes |= {one.of + other.of for one in sample.tables for other in sample.tables if one != other}
    if everywhere & sizes:
        return True
    said = {int(number) for number in _WHOLE_NUMBER.findall(text) if len(number) < 15}
    return any(number >= smallest for number in said & everywhere)


def _numbers(source: str) -> set[int]:
    """Return the whole numbers in a cell's code; magics and unparsable code have none."""
    numbers = whole_numbers(source)
    if numbers is None:
        return {int(number) for number in _WHOLE_NUMBER.findall(source) if len(number) < 15}
    return set(numbers)
