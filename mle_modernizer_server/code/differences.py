"""Differences between two versions of a cell: a walk over the trees of both, side by side.

What a difference means is another matter: see `fixing/integrity/classify_edit.py`.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import Enum

from mle_modernizer_server.code.calls import DISPLAY_METHODS, facts
from mle_modernizer_server.code.canonical.library_forms import canonical_pair
from mle_modernizer_server.code.cell_syntax import magic_of, parse_cell
from mle_modernizer_server.code.experiment.fact import Fact
from mle_modernizer_server.code.experiment.facts import facts_of
from mle_modernizer_server.code.experiment.rows import columns_dropped, makes_rows_or_features
from mle_modernizer_server.code.experiment.scores import outside_values, score_contexts
from mle_modernizer_server.code.expressions import (
    called_name,
    dotted,
    full_name,
    import_aliases,
    literal,
    root_name,
    tail,
)
from mle_modernizer_server.code.ipython import parse_python

Places = frozenset[str]
"""Names of the function and of the argument that an expression is handed to."""
IsRename = Callable[[str, str], bool]
"""Whether the second of two dotted names is the successor of the first."""
_OF_THE_MACHINE = ("_NUM_THREADS", "_LOG_LEVEL", "VISIBLE_DEVICES", "_FORCE_GPU_ALLOW_GROWTH")
_DISPLAY_ROOTS = frozenset(
    {"go", "plt", "sns", "matplotlib", "seaborn", "plotly", "px", "ax", "fig", "rcParams", "mpl"}
)
_DISPLAY_CALLS = DISPLAY_METHODS | facts("flow", "statements")
_IMPORTS = (ast.Import, ast.ImportFrom)


class Kind(str, Enum):
    """Kinds of differences."""

    NAME = "name"
    """Another name of a function, an attribute or a module: `old` and `new`."""
    LITERAL = "literal"
    SHOWN_KEY = "shown key"
    """A text that a printed value is indexed with."""
    ARGUMENT_ADDED = "argument added"
    """With its name as `new`."""
    ENTRY = "entry"
    """Of a dictionary: its key is `old` or `new`."""
    RESPELLED = "respelled"
    """Imports, arguments and keys that are written otherwise."""
    DISPLAYED = "displayed"
    MACHINE = "machine"
    """A library's use of the machine, or its log level."""
    UNITS = "units"
    """An expression that is multiplied with or added to a number."""
    LENGTH = "length"
    """Of a list of literals."""
    ROWS = "rows"
    """A statement that makes a feature, or more or fewer rows."""
    COLUMNS = "columns"
    """Columns that are not dropped any more."""
    OUTSIDE_VALUES = "outside values"
    """More values that no code computes."""
    SCORES = "scores"
    """Other computations with as many scores."""
    OTHER = "other"


@dataclass(frozen=True)
class Difference:
    """A difference between two versions of some code.

    Attributes:
        kind: Its kind.
        old: The name or literal as it was, if the kind has one.
        new: That in its place.
        places: Names of the function and of the argument that a literal is handed to.
    """

    kind: Kind
    old: object = None
    new: object = None
    places: Places = frozenset()


@dataclass(frozen=True)
class Comparison:
    """Both versions of a cell, in their canonical forms.

    Attributes:
        old: The facts of the old one.
        new: The facts of the new one.
        removed: Names and attributes of which there are fewer, with the difference.
        added: Those of which there are more.
        is_same_code: Only comments and layout differ.
        is_same_form: The canonical forms are equal.
        differences: The differences of the canonical forms.
    """

    old: Counter[Fact]
    new: Counter[Fact]
    removed: Counter[str]
    added: Counter[str]
    is_same_code: bool
    is_same_form: bool
    differences: tuple[Difference, ...]


def compare_cells(old: str, new: str, is_rename: IsRename) -> Comparison:
    """Compare two versions of a cell.

    Args:
        old: The old source.
        new: The new source.
        is_rename: Whether a dotted name is another's successor.

    Raises:
        SyntaxError: One of them is no Python 3.
    """
    before, after = parse_cell(old), parse_cell(new)
    is_same_code = ast.dump(before) == ast.dump(after)
    before, after = canonical_pair(before, after)
    is_same_form = ast.dump(before) == ast.dump(after)
    walk = _Walk(is_rename)
    walk.cells(before, after)
    aliases, had, has = import_aliases([before, after]), _words(before), _words(after)
    return Comparison(
        facts_of(before, aliases),
        facts_of(after, aliases),
        had - has,
        has - had,
        is_same_code,
        is_same_form,
        tuple(walk.found),
    )


