"""What the living kernel tells about a failure."""

from __future__ import annotations

from mle_modernizer_server.domain.execution import CellStatus
from mle_modernizer_server.execution.kernel import facts as live_facts

CASES = {
    "attribute of an object": ("df.append(df)", "object", "a pandas.DataFrame"),
    "version of its module": ("df.append(df)", "version", "pandas "),
    "attribute of a module": ("np.flot64", "near attributes", "float64"),
    "column": ("df['age']", "near columns of df", "Age"),
    "key": ("settings['Seed']", "near keys of settings", "seed"),
    "unknown argument": (
        "df.set_index('Age', nope=2)",
        "signature of df.set_index",
        "verify_integrity",
    ),
    "unknown argument of a class": (
        "from sklearn.ensemble import RandomForestClassifier\n"
        "RandomForestClassifier(min_impurity_split=3)",
        "signature of RandomForestClassifier",
        "min_impurity_decrease",
    ),
    "shapes": ("np.ones((2, 3)) @ wide", "`wide`", "shape (5, 7), dtype float64"),
    "a module called": ("np(wide)", "`wide`", "shape (5, 7), dtype float64"),
    "shape of a table": ("int(df)", "`df`", "Age"),
    "missing submodule": ("import sklearn.cross_validation", "version", "sklearn "),
    "missing name": (
        "from sklearn.metrics import jaccard_similarity_score",
        "near names in sklearn.metrics",
        "jaccard_score",
    ),
    "missing module": ("import skleanr", "near installed modules", "sklearn"),
    "undefined name": ("setings", "near names", "settings"),
    "missing file": ("open('../input/trian.csv')", "near entries", "train.csv"),
    "raised in a library": ("pd.read_csv('../input/none.csv')", "raised in", "pandas.io"),
}

NEW_NAMES = "print([name for name in sorted({*dir()} - before - {'before'}) if name[0] != '_'])"


def test_facts_by_kind_of_failure(run_isolated):
    setup = (
        "import numpy as np, pandas as pd\n"
        "df = pd.DataFrame({'Age': [1], 'Fare': [2.0]})\n"
        "wide = np.ones((5, 7))\nsettings = {'seed': 1}\nbefore = set(dir())"
    )
    ran = run_isolated(setup, *(source for source, _, _ in CASES.values()), NEW_NAMES)
    facts = {
        error.cell_id: {fact.name: fact.value for fact in error.facts}
        for error in ran.execution.errors
    }
    for index, (case, (_, name, value)) in enumerate(CASES.items(), start=1):
        assert value in facts[f"cell-{index}"].get(name, ""), (case, facts[f"cell-{index}"])
    assert not [name for name in facts["cell-13"] if name.startswith("signature")], "of a module"
    # The notebook's namespace is what it was, but for what the cells themselves did.
    assert ran.text(len(CASES) + 1) == "['RandomForestClassifier']\n"


def test_the_lines_of_the_authors_module_that_failed_are_told(run_plainly):
    long = "\n".join(f"line_{number} = {number}  # {'x' * 90}" for number in range(100))
    ran = run_plainly(
        f"open('helper.py', 'w').write({'import os' + chr(10) + 'from scipy import interp'!r})",
        "import helper",
        f"open('longer.py', 'w').write({long + chr(10) + '1 / 0' + chr(10) + long!r})",
        "import longer",
        "open('old.py', 'w').write('a = 1\\nexec \"b\" in c, d d\\n')\nimport old",
        "import json\njson.loads('nothing')",
    )
    facts = {error.cell_id: error.facts for error in ran.execution.errors}
    (told,) = (fact for fact in facts["cell-1"] if fact.name.startswith("helper.py"))
    assert told.name == "helper.py, lines 1 to 2 (it stops in line 2)"
    assert told.value == "\nimport os\nfrom scipy import interp"
    (told,) = (fact for fact in facts["cell-3"] if fact.name.startswith("longer.py"))
    assert "\n1 / 0\n" in told.value and "line_99 = " in told.value and "line_50 " not in told.value
    assert len(told.value) <= live_facts._LONGEST
    (told,) = (fact for fact in facts["cell-4"] if fact.name.startswith("old.py"))
    assert told.value.startswith("\na = 1\nexec")
    assert not [fact for fact in facts["cell-5"] if ".py" in fact.name]


def test_hostile_objects_neither_break_nor_stop_a_run(run_isolated, monkeypatch):
    monkeypatch.setattr(live_facts, "_LIMIT", 0.5)
    ran = run_isolated(
        "class Endless:\n    @property\n    def shape(self):\n        while True: pass\n"
        "endless = Endless()\nraise ValueError(endless)",
        "class Broken:\n    __slots__ = ()\n    @property\n    def __dict__(self):\n        1 / 0\n"
        "Broken().missing",
        "class Liar(AttributeError):\n    name = property(lambda self: 1 / 0)\nraise Liar('x')",
        "raise ValueError({'x' * 100_000: 1})",
        "__import__ = None\nraise KeyError('a')",
        "del __import__\nimport sys\nsys.last_value = None\nprint('on')",
    )
    assert [cell.status for cell in ran.execution.cells] == [CellStatus.ERROR] * 5 + [CellStatus.OK]
    assert ran.execution.errors[0].facts[0].name == "not told"
    for error in ran.execution.errors:
        assert all(len(fact.value) <= 1200 for fact in error.facts)
    assert ran.text(5) == "on\n"


def test_failures_without_facts_have_none(run_plainly):
    ran = run_plainly("raise KeyboardInterrupt", "x =", "raise SystemExit('no data')")
    assert [error.facts for error in ran.execution.errors] == [(), (), ()]


def test_each_cell_tells_the_types_of_the_names_it_changed(run_isolated):
    ran = run_isolated(
        "import pandas as pd\ndf = pd.DataFrame({'a': [1]})\nn = 1",
        "df = df['a']\nclass Bag(list):\n    @property\n    def __class__(self): raise OSError\n"
        "bag = Bag()",
        "del n\nraise ValueError",
        "_hidden = 1",
    )
    first, second, third, fourth = [run.types for run in ran.execution.cells]
    assert first["n"] == "builtins.int"
    assert first["df"].startswith("pandas.")
    assert first["df"].endswith(".DataFrame")
    assert second["df"].endswith(".Series")
    assert second["bag"] == "__main__.Bag"
    assert "n" not in second
    assert third == {"n": ""}
    assert fourth == {}


def test_what_a_notebook_makes_of_its_types_and_names_is_bounded(run_isolated):
    ran = run_isolated(
        "class Meta(type):\n    @property\n    def __module__(cls): raise OSError\n"
        "class Odd(metaclass=Meta): pass\nodd = Odd()",
        "globals().update({f'name{n}': n for n in range(2000)})\nglobals()['no name'] = 1",
    )
    assert ran.execution.cells[0].types["odd"] == "__main__.Odd"
    assert len(ran.execution.cells[1].types) <= 500
    assert "no name" not in ran.execution.cells[1].types
