"""Renamed, removed and re-valued parameters in grids, in `set_params`, and in tables of models."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from mle_modernizer_server.code.ipython import literal_value
from mle_modernizer_server.code.model_settings import Entry, Setting, values
from mle_modernizer_server.code.tree import like_quotes, same_literal, string, without
from mle_modernizer_server.domain.proposal import Meaning
from mle_modernizer_server.fixing.rules.engine.context import (
    Answer,
    Change,
    Context,
    Fix,
    Unsure,
    one,
)
from mle_modernizer_server.fixing.rules.engine.shapes import without_elements
from mle_modernizer_server.fixing.rules.rule import CallFix


def is_for_settings(fix: CallFix) -> bool:
    """Return whether a class's arguments can be changed as settings: no other argument counts."""
    others = set(fix.given) - set(fix.rename)
    rests_on_others = fix.when or others or fix.unless_values or fix.inside
    changes = fix.rename or fix.remove or fix.remove_values or fix.values
    return bool(changes) and not rests_on_others and not fix.unless_code


def fix_setting(context: Context, node: cst.Dict | cst.Call, fix: CallFix) -> Answer:
    """Change the settings in one dict, or in one call of `dict` or `set_params`."""
    every = context.program.settings.of(node)
    ours = [setting for setting in every if set(setting.model) & set(fix.functions)]
    changes: list[Change] = []
    for setting in ours:
        if setting.parameter not in _about(fix) or _has_one_of(ours, setting, fix.unless):
            continue
        shared = any(
            other.entry is setting.entry and other.part == setting.part and other not in ours
            for other in every
        )
        if _is_dropped(context, setting, fix):
            if shared:
                return Unsure("the same grid is used for other models")
            if len(list(values(setting.entry))) > 1:
                if context.rule.meaning is Meaning.EXPERIMENT:
                    return Unsure("several values are tried that gave different results")
                if context.program.settings.draws:
                    return Unsure("a search draws its candidates from this grid")
            return one(node, _without(node, setting.entry))
        found = _changed(context, setting, fix)
        if isinstance(found, Unsure):
            return found
        if found and shared:
            return Unsure("the same grid is used for other models")
        changes += found
    return Fix(tuple(changes)) if changes else None


def _about(fix: CallFix) -> set[str]:
    return {*fix.rename, *fix.remove, *fix.remove_values, *fix.values}


def _has_one_of(settings: Sequence[Setting], setting: Setting, names: Sequence[str]) -> bool:
    """Return whether the same model gets one of some parameters as well."""
    return any(
        other.parameter in names and other.part == setting.part and other.model == setting.model
        for other in settings
    )


def _is_dropped(context: Context, setting: Setting, fix: CallFix) -> bool:
    """Return whether the whole entry goes; not if other rules retain the effect of one of its
    values.
    """
    if not setting.is_last or context.rule.after:
        return False
    if setting.parameter in fix.remove:
        return True
    old = fix.remove_values.get(setting.parameter)
    given = list(values(setting.entry))
    return old is not None and len(given) == 1 and same_literal(given[0], literal_value(old))


def _changed(context: Context, setting: Setting, fix: CallFix) -> list[Change] | Unsure:
    entry = setting.entry
    new = fix.rename.get(setting.parameter)
    if new is not None:
        return [_renamed(entry, setting.part, new)]
    table = fix.values.get(setting.parameter, {}) if setting.is_last else {}
    given = _listed(context, entry)
    if isinstance(given, Unsure):
        return given if table else []
    return [
        Change(value, like_quotes(code, value))
        for value in given
        for old, code in table.items()
        if same_literal(value, literal_value(old))
    ]


def _listed(context: Context, entry: Entry) -> list[cst.BaseExpression] | Unsure:
    """Return the values of an entry, also of a named list that has no other use."""
    if not isinstance(entry.value, cst.Name):
        return list(values(entry))
    name, given = entry.value, context.written(entry.value)
    if not isinstance(given, cst.List):
        return []
    users = [use for use in context.uses(given)[1:] if use is not name]
    for use in users:
        above = context.parent(use)
        if not isinstance(above, cst.AssignTarget):
            return Unsure(f"`{name.value}` is used elsewhere too")
    return [element.value for element in given.elements]


def _renamed(entry: Entry, part: int, new: str) -> Change:
    """Return the entry's name with another word at one place."""
    if isinstance(entry, cst.Arg):
        assert entry.keyword is not None
        words = entry.keyword.value.split("__")
        words[part] = new
        return Change(entry.keyword, cst.Name("__".join(words)))
    words = (string(entry.key) or "").split("__")
    words[part] = new
    return Change(entry.key, like_quotes(repr("__".join(words)), entry.key))


def _without(node: cst.Dict | cst.Call, entry: Entry) -> cst.Dict | cst.Call:
    if isinstance(node, cst.Call):
        assert isinstance(entry, cst.Arg)
        return without(node, [entry])
    assert isinstance(entry, cst.DictElement)
    return without_elements(node, [entry])