def compare_expressions(old: str, new: str, is_rename: IsRename) -> tuple[Difference, ...]:
    """Return the differences of two expressions.

    Raises:
        SyntaxError: One of them is no expression.
    """
    walk = _Walk(is_rename)
    walk.nodes(parse_python(old), parse_python(new))
    return tuple(walk.found)


def _words(tree: ast.Module) -> Counter[str]:
    """Return the names and attributes in a cell, with their numbers."""
    return Counter(
        node.attr if isinstance(node, ast.Attribute) else node.id
        for node in ast.walk(tree)
        if isinstance(node, (ast.Attribute, ast.Name))
    )


class _Walk:
    """A walk over two trees that notes how they differ.

    Attributes:
        found: The differences so far.
    """

    def __init__(self, is_rename: IsRename) -> None:
        self._is_rename = is_rename
        self.found: list[Difference] = []

    def _note(
        self, kind: Kind, old: object = None, new: object = None, places: Places = frozenset()
    ) -> None:
        self.found.append(Difference(kind, old, new, places))

    # -- statements ------------------------------------------------------------------------------

    def cells(self, old: ast.Module, new: ast.Module) -> None:
        """Compare two cells, statement by statement and as a whole."""
        self.bodies(old.body, new.body)
        if columns_dropped(old) - columns_dropped(new) - _texts(new):
            self._note(Kind.COLUMNS)
        if outside_values(new) - outside_values(old):
            self._note(Kind.OUTSIDE_VALUES)
        before, after = score_contexts(old), score_contexts(new)
        if before != after and before.total() == after.total():
            self._note(Kind.SCORES)

    def bodies(self, old: list[ast.stmt], new: list[ast.stmt]) -> None:
        """Compare two lists of statements, after a match of the equal ones."""
        before, after = [ast.dump(node) for node in old], [ast.dump(node) for node in new]
        matcher = SequenceMatcher(None, before, after, autojunk=False)
        for tag, old_from, old_to, new_from, new_to in matcher.get_opcodes():
            if tag != "equal":
                self._replaced(old[old_from:old_to], new[new_from:new_to])

    def _replaced(self, removed: list[ast.stmt], added: list[ast.stmt]) -> None:
        both = [*removed, *added]
        if len(removed) != len(added) and any(isinstance(node, _IMPORTS) for node in both):
            # a new import does not unpair the others
            self._note(Kind.RESPELLED)
            removed = [node for node in removed if not isinstance(node, _IMPORTS)]
            added = [node for node in added if not isinstance(node, _IMPORTS)]
        if len(added) > len(removed):
            had = {called_name(inner) for node in removed for inner in ast.walk(node)}
            if any(makes_rows_or_features(node, had) for node in added):
                self._note(Kind.ROWS)
        if len(removed) == len(added):
            for one, other in zip(removed, added, strict=True):
                self._statements(one, other)
            return
        for node in (*removed, *added):
            if isinstance(node, _IMPORTS):
                self._note(Kind.RESPELLED)
            else:
                self._note(Kind.DISPLAYED if _displays(node) else Kind.OTHER)

    def _statements(self, old: ast.stmt, new: ast.stmt) -> None:
        if _displays(old) and _displays(new):
            self._note(Kind.DISPLAYED)
            if _prints(old) and _prints(new):
                before, after = _keys(old), _keys(new)
                removed, added = list((before - after).elements()), (after - before).elements()
                pairs = list(zip(removed, added, strict=False))
                for one, other in pairs if before.total() == after.total() else ():
                    self._note(Kind.SHOWN_KEY, one, other)
        elif isinstance(old, _IMPORTS) and isinstance(new, _IMPORTS):
            self._note(Kind.RESPELLED)
        elif _sets_machine(old) and _sets_machine(new):
            self._note(Kind.MACHINE)
        else:
            self.nodes(old, new)

    # -- expressions -----------------------------------------------------------------------------

    def nodes(self, old: ast.AST, new: ast.AST, places: Places = frozenset()) -> None:
        """Compare two trees."""
        one, other = full_name(old), full_name(new)
        if one != other and "." in one + other and one and other and self._is_rename(one, other):
            self._note(Kind.NAME, one, other)  # np.int → int, tf.random_normal → tf.random.normal
        elif type(old) is not type(new):
            self._note(Kind.UNITS if _is_rescaled(old, new) else Kind.OTHER)
        elif isinstance(old, ast.Constant) and isinstance(new, ast.Constant):
            if old.value != new.value or type(old.value) is not type(new.value):
                self._note(Kind.LITERAL, old.value, new.value, places)
        elif isinstance(old, ast.Call) and isinstance(new, ast.Call):
            self._calls(old, new)
        elif isinstance(old, ast.Attribute) and isinstance(new, ast.Attribute):
            if old.attr != new.attr:
                self._note(Kind.NAME, old.attr, new.attr)
            self.nodes(old.value, new.value, places)
        elif isinstance(old, ast.Name) and isinstance(new, ast.Name):
            if old.id != new.id:
                self._note(Kind.OTHER)
        elif isinstance(old, ast.Dict) and isinstance(new, ast.Dict):
            self._dicts(old, new)
        elif _listed(old) != _listed(new) and not places & _DISPLAY_CALLS:
            self._note(Kind.LENGTH)  # a feature, a class or a candidate more or less
        else:
            self._fields(old, new, places)

    def _dicts(self, old: ast.Dict, new: ast.Dict) -> None:
        """Compare two dictionaries entry by entry: of parameters, mostly."""
        before, after = (
            {_entry(key): value for key, value in zip(one.keys, one.values, strict=True) if key}
            for one in (old, new)
        )
        if None in old.keys or None in new.keys or len(before) < len(old.keys):
            self._fields(old, new, frozenset())
            return
        had, has = ({*map(ast.unparse, filter(None, one.keys))} for one in (old, new))
        if had != has:
            self._note(Kind.RESPELLED)
        for key in before.keys() & after.keys():
            self.nodes(before[key], after[key], frozenset({key}))
        for key in before.keys() - after.keys():
            self._note(Kind.ENTRY, old=key)
        for key in after.keys() - before.keys():
            self._note(Kind.ENTRY, new=key)

    def _fields(self, old: ast.AST, new: ast.AST, places: Places) -> None:
        if _is_other_step(old, new):
            self._note(Kind.OTHER)  # a step was put before it
            return
        for field in old._fields:
            self._parts(getattr(old, field, None), getattr(new, field, None), places)

    def _parts(self, old: object, new: object, places: Places) -> None:
        """Compare two fields, or two items of lists in them."""
        if isinstance(old, ast.AST) and isinstance(new, ast.AST):
            self.nodes(old, new, places)
        elif isinstance(old, list) and isinstance(new, list):
            if all(isinstance(node, ast.stmt) for node in (*old, *new)):
                self.bodies(old, new)
            elif len(old) != len(new):
                self._note(Kind.OTHER)
            else:
                for one, other in zip(old, new, strict=True):
                    self._parts(one, other, places)
        elif old != new:
            self._note(Kind.OTHER)

    def _calls(self, old: ast.Call, new: ast.Call) -> None:
        if isinstance(new.func, ast.Attribute) and ast.dump(new.func.value) == ast.dump(old):
            self._note(Kind.OTHER)  # a method of the old one's result
            return
        one, other = full_name(old.func), full_name(new.func)
        if self._within(old, new):
            return
        if one and other and one != other:
            self._note(Kind.NAME, one, other)
        else:
            self.nodes(old.func, new.func)
        places = frozenset({called_name(old), called_name(new)})
        before = {keyword.arg: keyword.value for keyword in old.keywords}
        after = {keyword.arg: keyword.value for keyword in new.keywords}
        positional = old.args[: len(new.args)]
        spare = {ast.dump(argument) for argument in old.args[len(new.args) :]}
        if spare and spare <= set(map(ast.dump, after.values())):
            self._note(Kind.RESPELLED)  # positional arguments that became keywords
            before |= {name: value for name, value in after.items() if ast.dump(value) in spare}
        else:
            positional = old.args
        self._parts(positional, new.args, places)
        for name in before.keys() & after.keys():
            self.nodes(before[name], after[name], places | {name or ""})
        removed = Counter(ast.dump(before[name]) for name in before if name not in after)
        if removed:
            # renamed, or one that no longer exists: if it matters, the whole cell shows it
            self._note(Kind.RESPELLED)
        for name in (name for name in after if name not in before):
            if removed[dumped := ast.dump(after[name])]:
                removed[dumped] -= 1
            else:
                self._note(Kind.ARGUMENT_ADDED, new=name)

    def _within(self, old: ast.Call, new: ast.Call) -> bool:
        """Compare a call with the one that it is within the other: `f(x, how=g)` and `f(x).g()`.

        Return whether there was one. A wrapper that was added or removed counts as a statement's
        own.
        """
        name, other = _callee(old), _callee(new)
        if name == other or self._is_rename(name, other):
            return False
        inner = next((one for one in _calls_under(new) if _callee(one) == name), None)
        outer = next((one for one in _calls_under(old) if _callee(one) == other), None)
        if inner is not None:
            self.nodes(old, inner)
        elif outer is not None:
            self.nodes(outer, new)
        else:
            return False
        self._note(Kind.OTHER)
        return True


