"""An index of codemods by the nodes they handle, so that a node is passed to few of them."""

from __future__ import annotations

import importlib
import pkgutil
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Concatenate, ParamSpec, TypeVar

import libcst as cst

from mle_modernizer_server.code.program import Program
from mle_modernizer_server.code.tree import imported
from mle_modernizer_server.fixing.rules import libraries
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context
from mle_modernizer_server.fixing.rules.generic.calls import fix_call, fix_method
from mle_modernizer_server.fixing.rules.generic.moves import fix_import, fix_reference
from mle_modernizer_server.fixing.rules.generic.settings import fix_setting, is_for_settings
from mle_modernizer_server.fixing.rules.generic.templates import fix_template, fix_template_import
from mle_modernizer_server.fixing.rules.rule import (
    CallFix,
    Hand,
    MethodRename,
    Move,
    Rule,
    Template,
)

Handler = Callable[..., Answer]
"""Takes a `Context` and a node of the kind it was registered for."""

Node = TypeVar("Node", bound=cst.CSTNode)
Given = ParamSpec("Given")
Written = Callable[Concatenate[Context, Node, Given], Answer]


@dataclass(frozen=True)
class Codemod:
    """A codemod written in Python and the nodes it handles."""

    on: type[cst.CSTNode]
    names: tuple[str, ...]
    """For calls and attributes: last part of their name; empty: every node of that type."""
    handler: Handler
    module: str
    """Name of its module."""


_BY_RULE: dict[str, list[Codemod]] = {}


def codemod(
    *rules: str,
    on: type[Node],
    names: Iterable[str] = (),
    functions: Iterable[str] = (),
    **given: object,
) -> Callable[[Written[Node, Given]], Written[Node, Given]]:
    """Register a function as the codemod of the rules with these ids.

    Args:
        rules: Ids of rules whose fix is `do: codemod`.
        on: Type of the nodes it is called with.
        names: Last part of the name of calls, attributes and names; none: every node of that type.
        functions: Addresses of functions and classes: it is only called for calls of these, or for
            attributes that refer to them. Their last parts are the names if `names` is empty.
        given: Further arguments of the function, if rules differ in some detail.

    Raises:
        ValueError: `names` for nodes that have no name.
    """
    addresses = tuple(functions)
    names = tuple(names) or tuple({address.rpartition(".")[2]: None for address in addresses})
    if names and on not in (cst.Call, cst.Attribute, cst.Name):
        raise ValueError(f"codemod of {', '.join(rules)}: names go with calls and names only")

    def register(function: Written[Node, Given]) -> Written[Node, Given]:
        handler: Handler = function
        bound = partial(handler, **given) if given else handler
        if addresses:
            bound = partial(_for_functions, handler=bound, addresses=addresses)
        one = Codemod(on, names, bound, function.__module__)
        for rule in rules:
            _BY_RULE.setdefault(rule, []).append(one)
        return function

    return register


def _for_functions(
    context: Context, node: cst.CSTNode, handler: Handler, addresses: tuple[str, ...]
) -> Answer:
    """Return the handler's answer for a call, or a name, of one of these functions."""
    called = node.func if isinstance(node, cst.Call) else node
    return handler(context, node) if context.refers_to(called, *addresses) else None


@cache
def hand_written() -> dict[str, list[Codemod]]:
    """Return all codemods written in Python, by the id of their rule."""
    for module in pkgutil.walk_packages(libraries.__path__, f"{libraries.__name__}."):
        importlib.import_module(module.name)
    return _BY_RULE


Pair = tuple[Rule, Handler]


