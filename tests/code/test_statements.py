"""What statements change of a notebook's data, checked against pandas itself."""

from __future__ import annotations

import ast
import pickle
import textwrap

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mle_modernizer_server.code.slices import backward_slice, changed_names
from mle_modernizer_server.code.statements import Statement, statements

START = """\
import operator, random
from functools import partial
import numpy as np, pandas as pd
from numpy import copyto
d = pd.DataFrame({'a': [1, 2]})
t = pd.DataFrame({'a': [1]})
xs = []
box = {'d': d}
"""
CHANGING = [
    "d['g'] = 1",
    "d.loc[0, 'a'] = 5",
    "d.values[:] = 0",
    "d.columns = ['b']",
    "d['a'] += 1",
    "d += 1",
    "del d['a']",
    "del d",
    "d = d.dropna()",
    "d, e = t, 1",
    "(d := d.dropna())",
    "for d in [t]: pass",
    "d.drop(columns='a', inplace=True)",
    "d.eval('g = a + 1', inplace=True)",
    "d.insert(0, 'g', 1)",
    "d.pop('a')",
    "d.__setitem__('g', 1)",
    "setattr(d, 'a', 1)",
    "operator.setitem(d, 'g', 1)",
    "np.random.shuffle(d.values)",
    "random.shuffle(d.values)",
    "np.copyto(d.a.values, 0)",
    "copyto(d.a.values, 0)",
    "np.add(d.a, 1, out=d.a.values)",
    "for x in [d, t]: x['g'] = 1",
    "for i, x in enumerate([d, t]): x['g'] = 1",
    "for n, x in box.items(): x['g'] = 1",
    "[x.drop(columns='a', inplace=True) for x in (d, t)]",
    "e = d; e['g'] = 1",
    "v = d.values; v[0] = 1",
    "box['d']['g'] = 1",
    "def f(): d['g'] = 1\nf()",
    "def f():\n    global d\n    d = d.dropna()\nf()",
    "def f(): d['g'] = 1\n[f() for i in range(1)]",
    "def f(i): d['g'] = 1\nlist(map(f, [1]))",
    "def f(i): d['g'] = 1\nt.apply(f)",
    "def f(x): x['g'] = 1\nf(d)",
    "def f(a, x): x['g'] = 1\nf(1, x=d)",
    "def f(x): x['g'] = 1\nlist(map(f, [d, t]))",
    "def f(x): return x\nf(d)['g'] = 1",
    "def f(): g()\ndef g(): d['g'] = 1\nf()",
    "def f(): d['g'] = 1\nh = f\nh()",
    "def f(x): x['g'] = 1\npartial(f, d)()",
    "g = lambda x: d.insert(0, 'g', x)\ng(1)",
    "list(map(lambda x: x.insert(0, 'g', 1), [d]))",
    "(lambda: d.insert(0, 'g', 1))()",
    "class C:\n    def __init__(self, x): self.x = x\n    def run(self): self.x['g'] = 1\n"
    "C(d).run()",
    "class C:\n    def run(self, x): x['g'] = 1\nC().run(d)",
    "if len(d): d['g'] = 1",
    "try:\n    d['g'] = 1\nexcept KeyError: pass",
    "with pd.option_context('a.b', 1): d['g'] = 1",
    "match [d]:\n    case [x]: x['g'] = 1",
    "globals()['d'] = 1",
    "exec(\"d['g'] = 1\")",
    "from unknown import prepare\nprepare(d)",
    "import unknown\nunknown.prepare(d)",
]
"""Cells that bind, delete or change `d`."""
NOT_CHANGING = [
    "e = d.copy(); e['g'] = 1",
    "d.groupby('a').mean().plot()",
    "d.plot()",
    "print(d.head())",
    "e = d[['a']]; e['g'] = 1",
    "e = d[d.a > 1]; e['g'] = 1",
    "e = d.drop(columns='a'); e['g'] = 1",
    "e = [x.mean() for x in [d, t]]",
    "e = sorted(d.a, key=lambda x: -x)",
    "e = d.a.apply(lambda x: x + 1)",
    "def f(x): return x.dropna()\ne = f(d)",
    "def f():\n    d = 1\n    d += 1\nf()",
    "def f(): d['g'] = 1",
    "[d for d in [1]]",
    "d.drop(columns='a', inplace=False)",
    "xs.append(1)",
    "np.sum(d)",
    "pd.merge(d, t)",
    "d.to_csv('x.csv')",
    "t['g'] = d.a",
    "def f(x): xs.append(x.mean())\nf(d)",
    "x, y = d.shape; x += 1",
    "np.random.seed(1)",
]


def _last_cell(*sources: str) -> list[Statement]:
    return statements([ast.parse(source) for source in sources])[-1]


def _changes(source: str) -> bool:
    cell = _last_cell(START, source)
    return any("d" in one.effects.changed or one.effects.unsure for one in cell)


@pytest.mark.parametrize("source", CHANGING)
def test_statement_that_changes_data_is_found(source: str) -> None:
    assert _changes(source)


@pytest.mark.parametrize("source", NOT_CHANGING)
def test_statement_that_changes_other_objects_is_not(source: str) -> None:
    assert not _changes(source)


