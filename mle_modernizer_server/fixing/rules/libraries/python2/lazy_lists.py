"""Functions that returned lists in Python 2 and return views and iterators now.

https://docs.python.org/3/whatsnew/3.0.html#views-and-iterators-instead-of-lists

`list(…)` goes around it only if a list is needed: if it is indexed, measured, added to a list or
changed; in a notebook known to be Python 2 also if it is bound to a name, returned, printed,
displayed as a cell's result, collected, or passed to a function that may do so. A `map` that is a
statement of its own serves the side effects of its function, which need an iteration.
"""

from __future__ import annotations

import re

import libcst as cst

from mle_modernizer_server.code.program import Program
from mle_modernizer_server.code.tree import method_name
from mle_modernizer_server.code.types.type import FRAME, INDEX, SERIES, TEXT
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.lines import around
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.tables import table

_VIEWS = frozenset({"keys", "values", "items"})
_FUNCTIONS = frozenset({"builtins.map", "builtins.filter", "builtins.zip", "builtins.range"})
_ITERATE = table("python", "iterating-functions", frozenset[str])
"""Functions that only iterate over their arguments (`len` is handled separately)."""
_TAKE_ITERATORS = table("python", "functions-of-iterators", frozenset[str])
"""Library functions that iterate once over their arguments (as does all of itertools)."""
_TAKEN = frozenset({None, "data", "index", "columns", "objs"})
"""Their keywords with this behaviour; None: no keyword."""
_TAKE_VIEWS = {
    "matplotlib.pyplot.plot": 2,
    "matplotlib.pyplot.bar": 2,
    "matplotlib.pyplot.barh": 2,
    "matplotlib.pyplot.scatter": 2,
    "matplotlib.pyplot.hist": 1,
    "matplotlib.pyplot.boxplot": 1,
}
"""Number of a function's first arguments that may be a dictionary's views; no iterator may."""
_TAKE_RANGES = ("itertools.", "matplotlib.pyplot.", "numpy.", "pandas.")
"""Prefixes of functions that accept a range in place of a list of numbers."""
_LIST_METHODS = frozenset(
    {"append", "extend", "index", "insert", "pop", "remove", "reverse", "sort"}
)
_SPLIT = frozenset({"split", "rsplit", "splitlines"})
"""Methods of texts that return lists of texts."""
_GO_THROUGH = frozenset(
    {"extend", "join", "update", "writerows", "fromkeys", "union", "difference"}
)

_LAZY = re.compile(r"\b(xrange|i(map|filter|zip)|(iter|view)(keys|values|items))\b")
_LAZY_NAMES = {
    **{name: (f"i{name}",) for name in ("map", "filter", "zip")},
    **{f".{name}": (f".iter{name}", f".view{name}") for name in _VIEWS},
    "range": ("xrange",),
}
"""Python 2's functions for iterators and views, by today's names."""

_OF_TABLES = re.compile(r"(^|_)df\d*($|_)|frame$", re.IGNORECASE)
"""Names of tables."""
_OF_CHARACTERS = re.compile(
    r"printable|punctuation|ascii|letters|digits|\bord\(|\.is(alpha|digit|alnum|space|upper|lower)\b"
)
"""Methods and names in tests that are mostly applied to single characters."""


def gives_list(context: Context, node: cst.Call) -> bool:
    """Return whether a call returned a list in Python 2."""
    if isinstance(node.func, cst.Name):
        if node.func.value == "range" and any(arg.star for arg in node.args):
            return False
        return bool(node.args) and context.refers_to(node.func, *_FUNCTIONS)
    if not isinstance(node.func, cst.Attribute) or node.args:
        return False
    return node.func.attr.value in _VIEWS and not context.qualnames(node.func)


