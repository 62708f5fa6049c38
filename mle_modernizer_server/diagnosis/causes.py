"""Distinguish a cell's own failure from one that only follows from an earlier failure."""

from __future__ import annotations

import builtins
import fnmatch
import posixpath
import re
from dataclasses import dataclass, field

from mle_modernizer_server.code.contents import class_names, module_names
from mle_modernizer_server.code.effects import (
    Effects,
    attribute_holders,
    calls_attribute,
    lost_effects,
    made_from,
    names_bound_before,
    names_used,
)
from mle_modernizer_server.code.traceback import (
    WORKING,
    failed_line,
    failing_lines,
)
from mle_modernizer_server.domain.diagnosis import ErrorKind, Finding
from mle_modernizer_server.domain.execution import CellError, CellStatus, Execution
from mle_modernizer_server.domain.notebook import Notebook

_UNDEFINED = re.compile(r"^name '(\w+)' is not defined")
_SINGLE_QUOTED = re.compile(r"'([^']*)'")
_DOUBLE_QUOTED = re.compile(r'"([^"]*)"')
_NO_ATTRIBUTE = re.compile(r"has no attribute '(\w+)'")
_NO_COLUMN = re.compile(r"^Could not interpret (?:value|input) [`'](\w+)[`']")
"""Of seaborn: no column of the table is called so."""
_CLASS_OF = re.compile(r"^'(\w+)' object ")
_OF_NO_COLUMN = frozenset(
    {
        *("ix", "blocks", "ftypes", "is_copy", "labels", "levels", "minor_axis", "major_axis"),
        *("dtype", "name", "str", "dt", "cat", "nonzero", "real", "imag", "hasnans"),
    }
)
"""Attributes that tables lost, and those of `Series` and `Index`: no column is meant by them."""
_UNCHANGED_TYPES = frozenset(
    {"NoneType", "bool", "int", "float", "list", "tuple", "set", "function"}
)
"""Of Python's own, those that lost no attribute since Python 2."""
_NOT_FITTED = re.compile(
    r"not (?:been )?fitted|not trained|call (?:`|')?fit|fit (?:method )?(?:first|before)|"
    r"has not been (?:built|compiled|trained)",
    re.IGNORECASE,
)
_LEARNED = re.compile(r"has no attribute '[a-z]\w*[a-z0-9]_'")
"""Attribute that an estimator has only after fitting."""
_UNPREPARED = re.compile(
    r"could not convert string to float|contains? (?:NaN|infinity)|feature names|"
    r"number of features|features, but|inconsistent numbers of samples|"
    r"DataFrame\.dtypes for data must be|pandas dtypes must be",
    re.IGNORECASE,
)
_STATISTIC = re.compile(
    r"\.(?:corr|corrwith|cov|mean|median|std|var|sem|skew|kurt|kurtosis|quantile|sum|prod)\("
)
"""Messages of operations that pandas no longer does on a table with texts, whatever ran before."""
_BINDING_MAGIC = re.compile(r"%(?:pylab|run|load|store|import)|=\s*!|\b(?:exec|globals|setattr)\(")
"""Statements that may define names absent from every cell."""
_OLD_BUILTINS = frozenset(
    {
        *("unicode", "xrange", "raw_input", "basestring", "long", "reduce", "reload", "unichr"),
        *("cmp", "execfile", "file", "intern", "coerce", "apply", "buffer", "display"),
        *("get_ipython", "In", "Out", "exit", "quit"),
    }
)
"""Names of Python 2 and of IPython."""
_OTHER_INDEX = re.compile(
    r"^'(?:Range)?Index' object has no attribute '(?:year|month|quarter|week|weekofyear|day|"
    r"dayofyear|dayofweek|weekday|hour|minute|second|date|time|tz_localize|tz_convert)'"
    r"|^Only valid with DatetimeIndex|^cannot do slice indexing on RangeIndex "
    r"|not supported between instances of 'str' and '(?:int|float)'"
)
"""Of a table that has rows or columns of another kind than the code wants."""
_FUNCTION_AS_VALUE = re.compile(
    r"'(?:function|type)' (?:and|object is not)|and '(?:function|type)'"
)
"""Of a name that is still a function or class: the cell that gives it a value has not done so."""
_LABEL_OF_SERIES = re.compile(r"\bSeries\.__getitem__\b")
"""Since pandas 3.0 a number in the brackets of a `Series` is a label, whatever ran before."""
_EMPTY = re.compile(
    r"\bempty\b|\b0 (?:elements|samples?|features?|values)\b|index out of range|zero-size|"
    r"No objects to concatenate|shape ?=?\(0|at least one|division by zero|"
    r"^Length of values \(0\)"
)
_OF_WHAT_IS_EMPTY = frozenset({"ValueError", "IndexError", "ZeroDivisionError", "StatisticsError"})


