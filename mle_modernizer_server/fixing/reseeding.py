"""A copy of a notebook with other seeds, to measure how far its score depends on them.

The copy is run and thrown away: it is never proposed and never displayed as a fix. Literal seeds
get another value, equal ones the same; all else stays byte for byte. The hashes of strings, which a
notebook cannot fix from inside, are new in every fresh kernel anyway.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import libcst as cst

from mle_modernizer_server.code.cell_code import code_of_cell
from mle_modernizer_server.code.tree import called_name, string
from mle_modernizer_server.domain.notebook import Cell, CellType, Notebook

_SEED = re.compile(r"(?:.*_)?(?:seed|seeds|random_state|random_states|rng_seed|pythonhashseed)\d*")
_COUNT = re.compile(r"(?:n|num|nb|no|number|max|min|len)(?:_of)?_.*|.*_(?:count|size|len|idx|col)")
_CALLS = re.compile(r"(?:.*_)?seed(?:_.*)?|(?:.*_)?seed_?(?:all|everything)|random_?seed")
_MAKERS = frozenset(
    {
        "RandomState",
        "default_rng",
        "Random",
        "SeedSequence",
        "PCG64",
        "PCG64DXSM",
        "MT19937",
        "Philox",
        "SFC64",
        "PRNGKey",
    }
)
"""Functions that make a generator from a seed, by the last part of their names."""
_LARGEST = 2**31 - 1
"""The libraries' common bound: scikit-learn, TensorFlow and LightGBM take 32 bits."""
_STEP = 100_003


@dataclass(frozen=True)
class Seed:
    """A place with a seed."""

    cell_id: str
    code: str
    """The line or argument in the source: `random_state=42`."""


@dataclass(frozen=True)
class Reseeded:
    """The measuring copy.

    Attributes:
        notebook: Only to be run.
        seeds: The changed seeds, in order.
    """

    notebook: Notebook
    seeds: tuple[Seed, ...]


def reseeded(notebook: Notebook, number: int) -> Reseeded:
    """Return the notebook with other seeds.

    Args:
        notebook: The sources.
        number: Which other seeds, from 1; 0 returns the notebook as it is.
    """
    if notebook.language != "python":
        return Reseeded(notebook, ())
    cells: list[Cell] = []
    seeds: list[Seed] = []
    for cell in notebook.cells:
        source, found = (
            _reseeded(cell.source, number) if cell.type is CellType.CODE else (cell.source, [])
        )
        seeds += [Seed(cell.id, code) for code in found]
        cells.append(cell if source == cell.source else cell.model_copy(update={"source": source}))
    return Reseeded(notebook.model_copy(update={"cells": tuple(cells)}), tuple(seeds))


def _reseeded(source: str, number: int) -> tuple[str, list[str]]:
    """Return a cell's source with other seeds, and their code; unchanged if it cannot be parsed."""
    cell = code_of_cell("", 0, source)
    if cell is None:
        return source, []
    change = _Reseed(cell.module, number)
    try:
        after = cell.module.visit(change)
    except RecursionError:
        return source, []
    assert isinstance(after, cst.Module)
    restored = cell.masked.restore(after.code)
    return (source, []) if restored is None else (restored, change.found)


