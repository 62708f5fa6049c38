"""Cells that only Python 2 can parse, and what else is known of a notebook that has some."""

from __future__ import annotations

import pytest

from mle_modernizer_server.fixing.rules.engine.context import Run
from mle_modernizer_server.fixing.rules.engine.engine import modernize
from mle_modernizer_server.fixing.rules.knowledge import all_rules
from tests.fixing.rules.rewriting import error, notebook

RULES = [one for one in all_rules() if one.automatic and one.id.startswith(("python2", "pandas"))]


def converted(*sources: str, python2: bool = False) -> list[str]:
    first = modernize(notebook(*sources), RULES, Run(), lambda *_: True, python2=python2)
    again = modernize(first.notebook, RULES, Run(), lambda *_: True, python2=python2)
    assert again.notebook == first.notebook
    return [cell.source for cell in first.notebook.cells]


def test_comments_layout_and_magics_stay() -> None:
    before = (
        "%matplotlib inline\n"
        "# what follows is old\n"
        "print 'a',  b   # said\n"
        "files = !ls *.csv\n"
        "x  =  {  'a' : 1 }\n"
        "!pip list"
    )
    after = before.replace("print 'a',  b ", "print('a',  b) ")
    assert converted(before) == [after]


def test_a_converted_cell_goes_on_through_all_other_rules() -> None:
    assert (
        converted(
            "import pandas as pd\ndf = pd.read_csv('a.csv')",
            "print df.append(df, ignore_index=True).ix[0, 'a']",
        )[1]
        == "print(pd.concat([df, df], ignore_index=True).loc[0, 'a'])"
    )


def test_line_ends_of_windows_stay() -> None:
    assert converted("print 'a'\r\nx = 1\r\n") == ["print('a')\r\nx = 1\r\n"]


@pytest.mark.parametrize(
    "source",
    [
        "print 'a' if",
        "def f(:\n    print 'a'",
        "%%bash\nprint 'a'",
        "%%R\nprint <> 1",
        "print('fine')",
        "x = 1 \\\n",
        "print 'a'\rprint 'b'",
        "print 'a'\x00",
    ],
)
def test_what_is_neither_or_nothing_of_it_is_left_alone(source: str) -> None:
    assert converted(source) == [source]


def test_a_cell_that_cannot_be_read_at_all_is_noted() -> None:
    outcome = modernize(notebook("print 'a' if"), RULES, Run(), lambda *_: True)
    assert outcome.program is not None
    assert [one.cell_id for one in outcome.program.unparsed] == ["a"]


def test_silent_change_is_restored_in_python_2_notebooks_only() -> None:
    source = "half = len(x) / 2\npairs = zip(a, b)\nratio = 1.0 / 3"
    assert converted(source) == [source]
    after = "half = len(x) // 2\npairs = list(zip(a, b))\nratio = 1.0 / 3"
    assert converted(source, "print 'old'") == [after, "print('old')"]
    assert converted(source, python2=True) == [after]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("size = [n / 8 for n in f.shape]", "size = [n // 8 for n in f.shape]"),
        ("h, w = f.shape\nw / 2", "h, w = f.shape\nw // 2"),
        ("for i in range(9):\n    i / 3", "for i in range(9):\n    i // 3"),
        ("for i, x in enumerate(y): i / 3, x / 3", "for i, x in enumerate(y): i // 3, x / 3"),
        ("int((len(x) - 9) / 2)", "int((len(x) - 9) // 2)"),
        ("(a, b) = zip(*pairs)\nfor i in range(int(len(a) / 20)): pass",) * 2,
        ("for x in xs:\n    x / 2",) * 2,
    ],
)
def test_only_whole_numbers_are_divided_as_such(old: str, new: str) -> None:
    assert converted(old, python2=True) == [new]


def test_with_the_future_division_nothing_is_floored() -> None:
    future = "from __future__ import division, print_function"
    assert converted(future, "half = len(x) / 2", python2=True) == [future, "half = len(x) / 2"]


def test_print_that_a_cell_above_made_a_function_prints_no_tuple() -> None:
    future = "from __future__ import print_function"
    source = "try:\n    print('a', 1, file=f)\nexcept IOError, e:\n    print('b', e)"
    assert converted(future, source) == [future, source.replace(", e:", " as e:")]
    assert converted("print 'c'", future)[0] == "print('c')"
    assert converted(future, "print 'run before'")[1] == "print('run before')"