def test_statements_table_agrees_with_pandas(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    wrong = [one for one in CHANGING if _runs_without_change(one)]
    wrong += [one for one in NOT_CHANGING if "plot" not in one and _runs_with_change(one)]
    assert wrong == []


def _after(source: str) -> tuple[object, bytes] | None:
    """Return the object and content of `d` after a cell, before it too; None if it fails."""
    space: dict[str, object] = {"__name__": "cell"}
    exec(START, space)
    before = (space["d"], pickle.dumps(space["d"]))
    try:
        exec(source, space)
    except (ValueError, ModuleNotFoundError, ImportError):
        return None  # arrays of pandas 3 are read-only
    same = space.get("d") is before[0]
    return same, pickle.dumps(space.get("d")) == before[1]


def _runs_without_change(source: str) -> bool:
    return _after(source) == (True, True)


def _runs_with_change(source: str) -> bool:
    return _after(source) not in (None, (True, True))


def test_changed_names_of_a_cell_include_functions_and_modules() -> None:
    assert changed_names("import os\ndef f(): pass\nx = 1\ny['a'] = x") == ("os", "f", "x", "y")


def test_slice_leaves_out_what_is_bound_anew() -> None:
    cell = _last_cell("a = 1\nb = a\na = 2\nc = a\nprint(c)")
    assert sorted(backward_slice(cell, [4])) == [2, 3, 4]


def test_slice_reads_globals_of_functions_where_they_are_called() -> None:
    source = """
        def f(): return a
        a = 1
        b = f()
        a = 2
        print(b)
    """
    assert sorted(backward_slice(_last_cell(textwrap.dedent(source)), [4])) == [0, 1, 2, 4]


def test_slice_keeps_a_star_import_that_may_bind_a_name() -> None:
    assert sorted(backward_slice(_last_cell("from x import *\ny = 1\nprint(z)"), [2])) == [0, 2]
    assert sorted(backward_slice(_last_cell("from x import *\ny = 1\nprint(y)"), [2])) == [1, 2]


def test_code_nested_too_deeply_may_change_what_it_names() -> None:
    (one,) = _last_cell("y = model" + ".add(1)" * 700)
    assert {"y", "model"} <= one.effects.changed


_NAME = st.sampled_from(["a", "b", "c"])
_OBJECT = st.one_of(
    _NAME,
    st.builds("[{}, {}]".format, _NAME, _NAME),
    st.builds("dict(k={})".format, _NAME),
    st.builds("{}[0]".format, _NAME),
    st.builds("{}[:]".format, _NAME),
    st.builds("({} if {} else {})".format, _NAME, _NAME, _NAME),
    st.builds("same({})".format, _NAME),
)
_ONE = st.one_of(
    st.builds("{} = {}".format, _NAME, _OBJECT),
    st.builds("{}, {} = {}, {}".format, _NAME, _NAME, _OBJECT, _OBJECT),
    st.builds("({} := {})".format, _NAME, _OBJECT),
    st.builds("{}.append({})".format, _NAME, _OBJECT),
    st.builds("{}[0] = {}".format, _NAME, _OBJECT),
    st.builds("{}[0].append(1)".format, _NAME),
    st.builds("del {}[0]".format, _NAME),
    st.builds("{} += [1]".format, _NAME),
    st.builds("for x in {}: x.append(1)".format, _OBJECT),
    st.builds("for i, x in enumerate({}): x.append(i)".format, _OBJECT),
    st.builds("[fill(x) for x in {}]".format, _OBJECT),
    st.builds("list(map(fill, {}))".format, _OBJECT),
    st.builds("fill({})".format, _OBJECT),
    st.builds("fill_global({})".format, _NAME),
    st.builds("list(map(lambda x: x.append(1), {}))".format, _OBJECT),
    st.builds("Box({}).fill()".format, _OBJECT),
    st.builds("box = Box({}); box.fill()".format, _OBJECT),
)
_FUNCTIONS = """
def same(x): return x
def fill(x): x.append(1)
def fill_global(x): a.append(len(x))
class Box:
    def __init__(self, x): self.x = x
    def fill(self): self.x.append(1)
a, b, c = [[1], [2]], [[3]], [[4], [5]]
"""


@settings(max_examples=50, deadline=None)
@given(st.lists(_ONE, min_size=1, max_size=6))
def test_statements_name_every_object_that_python_changes(cells: list[str]) -> None:
    found = statements([ast.parse(source) for source in (_FUNCTIONS, *cells)])[1:]
    space: dict[str, object] = {}
    exec(_FUNCTIONS, space)
    for source, cell in zip(cells, found, strict=True):
        before = {name: (id(space[name]), repr(space[name])) for name in "abc"}
        try:
            exec(source, space)
        except (AttributeError, IndexError, KeyError, TypeError, RecursionError):
            return  # of another type than the statement takes
        after = {name: (id(space[name]), repr(space[name])) for name in "abc"}
        changed = {name for name in "abc" if before[name] != after[name]}
        told = set().union(*(one.effects.changed for one in cell))
        assert changed <= told, source