@dataclass(frozen=True)
class _Loss:
    """A cell that failed or did not run, and the effects it therefore lacks."""

    cell_id: str
    root: str
    effects: Effects
    stale: set[str] = field(default_factory=set)
    """Names that later cells bind to results of the unchanged objects: they are as wrong."""
    bound_since: set[str] = field(default_factory=set)
    """Names that cells behind it bound."""


def findings(notebook: Notebook, execution: Execution) -> tuple[Finding, ...]:
    """Return every error of a run as root, cascade or harmless.

    Returns:
        The root errors in notebook order, each followed by its cascades; then the harmless ones.
    """
    sources = [cell.source for cell in notebook.code_cells()]
    modules = set(module_names(sources))
    plain = _UNCHANGED_TYPES | class_names(sources)
    raised = {error.cell_id: error for error in execution.raised}
    losses: list[_Loss] = []
    roots: list[Finding] = []
    cascades: list[Finding] = []
    for run in execution.cells:
        cell = notebook.cell(run.cell_id)
        if cell is None or run.status is CellStatus.SKIPPED:
            continue
        if run.status is CellStatus.OK:
            for loss in losses:
                wrong = (loss.effects.changed | loss.stale | _left_old(loss)) - modules
                loss.stale.update(made_from(cell.source, wrong))
                loss.bound_since.update(lost_effects(cell.source, None).names)
            continue
        root = run.cell_id
        error = raised.get(run.cell_id)
        if error is not None:
            cause = _cause(error, cell.source, losses, modules)
            cause = cause or _not_made_anew(error, cell.source, losses, plain)
            cause = cause or _without_column(error, cell.source, losses, modules)
            root = cause.root if cause else run.cell_id
            if cause is None:
                why = _imported_as_in_python2(error) or _not_defined_before(error, notebook)
                roots.append(Finding(kind=ErrorKind.ROOT, error=error, explanation=why))
            else:
                cascades.append(Finding(kind=ErrorKind.CASCADE, error=error, caused_by=root))
        failed_at = None if error is None else failed_line(error, cell.source)
        losses.append(_Loss(run.cell_id, root, lost_effects(cell.source, failed_at)))
    ordered: list[Finding] = []
    for finding in roots:
        ordered.append(finding)
        ordered += [item for item in cascades if item.caused_by == finding.error.cell_id]
    # A cell that did not run has no error of its own: an error that follows from it still is a
    # cascade.
    ordered += [item for item in cascades if item not in ordered]
    shown = [error for error in execution.errors if not error.raised]
    return (*ordered, *(Finding(kind=ErrorKind.HARMLESS, error=error) for error in shown))


def _imported_as_in_python2(error: CellError) -> str:
    """Return a sentence if a missing module is next to the one that imports it; else empty."""
    if not error.imported_beside:
        return ""
    return (
        f"`{error.imported_beside}` imports a module that lies beside it by its bare name, which "
        "only Python 2 finds there; no package is missing."
    )