@dataclass(eq=False)
class _Reseed(cst.CSTTransformer):
    """Transformer that changes the literals at the places of seeds."""

    module: cst.Module
    number: int
    found: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    def on_leave(  # type: ignore[override]  # what replaces a node is of its own class
        self, original_node: cst.CSTNode, updated_node: cst.CSTNode
    ) -> cst.CSTNode:
        if isinstance(updated_node, cst.Call):
            return self._call(updated_node, original_node)
        if isinstance(updated_node, cst.Assign):
            return self._assignment(updated_node, original_node)
        part = _seed_part(updated_node)
        if part is None:
            return updated_node
        whole = updated_node.iter if isinstance(updated_node, _LOOPS) else original_node
        return updated_node.with_changes(**{part: self._other(getattr(updated_node, part), whole)})

    def _call(self, call: cst.Call, shown: cst.CSTNode) -> cst.Call:
        """`np.random.seed(0)`, `torch.manual_seed(0)`, `RandomState(0)`, `seed_everything(0)`."""
        name = called_name(call)
        if not (name in _MAKERS or _CALLS.fullmatch(name.lower())):
            return call
        args = list(call.args)
        if not args or args[0].keyword is not None or args[0].star:
            return call
        args[0] = args[0].with_changes(value=self._other(args[0].value, shown))
        return call.with_changes(args=args)

    def _assignment(self, assign: cst.Assign, shown: cst.CSTNode) -> cst.Assign:
        """`SEED = 42`, `cfg.seed = 1`, `params['seed'] = 1`, `seed, n = 1, 2`."""
        if any(_names_seed(one.target) for one in assign.targets):
            return assign.with_changes(value=self._other(assign.value, shown))
        target, value = assign.targets[0].target, assign.value
        if not isinstance(target, cst.Tuple) or not isinstance(value, cst.Tuple):
            return assign
        if len(target.elements) != len(value.elements):
            return assign
        elements = [
            one.with_changes(value=self._other(one.value, shown))
            if _names_seed(name.value)
            else one
            for name, one in zip(target.elements, value.elements, strict=True)
        ]
        return assign.with_changes(value=value.with_changes(elements=elements))

    def _other(self, value: cst.BaseExpression, shown: cst.CSTNode) -> cst.BaseExpression:
        """Return another value for a literal, a list of such, `str` of one or `range`."""
        after = self._new(value)
        if after is not value:
            code = " ".join(self.module.code_for_node(shown).strip(" ,;\n").split())
            self.found.append(code if len(code) <= 80 else f"{code[:79]}…")
        return after

    def _new(self, value: cst.BaseExpression) -> cst.BaseExpression:
        if isinstance(value, cst.Integer):
            return value.with_changes(value=str(self._moved(int(value.evaluated_value))))
        if isinstance(value, cst.SimpleString):
            text = value.raw_value
            if text.isascii() and text.isdigit():
                moved = str(self._moved(int(text)))
                return value.with_changes(value=f"{value.prefix}{value.quote}{moved}{value.quote}")
        if isinstance(value, (cst.List, cst.Tuple)):
            elements = [one.with_changes(value=self._new(one.value)) for one in value.elements]
            same = all(
                new.value is old.value for new, old in zip(elements, value.elements, strict=True)
            )
            return value if same else value.with_changes(elements=elements)
        if isinstance(value, cst.Call) and isinstance(value.func, cst.Name):
            return self._new_of_call(value, value.func.value)
        return value

    def _new_of_call(self, call: cst.Call, name: str) -> cst.BaseExpression:
        plain = all(arg.keyword is None and not arg.star for arg in call.args)
        whole = [isinstance(arg.value, cst.Integer) for arg in call.args]
        if name in ("str", "int") and plain and len(whole) == 1:
            value = self._new(call.args[0].value)
            if value is call.args[0].value:
                return call
            return call.with_changes(args=[call.args[0].with_changes(value=value)])
        if name != "range" or not plain or not all(whole) or len(whole) not in (1, 2):
            return call
        # range(5) → range(k, k + 5): as many seeds as before.
        bounds = [int(cst.ensure_type(arg.value, cst.Integer).evaluated_value) for arg in call.args]
        low, high = ([0, *bounds])[-2:]
        start = self._moved(low)
        ends = (str(start), str(start + high - low))
        first = cst.Arg(
            cst.Integer(ends[0]), comma=cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
        )
        if len(call.args) == 2:
            first = call.args[0].with_changes(value=cst.Integer(ends[0]))
        return call.with_changes(
            args=[first, call.args[-1].with_changes(value=cst.Integer(ends[1]))]
        )

    def _moved(self, seed: int) -> int:
        return (seed + self.number * _STEP) % _LARGEST if self.number else seed


_LOOPS = (cst.For, cst.CompFor)


def _seed_part(node: cst.CSTNode) -> str | None:
    """Return which part of a node is a seed, or several; None if there is none."""
    if isinstance(node, cst.Arg):  # random_state=42
        return "value" if node.keyword is not None and _is_seed(node.keyword.value) else None
    if isinstance(node, cst.AnnAssign):  # seed: int = 42
        return "value" if node.value is not None and _names_seed(node.target) else None
    if isinstance(node, cst.Param):  # def split(seed=42):
        return "default" if node.default is not None and _is_seed(node.name.value) else None
    if isinstance(node, cst.DictElement):  # {'bagging_seed': 3}
        return "value" if _is_seed(string(node.key) or "") else None
    if isinstance(node, _LOOPS):  # for seed in [1, 2, 3]:
        return "iter" if _names_seed(node.target) else None
    return None


def _is_seed(name: str) -> bool:
    """Return whether a name is a seed's, and not, say, the number of seeds."""
    lower = name.lower()
    return bool(_SEED.fullmatch(lower)) and not _COUNT.fullmatch(lower)


def _names_seed(target: cst.BaseExpression) -> bool:
    """`seed`, `cfg.seed`, `params['seed']`, `os.environ['PYTHONHASHSEED']`."""
    if isinstance(target, cst.Name):
        return _is_seed(target.value)
    if isinstance(target, cst.Attribute):
        return _is_seed(target.attr.value)
    if isinstance(target, cst.Subscript) and len(target.slice) == 1:
        index = target.slice[0].slice
        return isinstance(index, cst.Index) and _is_seed(string(index.value) or "")
    return False


def codes(seeds: Sequence[Seed]) -> tuple[str, ...]:
    """Return their code, each once, in order."""
    return tuple(dict.fromkeys(seed.code for seed in seeds))
