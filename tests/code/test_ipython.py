"""Python is told from magics and commands, and lines keep their numbers."""

from __future__ import annotations

import ast
import gc
import itertools
import time
import weakref
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mle_modernizer_server.code.cell_code import code_of_cell
from mle_modernizer_server.code.ipython import (
    MOST_TOKENS,
    MOST_TOKENS_OF_ALL,
    count_tokens,
    escapes,
    is_too_large,
    literal_value,
    nodes,
    parse_python,
    parsed,
    parsed_cells,
    parsed_in_place,
    python_only,
)


@pytest.mark.parametrize(
    ("source", "python"),
    [
        ("%matplotlib inline\nx = 1", "pass\nx = 1"),
        ("!ls\nfiles = !ls *.csv", "pass\nfiles = None"),
        ("d['a'], b[0] = !ls", "d['a'], b[0] = None"),
        ("print 'score = %f' % x", "print 'score = %f' % x"),
        ("%%time\nx = 1", "pass\nx = 1"),
        ("%time model.fit(X)", "model.fit(X)"),
        ("if a:\n    !ls \\\n  -la\nb", "if a:\n    pass\n\nb"),
        ("df.head?\nx", "pass\nx"),
        ("x = 5 \\\n  % 3", "x = 5 \\\n  % 3"),
        ("x = (5\n% 3)", "x = (5\n% 3)"),
        ("s = '''\n%magic\n!ls\n'''", "s = '''\n%magic\n!ls\n'''"),
        ("s = 'it\\'s' # !\n!ls", "s = 'it\\'s' # !\npass"),
        ("%%bash\nls", ""),
        ("x != 3", "x != 3"),
        ("a = b %c", "a = b %c"),
        ("sns.pairplot(df)\n;", "sns.pairplot(df)\npass"),
        (",print a b\n/print x", "pass\npass"),
        ("x = (5\n, 3)\ny = 1 \\\n/ 2", "x = (5\n, 3)\ny = 1 \\\n/ 2"),
    ],
)
def test_magics_become_python_that_does_nothing(source, python):
    assert python_only(source) == python


def test_python_2_has_no_tree():
    assert parsed("print 'x'") is None


@given(st.text(alphabet="ab =%!?;/'\"\\\n()[]#:,", max_size=60))
def test_any_text_keeps_its_lines(source):
    text = python_only(source)
    assert text == "" or text.count("\n") == source.count("\n")
    found = escapes(source)
    assert all(a.last < b.first for a, b in itertools.pairwise(found))


@pytest.mark.parametrize(
    ("source", "column"),
    [
        ("print 'a', f('b')", 11),
        ("if x: print f('b'); print x", 12),
        ("try:\n    pass\nexcept IOError, error:\n    print error, f('b')", 17),
        ("if a <> 1:\n\tprint 'é', f('b')", 13),
        ("f('b')", 0),
    ],
)
def test_an_expression_of_python_2_is_found_where_it_is_written(source: str, column: int) -> None:
    tree = parsed_in_place(source)
    assert tree is not None
    (call,) = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
    assert ast.get_source_segment(source, call) == "f('b')"
    assert call.col_offset == column  # in bytes


def test_a_cell_may_be_indented_as_a_whole() -> None:
    source = "  x = 1\n\n  if x:\n      f('b')\n"
    tree = parsed(source)
    assert tree is not None and [node.lineno for node in tree.body] == [1, 3]
    (call,) = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
    assert ast.get_source_segment(source, call) == "f('b')"
    assert parsed("  # nothing else") is not None
    assert parsed("  x = 1\ny = 2") is None


def test_what_is_no_python_has_no_tree_in_place() -> None:
    assert parsed_in_place("print 'a' 'b' c d") is None


def test_another_threads_tree_is_no_syntax_error(monkeypatch: pytest.MonkeyPatch) -> None:
    real, failures = ast.parse, [SystemError("AST constructor recursion depth mismatch")] * 3

    def parse(*text: str) -> ast.Module:
        if failures:
            raise failures.pop()
        return real(*text)

    monkeypatch.setattr(ast, "parse", parse)
    assert parsed("another_thread = 1") is not None
    failures += [SystemError("always")] * 100
    assert parsed("another_thread = 2") is None
    failures.clear()


@pytest.fixture
def switching_threads() -> Iterator[None]:
    """Other threads get their turn while trees are built, as where Dask watches the collections."""

    def watch(*_: object) -> None:
        time.sleep(0)

    threshold = gc.get_threshold()
    gc.set_threshold(500, 5, 5)
    gc.callbacks.append(watch)
    yield
    gc.callbacks.remove(watch)
    gc.set_threshold(*threshold)


def test_threads_read_python_at_the_same_time(switching_threads: None) -> None:
    sums = f"({' + '.join(['f(a[1], (1, 2))'] * 40)})"

    def read(depth: int) -> int:
        if depth:  # it is by the depth of its calls that CPython 3.11 takes a thread for another
            return read(depth - 1)
        trees = [parse_python(sums) for _ in range(40)]
        return len(trees) + sum(literal_value("[{'a': (1, 2)}] ") is not None for _ in range(40))

    with ThreadPoolExecutor(2) as threads:
        assert list(threads.map(read, (0, 20))) == [80, 80]


def test_parsed_same_source_has_the_same_tree() -> None:
    assert parsed("x = 1") is parsed("x = 1")
    first, second = parsed_cells(["x = 1", "x = 1"])
    assert first is parsed("x = 1") and second is not None and second is not first


def test_nodes_are_those_of_walk_and_do_not_retain_the_tree() -> None:
    tree = ast.parse("x = f(1)")
    assert list(nodes(tree)) == list(ast.walk(tree)) == list(nodes(tree))
    left = weakref.ref(tree)
    del tree
    gc.collect()
    assert left() is None


@pytest.mark.parametrize(
    "source", ["", "x", "+" * MOST_TOKENS, "+" * (MOST_TOKENS + 1), 'f"' + "{" * 8_000 + '"']
)
def test_too_large_cell_is_one_without_a_count(source: str) -> None:
    assert is_too_large(source) is (count_tokens(source) is None)


def test_parsed_keeps_trees_up_to_a_number_of_tokens() -> None:
    first = parsed("first = 1")
    for number in range(MOST_TOKENS_OF_ALL // MOST_TOKENS + 2):
        parsed(f"x{number} = [" + "1, " * (MOST_TOKENS // 2 - 10) + "]")
    assert parsed("first = 1") is not first


def test_code_of_a_cell_is_shared_while_in_use() -> None:
    first = code_of_cell("c", 1, "x = 1")
    assert first is not None and code_of_cell("c", 1, "x = 1") is first
    assert code_of_cell("c", 2, "x = 1") is not first