@codemod(
    "python2-lazy-lists",
    on=cst.Call,
    names=("keys", "values", "items", "map", "filter", "zip", "range"),
)
def as_list(context: Context, node: cst.Call) -> Answer:
    """Rewrite `d.keys()[0]` as `list(d.keys())[0]`."""
    if not gives_list(context, node) or context.program.lookup("list", node).bindings:
        return None
    is_range = isinstance(node.func, cst.Name) and node.func.value == "range"
    if isinstance(node.func, cst.Attribute):
        inferred = context.type_of(node.func.value)
        if context.guess(node.func.value) in (FRAME, SERIES, INDEX):
            return None  # the keys of a table are an index
        if inferred is None and _OF_TABLES.search(context.code(node.func.value)):
            return None
        is_dict = inferred is not None and inferred.name in (
            "builtins.dict",
            "collections.defaultdict",
        )
        sure = is_dict or context.program.python2 or context.evidence(node)
    else:
        sure = True
    if not sure or not _needed(context, node, is_range) or _was_lazy(context, node):
        return None
    if isinstance(node.func, cst.Attribute) and _is_frequency(context, node.func.value):
        return Unsure("NLTK 2 gave the most frequent first; most_common() does so now")
    if _may_be_of_text(context, node):
        return Unsure("the characters of a text may be filtered, which gave a text")
    return one(node, cst.Call(cst.Name("list"), [cst.Arg(node)]))


def _was_lazy(context: Context, node: cst.Call) -> bool:
    """Return whether it was `izip`, `iteritems` or the like, already lazy in Python 2.

    The original call is the one at the same index in the cell, which no rule changes.
    """
    before = context.program.first
    cell = next((one for one in before.cells if one.cell_id == context.cell.cell_id), None)
    if cell is None or not _LAZY.search(cell.source):
        return False
    name = _short_name(context.program, node)
    old = [_short_name(before, call) for call in cell.nodes(cst.Call)]
    old = [one for one in old if one in (name, *_LAZY_NAMES[name])]
    if set(old) <= {name}:
        return False
    calls = context.cell.nodes(cst.Call)
    new = [call for call in calls if _short_name(context.program, call) == name]
    return len(old) != len(new) or old[new.index(node)] != name


def _short_name(program: Program, call: cst.Call) -> str:
    """Return `map`, `imap` or `items`; empty if it is none of these functions and methods."""
    names = [name.rpartition(".") for name in program.qualnames(call.func)]
    for module, _, name in names:
        if module in ("builtins", "itertools"):
            return name
    if not isinstance(call.func, cst.Attribute) or names or call.args:
        return ""
    return f".{call.func.attr.value}"


def _is_frequency(context: Context, node: cst.BaseExpression) -> bool:
    """Return whether it is `nltk.FreqDist(…)`, or a name that may be bound to one."""
    written = context.all_written(node)
    called = (value.func for value in written if isinstance(value, cst.Call))
    names = (func.attr if isinstance(func, cst.Attribute) else func for func in called)
    return any(isinstance(name, cst.Name) and name.value == "FreqDist" for name in names)


def _may_be_of_text(context: Context, node: cst.Call) -> bool:
    """Return whether `filter` may iterate over a text: in Python 2 its result was a text.

    `filter(lambda c: c in string.printable, text)`, `filter(str.isalpha, text)`.
    """
    if len(node.args) != 2 or not context.refers_to(node.func, "builtins.filter"):
        return False
    test, filtered = node.args[0].value, node.args[1].value
    if context.type_of(filtered) == TEXT:
        return True
    if _OF_CHARACTERS.search(context.code(test)) is None:
        return False
    values = context.all_written(filtered)
    return (
        not values
        or len(values) < len(context.bounds(filtered))
        or not all(_makes_list(context, value) for value in values)
    )


def _makes_list(context: Context, node: cst.BaseExpression) -> bool:
    """Return whether a value was a list in Python 2, whatever it is made from."""
    if not isinstance(node, cst.Call):
        return isinstance(node, (cst.List, cst.ListComp))
    if isinstance(node.func, cst.Attribute) and node.func.attr.value in _SPLIT:
        return context.type_of(node) not in (FRAME, SERIES, INDEX)
    names = set(context.qualnames(node.func))
    return bool(names & {"builtins.list", "builtins.sorted", "builtins.map", "builtins.zip"})