@pytest.mark.parametrize(
    "source",
    [
        "try:\n    unicode\nexcept NameError:\n    unicode = str\nunicode(3)",
        "def reduce(f, x):\n    return x\nreduce(f, x)",
        "x = tools.add.reduce(x)\nshow(x, reduce=True)",
        "for k in d.keys(): pass",
        "sorted(d.items())",
        "df = pd.DataFrame()\nfirst = df.keys()[0]",
        "x = a / b",
    ],
)
def test_names_of_ones_own_and_what_needs_no_list_stay(source: str) -> None:
    start = "import pandas as pd"
    assert converted(start, source, python2=True) == [start, source]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("while len(reader.next()) > 1:\n    pass", "while len(next(reader)) > 1:\n    pass"),
        ("sheet.rows.next()", "next(sheet.rows)"),
        (
            "t = x.lower().translate(None, ',')",
            "t = x.lower().translate(str.maketrans('', '', ','))",
        ),
    ],
)
def test_methods_that_tell_what_they_are_of_in_python_2_only(old: str, new: str) -> None:
    assert converted(old, python2=True) == [new]
    assert converted(old) == [old]


def test_a_table_that_changes_nothing_leaves_characters_out() -> None:
    source = "import string\nw = w.translate(string.maketrans('', ''), string.punctuation)"
    assert converted(source, python2=True) == [
        "import string\nw = w.translate(str.maketrans('', '', string.punctuation))"
    ]
    assert converted("import string\nt = string.maketrans('ab', 'xy')", python2=True) == [
        "import string\nt = str.maketrans('ab', 'xy')"
    ]


def test_the_first_of_a_dictionary_is_asked_of_an_iterator() -> None:
    assert converted("d.itervalues().next().keys()") == ["next(iter(d.values())).keys()"]


def test_next_of_a_class_of_the_notebook_and_bytes_stay() -> None:
    own = "class Deck(object):\n    def next(self): return 1\nd = deck()\nd.next()"
    assert converted(own, python2=True) == [own]
    for source in (
        "b'a,b'.translate(None, b',')",
        "x.encode('ascii').lower().translate(None, ',')",
        "for x in rows:\n    x = x.encode('ascii', 'ignore')\n    x.translate(None, ',')",
    ):
        assert converted(source, python2=True) == [source]


def test_only_the_cells_in_scope_are_converted() -> None:
    before = notebook("print 1", "print 2")
    after = modernize(before, RULES, Run(), lambda *_: True, editable=frozenset({"b"})).notebook
    assert [cell.source for cell in after.cells] == ["print 1", "print(2)"]


def test_a_syntax_error_that_others_share_is_told_by_its_line() -> None:
    rule = next(one for one in RULES if one.id == "python2-backticks")
    seen = error("a", "SyntaxError", "invalid syntax (1023.py, line 1)", 1)
    ours = seen.model_copy(update={"traceback": ("  Cell In[3], line 1\n    x = `y`\n    ^\n",)})
    other = seen.model_copy(update={"traceback": ("  Cell In[3], line 1\n    x = = y\n    ^\n",)})
    assert rule.matches(ours)
    assert not rule.matches(other)


def test_nesting_without_an_end_leaves_the_cell_as_it_was() -> None:
    start = "import pandas as pd\ndf = pd.read_csv('a')"
    deep = "df" + ".append(df)" * 60
    assert converted(start, deep, "print 1") == [start, deep, "print(1)"]


def test_a_text_with_a_sign_and_a_percentage_is_no_magic() -> None:
    before = "accuracy = 1\nprint 'Accuracy = %.2f' % accuracy"
    assert converted(before) == ["accuracy = 1\nprint('Accuracy = %.2f' % accuracy)"]


def test_a_range_that_is_gone_through_stays_one() -> None:
    before = "print 'a'\ndata = range(3)\nfor one in data: pass\nshown = range(2)\nprint(shown)"
    after = "print('a')\ndata = range(3)\nfor one in data: pass\n"
    assert converted(before) == [f"{after}shown = list(range(2))\nprint(shown)"]


@pytest.mark.parametrize(
    "filtered",
    [
        "filter(lambda c: c in string.printable, text)",
        "filter(str.isalpha, text)",
        "filter(None, 'a b')",
    ],
)
def test_what_may_be_a_filtered_text_gets_no_list(filtered: str) -> None:
    assert converted(f"print 1\nclean = {filtered}") == [f"print(1)\nclean = {filtered}"]


def test_filtered_words_get_a_list() -> None:
    before = "print 1\nwords = filter(lambda w: w not in common, words)"
    after = "print(1)\nwords = list(filter(lambda w: w not in common, words))"
    assert converted(before) == [after]


def test_counted_words_that_came_by_frequency_get_no_list() -> None:
    source = "import nltk\nf = nltk.FreqDist(words)\ntop = f.items()[:50], FreqDist(w).keys()[0]"
    assert converted(source, python2=True) == [source]


def test_a_label_that_reads_like_a_parameter_stays() -> None:
    before = "rows = sorted(d, key=lambda (k, v): (v.k, dict(k=k.v)))"
    after = "rows = sorted(d, key=lambda k_v: (k_v[1].k, dict(k=k_v[0].v)))"
    assert converted(before) == [after]


def test_comprehension_variable_named_like_a_parameter_is_left() -> None:
    before = "f = lambda (i, x): x[i] + sum(i for i in x)"
    assert converted(before) == [before]