@dataclass
class Interest:
    """Handlers by the nodes they examine."""

    calls: dict[str, list[Pair]] = field(default_factory=lambda: defaultdict(list))
    attributes: dict[str, list[Pair]] = field(default_factory=lambda: defaultdict(list))
    names: dict[str, list[Pair]] = field(default_factory=lambda: defaultdict(list))
    imports: dict[str, list[Pair]] = field(default_factory=lambda: defaultdict(list))
    settings: dict[str, list[Pair]] = field(default_factory=lambda: defaultdict(list))
    """By the address of a model's class."""
    types: dict[type[cst.CSTNode], list[Pair]] = field(default_factory=lambda: defaultdict(list))

    def at(self, program: Program, node: cst.CSTNode) -> Iterator[Pair]:
        """Yield the handlers of a node, in the order of the rules."""
        kind = type(node)  # asking for the exact type is many times faster than isinstance here
        if kind is cst.Call:
            assert isinstance(node, cst.Call)
            for name in _call_names(program, node):
                yield from self.calls.get(name, ())
            yield from self._of_settings(program, node)
        elif kind is cst.Dict:
            yield from self._of_settings(program, node)
        elif kind is cst.Attribute:
            assert isinstance(node, cst.Attribute)
            yield from self.attributes.get(node.attr.value, ())
        elif kind is cst.Name:
            assert isinstance(node, cst.Name)
            yield from self.names.get(node.value, ())
        elif kind in (cst.Import, cst.ImportFrom):
            assert isinstance(node, (cst.Import, cst.ImportFrom))
            pairs = (pair for name in imported(node) for pair in self.imports.get(name, ()))
            yield from {id(pair): pair for pair in pairs}.values()
        yield from self.types.get(kind, ())

    def _of_settings(self, program: Program, node: cst.CSTNode) -> Iterator[Pair]:
        """Yield the handlers that change parameters of the models whose settings are in a node."""
        models = {name: None for one in program.settings.of(node) for name in one.model}
        pairs = (pair for name in models for pair in self.settings.get(name, ()))
        yield from {id(pair): pair for pair in pairs}.values()

    def named_in(self, program: Program) -> bool:
        """Return whether the notebook has one of the names at all."""
        names = {*self.calls, *self.attributes, *self.names, *self.imports}
        return bool(self.types) or any(
            name in cell.source for cell in program.cells for name in names
        )


def _call_names(program: Program, node: cst.Call) -> list[str]:
    if isinstance(node.func, cst.Attribute):
        return [node.func.attr.value]
    if not isinstance(node.func, cst.Name):
        return []
    last = [name.rpartition(".")[2] for name in program.qualnames(node.func)]
    return list(dict.fromkeys([node.func.value, *last]))


def handlers(rules: Sequence[Rule]) -> Interest:
    """Index the fixes of some rules."""
    interest = Interest()
    for rule in rules:
        for fix in rule.fixes:
            if isinstance(fix, Move):
                _index_move(interest, rule, fix)
            elif isinstance(fix, MethodRename):
                for name in fix.names:
                    interest.attributes[name].append((rule, partial(fix_method, fix=fix)))
            elif isinstance(fix, CallFix):
                _index_call(interest, rule, fix)
            elif isinstance(fix, Template):
                table = interest.attributes if fix.attribute else interest.calls
                for name in _last_parts(fix.functions, fix.methods):
                    table[name].append((rule, partial(fix_template, fix=fix)))
                for name in fix.functions:
                    interest.imports[name].append((rule, partial(fix_template_import, fix=fix)))
            elif isinstance(fix, Hand):
                _index_hand(interest, rule)
    return interest


class Interests:
    """The fixes of some rules: those that others come after, and the rest.

    Attributes:
        first: Rules that go first; None without any.
        rest: All others.
    """

    def __init__(self, rules: Sequence[Rule]) -> None:
        leading = {before for rule in rules for before in rule.after}
        first = [rule for rule in rules if rule.id in leading]
        self.first = handlers(first) if first else None
        self.rest = handlers([rule for rule in rules if rule.id not in leading])


def _last_parts(functions: Sequence[str], methods: Sequence[str]) -> list[str]:
    return list(dict.fromkeys([*(name.rpartition(".")[2] for name in functions), *methods]))


def _index_move(interest: Interest, rule: Rule, fix: Move) -> None:
    reference = (rule, partial(fix_reference, fix=fix))
    imports = (rule, partial(fix_import, fix=fix))
    for old in fix.names:
        interest.imports[old].append(imports)
    for last in dict.fromkeys(old.rpartition(".")[2] for old in fix.names):
        for table in (interest.attributes, interest.names):
            table[last].append(reference)


def _index_call(interest: Interest, rule: Rule, fix: CallFix) -> None:
    for name in _last_parts(fix.functions, fix.methods):
        interest.calls[name].append((rule, partial(fix_call, fix=fix)))
    if is_for_settings(fix):
        pair = (rule, partial(fix_setting, fix=fix))
        for address in fix.functions:
            interest.settings[address].append(pair)


def _index_hand(interest: Interest, rule: Rule) -> None:
    for one in hand_written()[rule.id]:
        pair = (rule, one.handler)
        table = interest.calls if one.on is cst.Call else interest.attributes
        if one.on is cst.Name:
            table = interest.names
        for name in one.names:
            table[name].append(pair)
        if not one.names:
            interest.types[one.on].append(pair)
