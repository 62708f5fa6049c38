"""Generalise several rewritten places: one fix, as data.

The smallest kind of fix that explains all places is used: another name, other arguments, or else a
template with placeholders for the parts that both sides share (anti-unification).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import libcst as cst

from mle_modernizer_server.code.program import Program
from mle_modernizer_server.code.tree import children, literal
from mle_modernizer_server.fixing.rules.learning.changes import Rewritten, code, keyword_of
from mle_modernizer_server.fixing.rules.learning.meaning import with_new
from mle_modernizer_server.fixing.rules.rule import CallFix, Fixing, MethodRename, Move, Template

_PLAIN = (str, int, float, bool, type(None))
_ROOM = 300
"""Limit in characters of a template's code; a longer one is a program, not a call."""


def common_fix(places: Sequence[Rewritten], after: Program) -> Fixing | None:
    """Return one fix that turns each old place into its new one; None if there is none.

    Args:
        places: Places with the same callee, at least one.
        after: The notebook they were taken from, as it ran.
    """
    for kind in (_renamed, _called_otherwise, _written_anew):
        fix = kind(places, after)
        if fix is not None:
            return fix
    return None


def _renamed(places: Sequence[Rewritten], after: Program) -> Fixing | None:
    """Return a fix with the same arguments and another name."""
    names = set()
    for place in places:
        old, new = _func(place.old), _func(place.new)
        if not _same_arguments(place.old, place.new):
            return None
        if place.callee.address:
            addresses = after.qualnames(new)
            if not addresses or addresses[0] == place.callee.address or "." not in addresses[0]:
                return None
            names.add(addresses[0])
        elif isinstance(old, cst.Attribute) and isinstance(new, cst.Attribute):
            if code(old.value) != code(new.value) or old.attr.value == new.attr.value:
                return None
            names.add(new.attr.value)
        else:
            return None
    if len(names) != 1:
        return None
    callee, name = places[0].callee, names.pop()
    if callee.address:
        return Move(do="move", names={callee.address: name})
    return MethodRename(
        do="rename-method",
        of=(callee.of,) if callee.of else (),
        names={callee.method: name},
        attribute=not isinstance(places[0].old, cst.Call),
    )


def _called_otherwise(places: Sequence[Rewritten], after: Program) -> Fixing | None:
    """Return a fix that renames, removes, adds or changes arguments of calls of the same callee."""
    fix = _Arguments()
    if not all(fix.take(place.old, place.new) for place in places):
        return None
    if fix.removed & fix.rename.keys():
        return None
    callee = places[0].callee
    return CallFix(
        do="call",
        functions=(callee.address,) if callee.address else (),
        methods=(callee.method,) if callee.method else (),
        of=(callee.of,) if callee.of else (),
        rename=fix.rename,
        remove=tuple(sorted(fix.removed)),
        add=fix.add,
        values=fix.values,
    )


@dataclass
class _Arguments:
    """Changes of the keywords of one call after the other; a contradiction is refused."""

    rename: dict[str, str] = field(default_factory=dict)
    removed: set[str] = field(default_factory=set)
    add: dict[str, str] = field(default_factory=dict)
    values: dict[str, dict[str, str]] = field(default_factory=dict)

    def take(self, old: cst.BaseExpression, new: cst.BaseExpression) -> bool:
        """Collect the keywords that a call lost and gained; return False if other parts differ."""
        if not isinstance(old, cst.Call) or not isinstance(new, cst.Call):
            return False
        if code(old.func) != code(new.func) or any(arg.star for arg in (*old.args, *new.args)):
            return False
        if _positional(old) != _positional(new):
            return False
        olds, news = _keywords(old), _keywords(new)
        come = [name for name in news if name not in olds]
        for name in (name for name in olds if name not in news):
            same = [other for other in come if code(news[other]) == code(olds[name])]
            if len(same) == 1 and self.rename.setdefault(name, same[0]) == same[0]:
                come.remove(same[0])
            else:
                self.removed.add(name)
        return all(self._added(name, news[name]) for name in come) and all(
            self._kept(name, olds[name], news[name]) for name in olds.keys() & news.keys()
        )

    def _added(self, name: str, value: cst.BaseExpression) -> bool:
        return _is_plain(value) and self.add.setdefault(name, code(value)) == code(value)

    def _kept(self, name: str, old: cst.BaseExpression, new: cst.BaseExpression) -> bool:
        if code(old) == code(new):
            return True
        if not _is_plain(old) or not _is_plain(new):
            return False
        return self.values.setdefault(name, {}).setdefault(code(old), code(new)) == code(new)


def _positional(call: cst.Call) -> list[str]:
    return [code(arg.value) for arg in call.args if not arg.keyword]


def _keywords(call: cst.Call) -> dict[str, cst.BaseExpression]:
    return {keyword_of(arg): arg.value for arg in call.args if arg.keyword}


def _written_anew(places: Sequence[Rewritten], after: Program) -> Fixing | None:
    """Return a fix with another expression around the old arguments."""
    templates = [_template(place, after) for place in places]
    first = templates[0]
    if first is None or any(one != first for one in templates):
        return None
    return first


