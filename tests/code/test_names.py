"""The names that code binds, reads and deletes, checked against Python itself."""

from __future__ import annotations

import ast
import builtins

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mle_modernizer_server.code.cell_code import code_of_cell
from mle_modernizer_server.code.names import names_in, names_of_function

EVERY_WAY = """\
def f(): tmp = 1
import a.b as c, d.e
try: pass
except ValueError as err: pass
x = [i for i in range(3)]
match v:
    case {"k": m, **rest}: pass
    case [y, *more]: pass
if (n := 3): pass
for k, (p, q) in z: pass
with open("f") as h: pass
"""


def test_names_of_every_binding_form() -> None:
    own = names_in(EVERY_WAY)
    assert " ".join(own.bound) == "c d err f h k m more n p q rest x y"
    assert set(own.read) == {"ValueError", "open", "range", "v", "z"}
    cell = code_of_cell("c", 1, EVERY_WAY)
    assert cell is not None
    assert cell.top.names.keys() == own.bound.keys()


@pytest.mark.parametrize(
    ("source", "bound", "read", "deleted"),
    [
        ("x: int", "", "int", ""),
        ("x: int = y", "x", "int y", ""),
        ("x += y", "x", "x y", ""),
        ("del x, y[0]", "", "y", "x"),
        ("d['a'] = t.b", "", "d t", ""),
        ("f = lambda a, b=c: a + b + g", "f", "c g", ""),
        ("def f(a: t = c): return a + g", "f", "c g t", ""),
        ("def f():\n    x = 1\n    return [x + i for i in y]", "f", "y", ""),
        ("class A(B):\n    x = 1\n    def f(self): return x", "A", "B x", ""),
        ("[x for x in x if (y := x)]", "y", "x", ""),
        ("[(y := z) for y2 in t for z in y2]", "y", "t", ""),
        ("from a import *", "", "", ""),
        ("async def f(): await g()", "f", "g", ""),
        ("%matplotlib inline\nx = !ls", "x", "", ""),
        ("print x\ny = 2", "y", "print x y", ""),
    ],
)
def test_names_by_form(source: str, bound: str, read: str, deleted: str) -> None:
    own = names_in(source)
    assert (" ".join(own.bound), set(own.read)) == (bound, set(read.split()))
    assert " ".join(own.deleted) == deleted


def test_names_have_positions() -> None:
    own = names_in("x = 1\nfor x in y: print(x)")
    assert own.bound == {"x": [(1, 0), (2, 4)]}
    assert own.read["x"] == [(2, 18)]


def test_names_of_function_with_global_and_nonlocal() -> None:
    source = "def f(a, b=g):\n global w\n w = a\n l = u\n def i():\n  nonlocal l\n  l = w, v"
    (node,) = ast.parse(source).body
    assert isinstance(node, ast.FunctionDef)
    own = names_of_function(node)
    assert own.own == ("a", "b")
    assert set(own.bound) == {"a", "b", "i", "l"}
    assert (set(own.read), set(own.outer)) == ({"u", "v", "w"}, {"w"})
    assert set(names_in(source).outer) == {"w"}


_NAME = st.sampled_from(["a", "b", "c", "d", "e"])
_VALUE = st.recursive(
    st.one_of(_NAME, st.just("1")),
    lambda inner: st.one_of(
        st.builds("[{} for {} in [{}]]".format, inner, _NAME, inner),
        st.builds("(lambda {}={}: {})(0)".format, _NAME, inner, inner),
        st.builds("({} := {})".format, _NAME, inner),
        st.builds("({}, {})".format, inner, inner),
    ),
    max_leaves=4,
)
_SIMPLE = st.one_of(
    st.builds("{} = {}".format, _NAME, _VALUE),
    st.builds("{}, *{} = {}, 2, 3".format, _NAME, _NAME, _VALUE),
    st.builds("{} = [{}]; {}[0] = {}".format, _NAME, _VALUE, _NAME, _VALUE),
    st.builds("import os.path as {}, sys".format, _NAME),
    st.builds("del {}".format, _NAME),
)


def _block(head: st.SearchStrategy[str], body: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.builds(lambda start, end: f"{start}\n    " + end.replace("\n", "\n    "), head, body)


_STATEMENT = st.recursive(
    _SIMPLE,
    lambda inner: st.one_of(
        _block(st.builds("for {} in [{}]:".format, _NAME, _VALUE), inner),
        _block(st.builds("if {} == 1:".format, _VALUE), inner),
        _block(st.builds("def {}({}=1):\n    global b".format, _NAME, _NAME), inner),
        _block(st.builds("class {}:".format, _NAME), inner),
        _block(st.builds("try:\n    {}\nexcept NameError as {}:".format, _VALUE, _NAME), inner),
        _block(st.builds("match {}:\n  case [{}, *_]:".format, _VALUE, _NAME), inner),
    ),
    max_leaves=3,
)


class _Namespace(dict[str, object]):
    """A namespace that notes which names code asks for and sets."""

    def __init__(self) -> None:
        super().__init__(__builtins__=builtins, __name__="cell")
        self.asked: set[str] = set()
        self.set: set[str] = set()

    def __getitem__(self, name: str) -> object:
        self.asked.add(name)
        return super().__getitem__(name)

    def __setitem__(self, name: str, value: object) -> None:
        self.set.add(name)
        super().__setitem__(name, value)


def test_parameter_of_a_lambda_in_a_default_hides_no_name() -> None:
    assert "a" in names_in("(lambda b=(lambda a=1: 1)(0): a)(0)").read


def test_comprehension_in_a_class_reads_outside_of_the_class() -> None:
    assert "a" in names_in("class c:\n    a = [a for b in [1]]").read


@settings(max_examples=60, deadline=None)
@given(st.lists(_STATEMENT, min_size=1, max_size=4))
def test_names_contain_what_python_binds_and_reads(statements: list[str]) -> None:
    source = "\n".join(statements)
    try:
        code = compile(source, "cell", "exec")
    except SyntaxError:
        return  # `global` after a parameter of that name, say
    own = names_in(source)
    space = _Namespace()
    try:
        exec(code, space)
    except Exception as error:  # noqa: BLE001  # generated code fails in any way
        assert not isinstance(error, SyntaxError)
    inner = {"__module__", "__qualname__"}
    assert space.set - inner <= own.bound.keys() | own.outer.keys()
    assert space.asked - {"__name__", "__build_class__"} <= own.read.keys() | own.deleted.keys()
    cell = code_of_cell("c", 1, source)
    assert cell is None or cell.top.names.keys() <= own.bound.keys() | own.outer.keys()