def _not_defined_before(error: CellError, notebook: Notebook) -> str:
    """Return a sentence if no cell, or only a later one, defines a name that an error misses; empty
    if an earlier cell may.
    """
    undefined = _UNDEFINED.match(error.evalue)
    if error.ename != "NameError" or undefined is None:
        return ""
    name = undefined[1]
    if hasattr(builtins, name) or name in _OLD_BUILTINS:
        return ""
    cells = notebook.code_cells()
    number = notebook.code_number(error.cell_id)
    if any(_may_define(cell.source, name) for cell in cells[:number] if cell.runs):
        return ""
    for cell in cells[:number]:
        if not cell.runs and _may_define(cell.source, name):
            return (
                f"The cell {cell.snippet} defines `{name}` and is tagged `skip-execution`, so it "
                "was not run. Remove the tag if the cell is needed."
            )
    for cell in cells[number:]:
        if name in lost_effects(cell.source, None).names:
            return (
                f"The cell {cell.snippet} defines `{name}` and is further down: in this order "
                "the error is the notebook's own, with libraries of any age."
            )
        if _may_define(cell.source, name):
            return ""
    return (
        f"No cell of the notebook defines `{name}`: the error is its author's, with libraries of "
        "any age."
    )


def _may_define(source: str, name: str) -> bool:
    """Return whether a cell may bind a name, in Python 2 as well: there the variable of a loop in
    brackets, and of an exception, stayed bound.
    """
    found = lost_effects(source, None)
    if found.everything or name in found.names or _BINDING_MAGIC.search(source):
        return True
    return re.search(rf"\b(?:for\b[^:\n]*|as\s+)\b{name}\b", source) is not None


def _cause(error: CellError, source: str, losses: list[_Loss], modules: set[str]) -> _Loss | None:
    """Return the earliest loss that explains an error, or None."""
    undefined = _UNDEFINED.match(error.evalue)
    if error.ename == "NameError" and undefined:
        name = undefined[1]
        bound = [loss for loss in losses if name in loss.effects.names]
        anything = [loss for loss in losses if loss.effects.everything]
        return next(iter([*bound, *(() if name in _OLD_BUILTINS else anything)]), None)
    if error.ename == "FileNotFoundError":
        return _writer(error, losses)
    is_function = error.ename == "TypeError" and _FUNCTION_AS_VALUE.search(error.evalue)
    if is_function or _OTHER_INDEX.search(error.evalue):
        return _of_old_object(error, source, losses, modules)
    missing = _missing_keys(error)
    if missing:
        known = next((loss for loss in losses if missing & loss.effects.keys), None)
        of_table = error.ename == "KeyError" or _NO_COLUMN.search(error.evalue) is not None
        if known is not None or not (of_table or _unfinished_object(error)):
            return known
        if not of_table:
            return _unmade(error, source, losses, modules)
        # Columns that result from the data (`get_dummies`, a merge) are in no source.
        made = _of_old_object(error, source, losses, modules)
        return made or _unfilled(error, source, losses, modules)
    if error.ename == "KeyError":  # a number, which is not searched for in the source
        if any(_LABEL_OF_SERIES.search(line) for line in error.traceback):
            return _filled_in_place(error, source, losses, modules)
        return _unfilled(error, source, losses, modules)
    if error.ename in _OF_WHAT_IS_EMPTY and _EMPTY.search(error.evalue):
        return _unfilled(error, source, losses, modules)
    return _unmade(error, source, losses, modules) if _unfinished_object(error) else None


def _not_made_anew(
    error: CellError, source: str, losses: list[_Loss], plain: frozenset[str]
) -> _Loss | None:
    """Return the earliest loss of a statement that would have rebound a name to another object.

    The object without the attribute must be of Python's or of the notebook's own classes: if a
    library's object lacks one, the library has changed.

    Args:
        error: A cell's.
        source: The cell.
        losses: Earlier losses.
        plain: Names of those classes.
    """
    wanted, found = _NO_ATTRIBUTE.search(error.evalue), _CLASS_OF.match(error.evalue)
    if error.ename != "AttributeError" or not wanted or not found or found[1] not in plain:
        return None
    line = failed_line(error, source)
    holders = attribute_holders(source, line, wanted[1]) - names_bound_before(source, line)
    return next(
        (loss for loss in losses if holders & (loss.effects.names - loss.bound_since)), None
    )