def _template(place: Rewritten, after: Program) -> Template | None:
    given = _given(place)
    if given is None:
        return None
    imports: dict[str, str] = {}
    new = _Holes(given, after, imports, _in_order(place, given))
    text = new.written(place.new)
    if text is None or len(text) > _ROOM or "\n" in text:
        return None
    if set(given) - new.used:
        return None  # a dropped argument may have had an effect
    callee = place.callee
    positional = [name for name in given if re.fullmatch(r"argument\d+", name)]
    return Template(
        do="template",
        functions=(callee.address,) if callee.address else (),
        methods=(callee.method,) if callee.method else (),
        of=(callee.of,) if callee.of else (),
        attribute=bool(callee.method) and not isinstance(place.old, cst.Call),
        parameters=tuple(positional),
        keywords=tuple(name for name in given if name not in (*positional, "self")),
        write=text,
        imports=imports,
    )


class _Holes:
    """Writes an expression with placeholders for the old arguments."""

    def __init__(
        self,
        given: dict[str, cst.BaseExpression],
        after: Program,
        imports: dict[str, str],
        paired: dict[cst.CSTNode, str],
    ) -> None:
        self._names = {code(value): name for name, value in reversed(given.items())}
        self._after = after
        self._imports = imports
        self._paired = paired
        self.used: set[str] = set()

    def written(self, node: cst.BaseExpression) -> str | None:
        """Return the template; None if the code needs something else of the notebook."""
        holes: dict[cst.CSTNode, str] = {}
        if not self._find(node, holes):
            return None
        marks = {name: f"__hole_{number}__" for number, name in enumerate(holes.values())}
        text = code(with_new(node, {old: cst.Name(marks[name]) for old, name in holes.items()}))
        if "{" in text or "}" in text:
            return None
        for name, mark in marks.items():
            text = text.replace(mark, f"{{{name}}}")
        return text

    def _find(self, node: cst.CSTNode, holes: dict[cst.CSTNode, str]) -> bool:
        """Collect the placeholders; return False if one of the other nodes is not general."""
        paired = self._paired.get(node)
        name = paired
        if name is None and isinstance(node, cst.BaseExpression):
            name = self._names.get(code(node))
        if name is not None:
            if paired is None and name in self.used and isinstance(literal(node), _PLAIN):
                return False  # a number that occurs twice may be two different things
            self.used.add(name)
            holes[node] = name
            return True
        if isinstance(node, cst.Name):
            return self._root(node, holes)
        if isinstance(node, (cst.Arg, cst.Attribute)):
            return self._find(node.value, holes)  # without the keyword or attribute name
        return all(self._find(child, holes) for child in children(node))

    def _root(self, node: cst.Name, holes: dict[cst.CSTNode, str]) -> bool:
        """Collect a name that the new code is based on: a module; a builtin stays as it is."""
        addresses = self._after.qualnames(node)
        if len(addresses) != 1:
            return False
        if addresses[0] == f"builtins.{node.value}":
            return True
        if "." in addresses[0]:
            return False
        self._imports[addresses[0]] = node.value
        holes[node] = node.value
        return True


def _given(place: Rewritten) -> dict[str, cst.BaseExpression] | None:
    """Return the arguments of the old place, by their names in a template."""
    old = place.old
    found: dict[str, cst.BaseExpression] = {}
    func = _func(old)
    if place.callee.method and isinstance(func, cst.Attribute):
        found["self"] = func.value
    for number, arg in enumerate(old.args if isinstance(old, cst.Call) else (), start=1):
        if arg.star:
            return None
        found[keyword_of(arg) or f"argument{number}"] = arg.value
    return found


def _in_order(place: Rewritten, given: dict[str, cst.BaseExpression]) -> dict[cst.CSTNode, str]:
    """Return the new call's arguments with their old names, if the values are the same."""
    old, new = place.old, place.new
    if not isinstance(old, cst.Call) or not isinstance(new, cst.Call):
        return {}
    pairs = list(zip(old.args, new.args, strict=False))
    if len(old.args) != len(new.args) or any(code(a.value) != code(b.value) for a, b in pairs):
        return {}
    names = [name for name in given if name != "self"]
    return {arg.value: name for arg, name in zip(new.args, names, strict=True)}


def _func(node: cst.BaseExpression) -> cst.BaseExpression:
    return node.func if isinstance(node, cst.Call) else node


def _same_arguments(old: cst.BaseExpression, new: cst.BaseExpression) -> bool:
    if not isinstance(old, cst.Call) or not isinstance(new, cst.Call):
        return not isinstance(old, cst.Call) and not isinstance(new, cst.Call)
    return [_argument(arg) for arg in old.args] == [_argument(arg) for arg in new.args]


def _argument(arg: cst.Arg) -> tuple[str, str, str]:
    return arg.star, keyword_of(arg), code(arg.value)


def _is_plain(node: cst.BaseExpression) -> bool:
    return isinstance(literal(node), _PLAIN)


def names_in(fix: Fixing) -> Iterator[str]:
    """Return the names in the old code that a fix is about, as an error may complain of them."""
    if isinstance(fix, (Move, MethodRename)):
        yield from (name.rpartition(".")[2] for name in fix.names)
    elif isinstance(fix, CallFix):
        yield from (*fix.rename, *fix.remove, *fix.values, *fix.methods)
        yield from (name.rpartition(".")[2] for name in fix.functions)
    elif isinstance(fix, Template):
        yield from fix.methods
        yield from (name.rpartition(".")[2] for name in fix.functions)
