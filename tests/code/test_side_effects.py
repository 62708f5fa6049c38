"""What a half-run cell has done, read from its source; real kernels are in `test_going_on`."""

from __future__ import annotations

import pytest

from mle_modernizer_server.code.ipython import parsed
from mle_modernizer_server.code.liveness import read_before_bound
from mle_modernizer_server.code.side_effects import SideEffects, side_effects_of
from mle_modernizer_server.code.traceback import Failure
from mle_modernizer_server.words import text

BEFORE = """\
import random
import numpy as np
import pandas as pd
from sklearn.preprocessing import StandardScaler
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import SGDClassifier
df = pd.DataFrame({'a': [1.0, 2.0, 3.0, 4.0], 'b': [4, 3, 2, 1], 'y': [0, 1, 0, 1]})
other = df.copy()
numbers = [1, 2, 3]
lines = iter(['one', 'two'])
fitted = StandardScaler()
total = 0
def doubled(frame):
    out = frame.copy()
    out['twice'] = out['a'] * 2
    return out
def spoiled(frame):
    frame['twice'] = frame['a'] * 2
    return frame
def counted():
    global total
    total = total + 1
    return total
class Box:
    def __init__(self): self.items = []
    def head(self): self.items.append(1)
box = Box()
"""

FAILS = "undefined_name"

SOUND = [
    FAILS,
    "x = 1\n" + FAILS,
    "import os\nfrom math import sqrt\nroot = sqrt(4)\n" + FAILS,
    "X = df.drop('y', axis=1)\ny = df['y']\n" + FAILS,
    "df = df.dropna()\n" + FAILS,
    "means = df.groupby('y').a.mean().reset_index()\nprint(means.shape)\n" + FAILS,
    "part = df[df['a'] > 1].copy()\npart['c'] = part['a'] * 2\n" + FAILS,
    "kept = []\nfor name in df.columns:\n    kept.append(name)\n" + FAILS,
    "squares = [n ** 2 for n in numbers]\ntotal_of = sum(squares)\n" + FAILS,
    "wide = doubled(df)\n" + FAILS,
    "wide = df['a'].apply(lambda v: v + 1)\n" + FAILS,
    "def f(v):\n    return v + 1\nz = f(2)\n" + FAILS,
    "sc = StandardScaler()\nZ = sc.fit_transform(df[['a', 'b']])\n" + FAILS,
    "m = RandomForestClassifier(random_state=0)\nm.fit(df[['a']], df['y'])\n" + FAILS,
    "np.random.seed(0)\nr = np.random.rand(3)\n" + FAILS,
    "some = df.sample(2, random_state=1)\n" + FAILS,
    "%matplotlib inline\nx = 1\n" + FAILS,
    "counts = {}\ncounts['a'] = 1\nn = 0\nfor v in numbers:\n    counts[v] = v\n" + FAILS,
    "if df.shape[0] > 2:\n    big = True\nelse:\n    big = False\n" + FAILS,
    "df.no_such_method()",
    "df['c'] = df['nothing']",
    "df.drop('nothing', axis=1, inplace=True)",
    "df.append({'a': 1})",
    "values_of = df['a'].values\nnumbers.extend(values_of.nothing)",
    "for a, b in [(1, 2)]:\n    c = a + b\n    undefined_name",
    "x = (1,",
]
"""Cells that only bound names until they failed."""

UNSOUND = [
    ("df['c'] = df['a'] + 1\n" + FAILS, "df"),
    ("df.loc[0, 'a'] = 5\n" + FAILS, "df"),
    ("df.drop('b', axis=1, inplace=True)\n" + FAILS, "df"),
    ("df.insert(0, 'c', 1)\n" + FAILS, "df"),
    ("df.columns = ['p', 'q', 'r']\n" + FAILS, "df"),
    ("alias = df\nalias['c'] = 1\n" + FAILS, "alias"),
    ("numbers.append(4)\n" + FAILS, "numbers"),
    ("numbers += [4]\n" + FAILS, "numbers"),
    ("total += 1\n" + FAILS, "total"),
    ("del other\n" + FAILS, "other"),
    ("del df['b']\n" + FAILS, "df"),
    ("first = next(lines)\n" + FAILS, "lines"),
    ("rest = list(lines)\n" + FAILS, "lines"),
    ("for line in lines:\n    print(line)\n" + FAILS, "lines"),
    ("r = np.random.rand(3)\n" + FAILS, "random numbers"),
    ("r = random.random()\n" + FAILS, "random numbers"),
    ("some = df.sample(2)\n" + FAILS, "random numbers"),
    ("m = RandomForestClassifier()\nm.fit(df[['a']], df['y'])\n" + FAILS, "trained `m`"),
    ("fitted.fit(df[['a']])\n" + FAILS, "trained `fitted`"),
    ("m = SGDClassifier(random_state=0)\nm.partial_fit(df[['a']], df['y'], [0, 1])\n" + FAILS, "m"),
    ("df.to_csv('out.csv')\n" + FAILS, "to_csv"),
    ("open('log.txt', 'a').write('x')\n" + FAILS, "open"),
    ("np.save('x.npy', np.zeros(2))\n" + FAILS, "np.save"),
    ("!echo hello\nx = 1\n" + FAILS, "echo"),
    ("w = spoiled(df)\n" + FAILS, "spoiled"),
    ("n = counted()\n" + FAILS, "counted"),
    ("box.head()\n" + FAILS, "box"),
    ("box.items.append(1)\n" + FAILS, "box"),
    ("b2 = Box()\n" + FAILS, "Box"),
    ("for n in numbers:\n    df['c'] = n\n    undefined_name", "df"),
    ("with open('x.txt', 'w') as f:\n    undefined_name", "open"),
    ("import os\nx = os.environ.setdefault('A', '1')\n" + FAILS, "os.environ"),
    ("exec('total = 5')\n" + FAILS, "exec"),
    ("r = df.pipe(spoiled)\n" + FAILS, "spoiled"),
    ("result = spoiled(df).nothing_here", "spoiled"),
    ("from os.path import *\n" + FAILS, "names"),
]
"""Cells that had changed something, and what is said of it."""


