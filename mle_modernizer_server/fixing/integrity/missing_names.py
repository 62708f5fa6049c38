"""A patch in which a name that a run did not find is the near one that its kernel lists.

Tables of today's data sets often spell a column otherwise: `YrSold`, `Year_Sold`. A column that
does not exist cannot be an experiment's feature, so the near name is its new spelling.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from mle_modernizer_server.code.string_edits import renamed
from mle_modernizer_server.domain.execution import CellError, LiveFact
from mle_modernizer_server.domain.notebook import CellType
from mle_modernizer_server.domain.proposal import CellEdit, EditKind

_QUOTED = re.compile(r"'([^']+)'|\"([^\"]+)\"")
_NEAR_KEYS = re.compile(r"near (?:columns|keys) of ")
_KEYS = re.compile(r"(?:columns|keys) of ")
_UNDEFINED = re.compile(r"name '(\w+)' is not defined")
_NEAR_ENOUGH = 0.6


@dataclass(frozen=True)
class NearNames:
    """The near names that exist, by the ones that do not.

    Attributes:
        keys: Of columns and keys.
        variables: Of variables.
    """

    keys: Mapping[str, str] = field(default_factory=dict)
    variables: Mapping[str, str] = field(default_factory=dict)


def near_names(errors: Iterable[CellError]) -> NearNames:
    """Return the nearest existing name of each name that a run did not find.

    Args:
        errors: Of the run, with the facts from its kernel.
    """
    keys: dict[str, str] = {}
    variables: dict[str, str] = {}
    for error in errors:
        if error.ename == "KeyError":
            message = error.evalue.strip('"')  # "['a'] not in index"
            for name in (one or other for one, other in _QUOTED.findall(message)):
                near = _near_key(name, error.facts)
                if near is not None:
                    keys[name] = near
        elif error.ename == "NameError" and (match := _UNDEFINED.match(error.evalue)):
            for fact in error.facts:
                if fact.name == "near names" and fact.value:
                    variables[match[1]] = fact.value.split(", ")[0]
    return NearNames(keys, variables)


def _near_key(name: str, facts: Sequence[LiveFact]) -> str | None:
    """Return the nearest column or key; None if it exists itself or none is near."""
    near = [one.value.split(", ")[0] for one in facts if _NEAR_KEYS.match(one.name)]
    listed = [
        one or other
        for fact in facts
        if _KEYS.match(fact.name)
        for one, other in _QUOTED.findall(fact.value)
    ]
    if name in listed:
        return None
    by_lower = {one.lower(): one for one in reversed(listed)}
    close = difflib.get_close_matches(name.lower(), by_lower, n=1, cutoff=_NEAR_ENOUGH)
    return next(filter(None, (*near, *(by_lower[one] for one in close))), None)


def with_near_names(edits: Sequence[CellEdit], names: NearNames) -> tuple[CellEdit, ...]:
    """Return the edits for comparison, with the near names before and after.

    Args:
        edits: The patch.
        names: The near names.
    """
    return tuple(_with_near_names(edit, names) for edit in edits)


def _with_near_names(edit: CellEdit, names: NearNames) -> CellEdit:
    if edit.cell_type is not CellType.CODE or edit.kind is not EditKind.MODIFY:
        return edit
    if not names.keys and not names.variables:
        return edit
    base, new = (
        renamed(source, names.variables, names.keys)
        for source in (edit.base_source, edit.new_source)
    )
    if base is None or new is None:
        return edit
    return edit.model_copy(update={"base_source": base, "new_source": new})
