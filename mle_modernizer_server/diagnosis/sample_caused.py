"""Errors of a rehearsal that may come from the sample or from the short training.

The messages are those of scikit-learn (model_selection/_split.py, utils/validation.py), pandas
(core/indexing.py), NumPy and OpenCV.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import PurePosixPath

from mle_modernizer_server.code.contents import whole_numbers
from mle_modernizer_server.code.training import SHORT, ShortTraining
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
_STEPS = re.compile(r"steps_per_epoch|ran out of data")
_FEWER = re.compile(r"Length of values|inconsistent numbers of samples|Length mismatch")
_NO_FILE = re.compile(r"NotFoundError:|No such file|not found|[Uu]nable to (?:synchronously )?open")
_NUMBER = re.compile(r"(?<!\d)\d{1,6}(?!\d)")
_WHOLE_NUMBER = re.compile(r"(?<![\w.])\d{2,}(?![\w.])")
_QUOTED = re.compile(r"'([^'\n]+)'|\"([^\"\n]+)\"|(?:file|path|directory):? ([^\s'\"]\S*)")


def sample_caused(
    findings: Iterable[Finding],
    notebook: Notebook,
    sample: Sample,
    left_out: Callable[[str], bool],
    training: ShortTraining,
) -> dict[str, Messages]:
    """Return which root errors may come from the sample or the short training, and why.

    Args:
        findings: Of a rehearsal.
        notebook: The sources that ran.
        sample: The sample they ran on.
        left_out: Whether a path is one of a file that is in the data but not in the sample.
        training: The reduced numbers of the training.

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
        reason = reason or _training_reason(finding, here, training)
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


def _training_reason(finding: Finding, here: set[int], training: ShortTraining) -> Messages:
    """Return why an error may come from the short training; empty if it does not.

    Args:
        finding: The error.
        here: The whole numbers in the cell.
        training: The reduced numbers.
    """
    error = finding.error
    text = error.evalue
    numbers = {cut.number for cut in training.cuts if cut.number is not None}
    named = {int(number) for number in _NUMBER.findall(text)}
    if error.ename in ("NameError", "UnboundLocalError"):
        names = {part for match in _QUOTED.findall(text) for part in match}
        return coded("sampled.training-name") if names & training.conditional else ()
    if not training.cuts or error.ename in ("MemoryError", "ModuleNotFoundError", "SyntaxError"):
        return ()
    if _STEPS.search(text):
        return coded("sampled.training-steps")
    files = " ".join(PurePosixPath(part).name for match in _QUOTED.findall(text) for part in match)
    rounds = {int(number) for number in _NUMBER.findall(files)}
    if numbers and _NO_FILE.search(f"{error.ename}: {text}") and _between(rounds, max(numbers)):
        return coded("sampled.training-file")
    if error.ename == "IndexError" and numbers and _between(here, max(numbers)):
        return coded("sampled.training-place")
    if error.ename == "AssertionError" and here & numbers:
        return coded("sampled.training-sizes")
    fewer = any(not cut.was for cut in training.cuts)
    if _SIZES.search(text) and (named & numbers or (fewer and _FEWER.search(text))):
        return coded("sampled.training-sizes")
    return ()


def _between(numbers: set[int], largest: int) -> bool:
    """Return whether a number is one of a round that the short training does not reach."""
    return any(SHORT <= number <= largest for number in numbers)


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