ONCE, OWN = ["lines"], ["doubled", "spoiled", "counted", "Box", "box"]
"""What a kernel tells of `BEFORE`; `test_going_on` asks one."""


def half(source: str, *, shallow: bool = True, missing: str = "") -> SideEffects:
    """What a cell had done whose last line failed."""
    line = source.count("\n") + 1
    failure = Failure(line, shallow, compiled=parsed(source) is not None, missing=missing)
    return side_effects_of(source, failure, before=[BEFORE], once=ONCE, own=OWN)


@pytest.mark.parametrize("source", SOUND)
def test_a_cell_that_only_bound_names_may_run_again(source: str) -> None:
    assert half(source).reason == ()


@pytest.mark.parametrize(("source", "named"), UNSOUND)
def test_a_cell_that_changed_something_may_not_and_it_says_what(source: str, named: str) -> None:
    assert named in text(half(source).reason)


@pytest.mark.parametrize(
    ("source", "missing", "sound"),
    [
        ("df.drop('nothing', axis=1, inplace=True)", "", True),
        ("df.groupby('a').mean(bogus=1)", "", True),
        ("df.append({'a': 1})", "append", True),
        ("df.rename(columns={'a': 'b'}).append({'a': 1})", "append", True),
        ("spoiled(df)", "", False),
        ("unknown.train(df)", "", False),
        ("unknown.train(df)", "shape", False),
    ],
)
def test_call_that_failed_inside_counts_missing_one_does_not(
    source: str, missing: str, sound: bool
) -> None:
    assert (half(source, shallow=False, missing=missing).reason == ()) is sound


def test_what_failed_bound_nothing_unless_it_binds_several() -> None:
    assert half("df = df.append({'a': 1})", missing="append").names == set()
    assert half("x = 1\ny = df.nothing").names == {"x"}
    assert half("a, b = df.nothing").names == {"a", "b"}


def test_a_cell_that_does_not_tell_where_it_failed_may_not() -> None:
    assert side_effects_of("x = 1", Failure(None, shallow=False, compiled=True)).reason
    assert side_effects_of("%%bash\nls", Failure(1, shallow=True, compiled=True)).reason


@pytest.mark.parametrize(
    ("names", "before", "rest", "read"),
    [
        ({"x"}, [], ["x = 1\nprint(x)"], ""),
        ({"x"}, [], ["print(x)\nx = 1"], "x"),
        ({"x"}, [], ["y = 1", "print(y)"], ""),
        ({"x"}, [], ["y = 1", "print(x)"], "x"),
        ({"x"}, [], ["x = x + 1"], "x"),
        ({"x"}, [], ["x += 1"], "x"),
        ({"x"}, [], ["for x in range(3):\n    print(x)"], ""),
        ({"x"}, [], ["if a:\n    x = 1\nprint(x)"], "x"),
        ({"x"}, [], ["if a:\n    x = 1\nelse:\n    x = 2\nprint(x)"], ""),
        ({"x"}, [], ["def f():\n    return x\nx = 1"], "x"),
        ({"x"}, [], ["def f(x):\n    return x\nf(1)"], ""),
        ({"x"}, [], ["class A:\n    x = 1\nprint(x)"], "x"),
        ({"x"}, [], ["try:\n    f()\nexcept x:\n    x = 1"], "x"),
        ({"x"}, [], ["[x for x in range(3)]"], ""),
        ({"x"}, [], ["[v + x for v in range(3)]"], "x"),
        ({"x"}, ["def f():\n    return x"], ["x = 1"], "x"),
        ({"x"}, ["def f():\n    x = 2\n    return x"], ["x = 1"], ""),
        ({"np"}, [], ["import numpy as np\nnp.zeros(2)"], ""),
        ({"np"}, [], ["np.zeros(2)"], "np"),
        ({"x"}, [], ["print x"], "x"),
        ({"numpy.random.seed"}, [], ["np.random.seed(0)\nr = np.random.rand()"], ""),
        ({"numpy.random.seed"}, [], ["r = np.random.rand()"], "numpy.random.seed"),
    ],
)
def test_what_was_bound_must_be_bound_again_before_it_is_read(
    names: set[str], before: list[str], rest: list[str], read: str
) -> None:
    assert read_before_bound(names, before, rest) == read