def _sets_machine(node: ast.stmt) -> bool:
    """Return whether a statement limits a library's use of the machine, or sets its log level."""
    match node:
        case ast.Assign([ast.Subscript(owner, ast.Constant(str() as name))]):
            return tail(dotted(owner, {})) == "environ" and name.endswith(_OF_THE_MACHINE)
    return False


def _prints(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and called_name(node.value) == "print"


def _texts(tree: ast.Module) -> set[str]:
    """Return the texts in some code, without those that only rename a column."""
    renaming = {
        inner
        for node in ast.walk(tree)
        if called_name(node) == "rename"
        for inner in ast.walk(node)
    }
    texts = (literal(node) for node in ast.walk(tree) if node not in renaming)
    return {text for text in texts if isinstance(text, str)}


def _keys(node: ast.stmt) -> Counter[str]:
    """Return the texts that something is indexed with."""
    return Counter(
        inner.slice.value
        for inner in ast.walk(node)
        if isinstance(inner, ast.Subscript)
        and isinstance(inner.slice, ast.Constant)
        and isinstance(inner.slice.value, str)
    )


def _displays(node: ast.stmt) -> bool:
    """Return whether a statement only displays something."""
    match node:
        case ast.Expr(ast.Call(function) as call):
            if (magic := magic_of(call)) is not None:
                method, texts = magic
                return method == "run_line_magic" and texts[:1] in (("matplotlib",), ("config",))
            return _is_of_plots(function) or called_name(call) in _DISPLAY_CALLS
        case ast.Expr(ast.Constant() | ast.Name() | ast.Attribute() | ast.Subscript()):
            return True
        case ast.Assign(targets, value):
            if all(root_name(target) in _DISPLAY_ROOTS for target in targets):
                return True  # plt.rcParams["…"] = …
            # fig, ax = plt.subplots()
            return isinstance(value, ast.Call) and _is_of_plots(value.func)
    return False


def _is_of_plots(function: ast.expr) -> bool:
    return dotted(function, {}).partition(".")[0] in _DISPLAY_ROOTS


def _is_rescaled(old: ast.AST, new: ast.AST) -> bool:
    """Return whether an expression is another one in other units: times, by or plus a number."""
    if not isinstance(new, ast.BinOp):
        return False
    same = () if isinstance(new.op, (ast.Add, ast.Sub)) else (1, -1)
    sides = ((new.left, new.right), (new.right, new.left))
    return any(
        ast.dump(one) == ast.dump(old)
        and isinstance(literal(other), (int, float))
        and literal(other) not in same
        for one, other in sides
    )


def _is_other_step(old: ast.AST, new: ast.AST) -> bool:
    """Return whether both index a step of the same pipeline by different numbers:
    `model.steps[1]`."""
    if not (isinstance(old, ast.Subscript) and isinstance(new, ast.Subscript)):
        return False
    pipeline, numbers = dotted(old.value, {}), (literal(old.slice), literal(new.slice))
    same = tail(pipeline) == "steps" and dotted(new.value, {}) == pipeline
    return same and numbers[0] != numbers[1] and all(type(one) is int for one in numbers)


def _listed(node: ast.AST) -> int | None:
    """Return the length of a list of literals; None for anything else."""
    if not isinstance(node, (ast.List, ast.Set)) or not node.elts:
        return None
    plain = all(isinstance(item, ast.Constant) for item in node.elts)
    return len(node.elts) if plain else None


def _entry(key: ast.expr) -> str:
    """Return the key of an entry, without the path to a step of a pipeline: `estimator__C`."""
    text = literal(key)
    return text.rpartition("__")[2] if isinstance(text, str) else ast.unparse(key)


def _callee(node: ast.Call) -> str:
    return full_name(node.func) or called_name(node)


def _calls_under(node: ast.Call) -> Iterator[ast.Call]:
    """Yield the calls that a call is a method of, or whose first argument they are, nearest
    first."""
    inner: ast.expr | None = node
    while inner is not None:
        if isinstance(inner, ast.Call) and inner is not node:
            yield inner
        match inner:
            case ast.Call(ast.Name() | ast.Attribute(ast.Name()), [first, *_]):
                inner = first  # `np.array(f(x))`
            case ast.Call(ast.Attribute(under)) | ast.Attribute(under) | ast.Subscript(under):
                inner = under
            case ast.Call(args=[first, *_]):
                inner = first
            case _:
                inner = None