def _without_column(
    error: CellError, source: str, losses: list[_Loss], modules: set[str]
) -> _Loss | None:
    """Return the earliest loss of a statement that would have remade the table whose column is read
    as an attribute. An attribute that is called is a method.
    """
    wanted, found = _NO_ATTRIBUTE.search(error.evalue), _CLASS_OF.match(error.evalue)
    if error.ename != "AttributeError" or not wanted or not found or found[1] != "DataFrame":
        return None
    line, column = failed_line(error, source), wanted[1]
    if column in _OF_NO_COLUMN or calls_attribute(source, line, column):
        return None
    tables = attribute_holders(source, line, column) - modules - names_bound_before(source, line)
    for loss in losses:
        if tables & (loss.stale | (loss.effects.names - loss.bound_since)):
            return loss
    return None


def _left_old(loss: _Loss) -> set[str]:
    """Return the names that a loss left with their earlier objects, or unbound."""
    return loss.effects.remade | (loss.effects.names - loss.bound_since)


def _of_old_object(
    error: CellError, source: str, losses: list[_Loss], modules: set[str]
) -> _Loss | None:
    """Return the earliest loss that would have remade an object of the failing statement."""
    line = failed_line(error, source)
    used = names_used(source, line) - modules - names_bound_before(source, line)
    return next((loss for loss in losses if used & (_left_old(loss) | loss.stale)), None)


def _unmade(error: CellError, source: str, losses: list[_Loss], modules: set[str]) -> _Loss | None:
    """Return the earliest loss of a step that an object of the statement requires."""
    used = names_used(source, failed_line(error, source)) - modules
    return next(
        (
            loss
            for loss in losses
            if used & (loss.effects.changed | loss.effects.names | loss.stale)
        ),
        None,
    )


def _unfilled(
    error: CellError, source: str, losses: list[_Loss], modules: set[str]
) -> _Loss | None:
    """Return the earliest loss that should have filled an object of the failing statement."""
    used = names_used(source, failed_line(error, source)) - modules
    for loss in losses:
        filled = loss.effects.filled | loss.stale
        if used & (filled | made_from(source, filled)):
            return loss
    return None


def _filled_in_place(
    error: CellError, source: str, losses: list[_Loss], modules: set[str]
) -> _Loss | None:
    """Return the earliest loss that would have added items to an object of the statement."""
    used = names_used(source, failed_line(error, source)) - modules
    return next((loss for loss in losses if used & loss.effects.filled), None)


def _unfinished_object(error: CellError) -> bool:
    """Return whether the message reports that an object lacks an earlier step."""
    if error.ename.endswith("NotFittedError") or _NOT_FITTED.search(error.evalue):
        return True
    if error.ename == "AttributeError" and _LEARNED.search(error.evalue):
        return True
    if error.evalue.startswith("could not convert") and any(
        _STATISTIC.search(line) for line in failing_lines(error)
    ):
        return False
    return error.ename in ("ValueError", "TypeError") and bool(_UNPREPARED.search(error.evalue))


def _missing_keys(error: CellError) -> set[str]:
    if error.ename == "KeyError":
        return _quoted(error.evalue)
    if column := _NO_COLUMN.search(error.evalue):
        return {column[1]}
    attribute = _NO_ATTRIBUTE.search(error.evalue)
    return {attribute[1]} if error.ename == "AttributeError" and attribute else set()


def _writer(error: CellError, losses: list[_Loss]) -> _Loss | None:
    wanted = {_place(path) for path in _quoted(error.evalue) if path}
    for loss in losses:
        written = {_place(file) for file in loss.effects.files if _is_named(file)}
        if any(fnmatch.fnmatchcase(path, file) for path in wanted for file in written):
            return loss
    return None


def _is_named(file: str) -> bool:
    """Return whether more of a file's name is known than its suffix."""
    return bool(posixpath.splitext(posixpath.basename(file))[0].strip("*"))


def _quoted(text: str) -> set[str]:
    return {*_SINGLE_QUOTED.findall(text), *_DOUBLE_QUOTED.findall(text)}


def _place(path: str) -> str:
    """Return a path as seen from the working directory."""
    return posixpath.normpath(path).removeprefix(f"{WORKING}/")
