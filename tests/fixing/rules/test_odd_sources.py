"""Whatever stands in the cells: no rule breaks down, nothing that does not match is changed."""

from __future__ import annotations

import ast
import random
import statistics
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mle_modernizer_server.code.masking import mask
from mle_modernizer_server.fixing.rules.engine.context import Run
from mle_modernizer_server.fixing.rules.engine.engine import modernize
from mle_modernizer_server.fixing.rules.knowledge import all_rules
from tests.fixing.rules.executed.discovered import EVERY, LOUD
from tests.fixing.rules.rewriting import error, notebook
from tests.thoroughness import THOROUGH, tries

RULES = [one for one in all_rules() if one.automatic]
SNIPPETS = [case.code for case in EVERY]
SETUPS = list(dict.fromkeys(case.setup for case in LOUD))
ODD = [
    "",
    "   \n\n",
    "# only a comment",
    "%matplotlib inline",
    "!ls\n!pwd",
    "%%bash\nls",
    "`¼",
    "x = (",
    "print 'python 2'",
    "if True:\n\tx = 1\n        y = 2",
    "\x00\x01",
    "def f(:\n",
    "x = 1 \\",
    "'''never closed",
    "df?\n??df\n?",
    "лес = 'ёлка'\n",
    "\ufeffimport numpy as np\nnp.int",
    "x = '\\ud800'",
    "a\rb\rc",
    "a = b\x0c = c",
    "from . import x\nfrom .. import *\nfrom sklearn import *",
    "np = np.np.np\nnp.int.int.int",
    "df['a'][df['b']][df['c']] = df['d'][0] = 1",
    "lambda: (yield)",
    "class A(A): A = A\n",
    "f = f(f)(f)(f)\nf.append(f)",
    "for x in x: x = x.x",
    "del np; global x",
    "x: int = 3; y: 'np.int'",
    "match x:\n    case {'a': 1}: pass",
    "async def f():\n    async for x in y: await z",
    "[x for x in x if x for x in x]",
    "fit().fit().fit(early_stopping_rounds=1, verbose=1)",
    "XGBClassifier = 3\nfrom xgboost import *\nXGBClassifier().fit(*a, **b)",
    "KFold(*a)(**b)\nfrom sklearn.cross_validation import *",
    "Imputer()()()[0]['a'].ix[0].ix",
    "\U00031350 = 1",
    "if x:\n        y = 1\n\tz = 2",
    "a\tb\x0c\n\x0c\nimport numpy as np\x0c\nnp.float(1)",
    "%%R\nlibrary(ggplot2)\nx <- df$ix",
    "%%time\n%%bash\nprint 1",
    "!pip install pandas==0.20 &&\\\n  ls\ndf.ix[0]",
    "import numpy as np\r\nnp.int(3)\r\n# done\r\n",
    "print 'a'\r\nprint np.int\r\n",
    "exec 'x' in y; print `x`, 1 <> 2, 0777, ur'x'",
    "print >>f, x\nprint 'x' % y,\nraise E, 'x'",
]
DEEP = [
    "x = " + " + ".join(["df['a']"] * 150) + "\ndf.append(x)",
    "x = " + "df.append(" * 25 + "df" + ")" * 25,
    "df" + ".append(df)" * 40,
    "x = " + "(" * 500 + "df.append(x)" + ")" * 500,
    "x = " + "lambda: " * 600 + "df.append(x)",
    "x = df" + ".a" * 600 + ".append(x)",
]
ERRORS = tuple(
    error("a", "ValueError", text)
    for text in (
        "Invalid classes inferred from unique values of `y`.  Expected: [0 1], got [1 2]",
        "Invalid classes inferred from unique values of `y`.  Expected: [0 1], got []",
        "Invalid value '1' for dtype 'str'",
        "'NoneType' object has no attribute 'append'",
    )
)


def check(*sources: str) -> None:
    """All rules at once: what parsed still parses, a second time nothing changes."""
    before = notebook(*sources)
    run = Run(errors=ERRORS, warned=frozenset({"a"}))
    after = modernize(before, RULES, run, lambda *_: True).notebook
    again = modernize(after, RULES, run, lambda *_: True).notebook
    assert again == after
    for old, new in zip(before.cells, after.cells, strict=True):
        if old.source != new.source:
            masked = mask(new.source)
            assert masked is not None
            ast.parse(masked.text.replace("\r\n", "\n"))


LONG = {
    "lines": "\n".join(f"x{at} = np.int({at})" for at in range(700)),
    "one line": "x = [" + ", ".join(f"np.float({at})" for at in range(700)) + "]",
    "text": 'text = """' + "np.int\n" * 10_000 + '"""',
}


@pytest.mark.parametrize("source", LONG.values(), ids=LONG.keys())
def test_very_long_cells_are_worked_through(source: str) -> None:
    before = notebook("import numpy as np", source)
    rules = [one for one in RULES if one.library == "numpy"]
    changed = modernize(before, rules, Run(), lambda *_: True).notebook.cells[1].source
    ast.parse(changed)
    assert changed.count("\n") == source.count("\n")
    assert ("np." in changed) is ('"""' in source)


@pytest.mark.parametrize("source", [*ODD, *DEEP], ids=range(len(ODD) + len(DEEP)))
def test_odd_cells_do_no_harm(source: str) -> None:
    check("import numpy as np\nimport pandas as pd\ndf = pd.read_csv('a')", source, source)
    if THOROUGH:
        check(source)


@settings(max_examples=tries(15, 100))
@given(st.lists(st.text(max_size=60), max_size=3))
def test_arbitrary_text_does_no_harm(sources: list[str]) -> None:
    check(*sources)


@settings(max_examples=tries(15, 100))
@given(
    st.lists(
        st.one_of(st.sampled_from(SNIPPETS), st.sampled_from(SETUPS), st.sampled_from(ODD)),
        min_size=1,
        max_size=5,
    ),
    st.randoms(use_true_random=False),
)
def test_pieces_of_old_notebooks_in_any_order_do_no_harm(
    pieces: list[str], chance: random.Random
) -> None:
    cut = [
        piece[: chance.randrange(len(piece) + 1)] if chance.random() < 0.2 else piece
        for piece in pieces
    ]
    check(*cut)


@pytest.mark.parametrize("module", [statistics, random, ast], ids=lambda one: one.__name__)
def test_code_that_uses_none_of_it_stays_byte_for_byte(module: object) -> None:
    source = Path(str(getattr(module, "__file__", ""))).read_text(encoding="utf-8")
    before = notebook(source)
    assert modernize(before, RULES, Run(), lambda *_: True).notebook is before