def _needed(context: Context, node: cst.Call, is_range: bool) -> bool:
    parent = context.parent(node)
    if isinstance(parent, cst.Subscript) and parent.value is node:
        return not is_range
    if isinstance(parent, cst.BinaryOperation):
        if isinstance(parent.operator, cst.Multiply):
            return context.program.python2 or _is_repeated(context, node, parent)
        return isinstance(parent.operator, cst.Add)
    if isinstance(parent, cst.Attribute):
        return parent.attr.value in _LIST_METHODS and not (
            is_range and parent.attr.value == "index"
        )
    if isinstance(parent, cst.Arg):
        return _handed_over(context, parent, is_range)
    if not context.program.python2:
        return False
    if isinstance(parent, cst.Expr):
        if not isinstance(node.func, cst.Name):
            return False
        return node.func.value == "map" or _is_shown(context, parent)
    if isinstance(parent, cst.Assign) and (
        all(isinstance(target.target, (cst.Tuple, cst.List)) for target in parent.targets)
        or _looped_over_next(context, node, parent)
    ):
        return False  # it is unpacked or iterated over at once
    if is_range and isinstance(parent, cst.Assign):
        return not all(_as_range(context, use) for use in context.uses(node)[1:])
    if isinstance(parent, (cst.ListComp, cst.DictComp)):
        return True
    return isinstance(parent, (cst.Assign, cst.Return, cst.DictElement, cst.Element, cst.Lambda))


def _is_repeated(context: Context, node: cst.Call, product: cst.BinaryOperation) -> bool:
    """Return whether the factor is an integer: a NumPy number makes an array of a range."""
    times = product.left if product.right is node else product.right
    if isinstance(times, cst.Call):
        return context.refers_to(times.func, "builtins.len")
    return isinstance(times, cst.Integer) or context.evidence(node)


def _looped_over_next(context: Context, node: cst.Call, assigned: cst.Assign) -> bool:
    """Return whether the next statement loops over its name, and nothing else uses the name."""
    loop = next(iter(around(context, context.parent(assigned))[1]), None)
    uses = [
        use
        for use in context.uses(node)[1:]
        if not isinstance(context.parent(use), cst.AssignTarget)
    ]
    return isinstance(loop, cst.For) and [loop.iter] == uses


def _as_range(context: Context, use: cst.BaseExpression) -> bool:
    """Return whether a range can replace a list of numbers here: it is only iterated over."""
    parent = context.parent(use)
    if isinstance(parent, cst.AssignTarget):
        return True
    if isinstance(parent, (cst.For, cst.CompFor)):
        return parent.iter is use
    if not isinstance(parent, cst.Arg):
        return False
    call = context.program.cell_of(use).places[parent].parent
    if not isinstance(call, cst.Call):
        return False
    names = set(context.qualnames(call.func))
    if names & {"builtins.isinstance", "builtins.type", "numpy.random.shuffle"}:
        return False
    return bool(names & _ITERATE) or any(name.startswith(_TAKE_RANGES) for name in names)


def _is_shown(context: Context, node: cst.Expr) -> bool:
    """Return whether it is the last expression of the cell, which Jupyter displays."""
    line = context.parent(node)
    return (
        isinstance(line, cst.SimpleStatementLine)
        and context.cell.module.body[-1] is line
        and line.body[-1] is node
        and node.semicolon is cst.MaybeSentinel.DEFAULT
    )


def _handed_over(context: Context, arg: cst.Arg, is_range: bool) -> bool:
    call = context.parent(arg)
    if not isinstance(call, cst.Call) or arg.star:
        return False
    names = set(context.qualnames(call.func))
    if "builtins.print" in names:
        return context.program.python2 and isinstance(getattr(arg.value, "func", None), cst.Name)
    if "builtins.len" in names:
        return not is_range and not isinstance(getattr(arg.value, "func", None), cst.Attribute)
    if is_range:
        return bool({"random.shuffle", "numpy.random.shuffle"} & names)
    if not context.program.python2 or names & _ITERATE:
        return False
    if any(name.startswith("numpy.") for name in names):
        return False  # a separate rule handles it
    if _taken_as_it_is(call, arg, names):
        return False
    return method_name(call) not in _GO_THROUGH


def _taken_as_it_is(call: cst.Call, arg: cst.Arg, names: set[str]) -> bool:
    """Return whether a library's function treats this argument like a list of it."""
    if any(name.startswith("itertools.") for name in names):
        return True
    keyword = None if arg.keyword is None else arg.keyword.value
    if names & _TAKE_ITERATORS and keyword in _TAKEN:
        return True
    is_view = isinstance(getattr(arg.value, "func", None), cst.Attribute)
    views = max((_TAKE_VIEWS.get(name, 0) for name in names), default=0)
    return is_view and keyword is None and call.args.index(arg) < views
