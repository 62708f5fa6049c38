"""Where a list is made of what was one in Python 2, and where it is not needed."""

from __future__ import annotations

import pytest

from mle_modernizer_server.fixing.rules.engine.context import Run
from mle_modernizer_server.fixing.rules.engine.engine import modernize
from tests.fixing.rules.rewriting import notebook, rule_of

SETUP = (
    "import itertools\nimport matplotlib.pyplot as plt\nimport numpy as np\nimport pandas as pd\n"
    "from collections import Counter\nd = {1: 2}\na = [1]\nb = [2]"
)


def rewritten(source: str) -> str:
    rules = [rule_of("python2-lazy-lists")]
    found = modernize(notebook(SETUP, source), rules, Run(), lambda *_: True, python2=True)
    return found.notebook.cells[1].source


@pytest.mark.parametrize(
    "source",
    [
        "x = pd.DataFrame(d.items(), columns=['k', 'v'])",
        "x = pd.DataFrame(a, columns=map(str, b))",
        "x = pd.Series(map(str, a), index=d.keys())",
        "x = pd.concat(map(pd.Series, [a, b]))",
        "x = Counter(map(str, a))",
        "for x in itertools.chain(map(str, a), d.keys()):\n    pass",
        "plt.plot(range(3), range(3))",
        "plt.scatter(d.keys(), d.values())",
        "xs = range(3)\nplt.bar(xs, a)\nnp.array(xs)",
        "xs = zip(a, b)\nfor x, y in xs:\n    print(x)",
        "df = load()\nnames = df.keys()\nnames[names != 'x']",
        "def words(t):\n    t = filter(lambda one: not one.isdigit(), t)\n    return len(t)",
        "t = 'a1' if a else [1]\nt = filter(lambda one: not one.isdigit(), t)\nlen(t)",
        "def names(t):\n    t.groupby('a').mean()\n    return t.keys()",
    ],
)
def test_what_takes_any_iterable_is_given_no_list(source: str) -> None:
    assert rewritten(source) == source


@pytest.mark.parametrize(
    ("source", "listed"),
    [
        ("x = pd.to_datetime(d.keys())", "d.keys()"),
        ("x = pd.DataFrame.from_records(d.items())", "d.items()"),
        ("plt.plot(map(str, a))", "map(str, a)"),
        ("plt.hist(a, d.keys())", "d.keys()"),
        ("plt.pie(a, labels=map(str, b))", "map(str, b)"),
        ("map(print, a)\nx = 1", "map(print, a)"),
        ("for x in a:\n    map(x.draw, b)", "map(x.draw, b)"),
        ("rows = np.array([map(int, x) for x in a])", "map(int, x)"),
        ("xs = range(3)\nnp.random.shuffle(xs)", "range(3)"),
        ("xs = zip(a, b)\nfor x, y in xs:\n    print(x)\nlater = f(xs)", "zip(a, b)"),
        (
            "def words(t):\n    t = t.split()\n    t = list(map(str.strip, t))\n"
            "    t = filter(lambda one: not one.isdigit(), t)\n    return len(t)",
            "filter(lambda one: not one.isdigit(), t)",
        ),
        ("xs = zip(a, b)\na = []\nfor x, y in xs:\n    print(x)", "zip(a, b)"),
        ("xs = zip(a, b)\nfor x in a:\n    for y in xs:\n        print(y)", "zip(a, b)"),
    ],
)
def test_what_needs_a_list_or_goes_through_it_twice_gets_one(source: str, listed: str) -> None:
    assert rewritten(source) == source.replace(listed, f"list({listed})", 1)


@pytest.mark.parametrize(
    ("imported", "source", "now"),
    [
        (
            "import itertools",
            "m = itertools.imap(f, itertools.count())\nn = map(f, a)",
            "m = map(f, itertools.count())\nn = list(map(f, a))",
        ),
        ("from itertools import izip", "izip(a, b)", "izip(a, b)"),
        ("from itertools import izip as zip", "x = zip(a, b)", "x = zip(a, b)"),
        ("", "x = d.iteritems()\ny = d.items()", "x = d.items()\ny = list(d.items())"),
        (
            "",
            "x = xrange(9)\nf(x)\ny = range(9)\nf(y)",
            "x = range(9)\nf(x)\ny = list(range(9))\nf(y)",
        ),
    ],
)
def test_what_was_lazy_in_python_2_stays_so(imported: str, source: str, now: str) -> None:
    names = ("itertools", "dict-iterators", "xrange", "lazy-lists")
    rules = [rule_of(f"python2-{name}") for name in names]
    cells = notebook(imported, source)
    found = modernize(cells, rules, Run(), lambda *_: True, python2=True)
    assert found.notebook.cells[1].source == now


def test_a_range_that_a_number_of_numpys_is_multiplied_by_stays() -> None:
    before = "line = slope * range(3)\nlines = 2 * range(3)"
    rules = [rule_of("python2-lazy-lists")]
    found = modernize(notebook(SETUP, before), rules, Run(), lambda *_: True)
    assert found.notebook.cells[1].source == "line = slope * range(3)\nlines = 2 * list(range(3))"
