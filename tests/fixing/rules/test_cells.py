"""Edits leave everything else of a cell as it is, and put imports where they belong."""

import pytest

from mle_modernizer_server.fixing.rules.engine.context import Run
from mle_modernizer_server.fixing.rules.engine.engine import modernize
from tests.fixing.rules.rewriting import cells, notebook, outcome, rule_of

ALIASES = ("numpy-builtin-aliases",)
RF = "from sklearn.ensemble import RandomForestClassifier as RF\n"


@pytest.mark.parametrize(
    "frame",
    [
        "%matplotlib inline\nimport numpy as np\n{}\n",
        "import numpy as np\r\n{}\r\n",
        "import numpy as np\nif True:\n\tx = {}\n\n\n",
        "%%time\nimport numpy as np\n!ls {{np.int}}\n{}",
        "# np.int in a comment\nimport numpy as np\n\n\nx = '''np.int'''; y = {}  # np.int",
        "import numpy as np\nfiles = !ls *.csv\n{}\ndf?",
        "import numpy as np\nx = await f({})\n",
        "import numpy as np\n%time y = f({})\n",
        "import numpy as np\n'''\n%not a magic\n'''\n{}\n",
        "\n\n  \nimport numpy as np\n{}\n   \n",
        "import numpy as np\n{}\n\n   \n",
        "import numpy as np\nif True:\n    x = {} \n\n   \n\n  \n",
    ],
)
def test_magics_comments_line_ends_and_blank_lines_stay(frame: str) -> None:
    assert cells(frame.format("np.int"), rules=ALIASES) == [frame.format("int")]


def test_cells_in_another_language_and_python_2_stay() -> None:
    sources = ["import numpy as np", "%%bash\nnp.int", "print np.int", "%%html\n<b>np.int</b>"]
    assert cells(*sources, rules=ALIASES) == sources


def test_only_cells_that_change_are_new_objects() -> None:
    before = notebook("import numpy as np", "np.int", "x = 1")
    after = modernize(before, [rule_of(ALIASES[0])], Run(), lambda *_: True).notebook
    assert after.cells[0] is before.cells[0]
    assert after.cells[2] is before.cells[2]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("RF()", "RF(n_estimators=10)"),
        ("RF(max_depth=3)", "RF(max_depth=3, n_estimators=10)"),
        ("RF(max_depth=3,)", "RF(max_depth=3, n_estimators=10,)"),
        ("RF(\n    max_depth=3,\n)", "RF(\n    max_depth=3,\n    n_estimators=10,\n)"),
        ("RF(\n    a=1,\n    b=2)", "RF(\n    a=1,\n    b=2,\n    n_estimators=10)"),
        ("RF(a=1,\n   b=2  # two\n   )", "RF(a=1,\n   b=2,  # two\n   n_estimators=10\n   )"),
        ("RF(\n    a=1,  # one\n)", "RF(\n    a=1,  # one\n    n_estimators=10,\n)"),
        ("RF(a=1, **{'b': 2})", "RF(a=1, n_estimators=10, **{'b': 2})"),
    ],
)
def test_an_added_argument_is_laid_out_like_the_others(before: str, after: str) -> None:
    assert cells(RF, before, rules=("sklearn-pin-forest-size",)) == [RF, after]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("K(n_jobs=1)", "K()"),
        ("K(3, n_jobs=1)", "K(3)"),
        ("K(n_jobs=1, n_clusters=3)", "K(n_clusters=3)"),
        ("K(\n    n_clusters=3,\n    n_jobs=1,\n)", "K(\n    n_clusters=3,\n)"),
        ("K(\n    n_jobs=1,\n    n_clusters=3\n)", "K(\n    n_clusters=3\n)"),
    ],
)
def test_a_removed_argument_leaves_no_trace(before: str, after: str) -> None:
    setup = "from sklearn.cluster import KMeans as K\n"
    assert cells(setup, before, rules=("sklearn-kmeans-arguments",)) == [setup, after]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "import numpy as np\nfrom scipy import interp\n",
            "import numpy as np\nfrom numpy import interp\n",
        ),
        (
            "# header\nimport pandas as pd\n\npd.np.nan\n",
            "# header\nimport pandas as pd\nimport numpy as np\n\nnp.nan\n",
        ),
        (
            "import numpy as n\nimport pandas as pd\npd.np.nan\n",
            "import numpy as n\nimport pandas as pd\nn.nan\n",
        ),
        (
            "%matplotlib inline\nimport pandas as pd\npd.np.nan",
            "%matplotlib inline\nimport pandas as pd\nimport numpy as np\nnp.nan",
        ),
        (
            "x = 1\nimport pandas as pd; y = pd.np.nan\nimport os",
            "import numpy as np\nx = 1\nimport pandas as pd; y = np.nan\nimport os",
        ),
        (
            "np = 3\nimport pandas as pd\nx = pd.np.nan\n",
            "import numpy as np_\nnp = 3\nimport pandas as pd\nx = np_.nan\n",
        ),
        (
            "from datetime import datetime\nimport pandas as pd\npd.datetime.now()\n",
            "from datetime import datetime\nimport pandas as pd\ndatetime.now()\n",
        ),
    ],
)
def test_a_needed_import_is_added_once_behind_the_others(before: str, after: str) -> None:
    rules = ("pandas-datetime", "scipy-numpy-names")
    assert cells(before, rules=rules) == [after]


def test_import_goes_to_the_first_using_cell_once() -> None:
    before = ["import pandas as pd", "# first\nx = pd.np.nan\n", "y = pd.np.inf"]
    after = ["import pandas as pd", "# first\nimport numpy as np\nx = np.nan\n", "y = np.inf"]
    assert cells(*before, rules=("pandas-datetime",)) == after


def test_a_later_import_does_not_serve_an_earlier_cell() -> None:
    before = ["import pandas as pd\npd.np.nan", "import numpy as np"]
    after = ["import pandas as pd\nimport numpy as np\nnp.nan", "import numpy as np"]
    assert cells(*before, rules=("pandas-datetime",)) == after


def test_fixes_that_overlap_are_carried_out_one_after_the_other() -> None:
    setup = "import pandas as pd\ndf = pd.read_csv('a'); other = pd.read_csv('b')\n"
    before = "z = df.append(other).drop('a', 1).as_matrix()"
    after = "z = pd.concat([df, other]).drop('a', axis=1).to_numpy()"
    rules = ("pandas-append", "pandas-positional-axis", "pandas-as-matrix")
    assert cells(setup, before, rules=rules) == [setup, after]


def test_what_changed_is_attributed_to_the_entries_of_the_cell() -> None:
    result = outcome(
        "import numpy as np", "np.int", "np.NaN", rules=(*ALIASES, "numpy-2-constants")
    )
    assert [(one.rule.id, one.cell_id) for one in result.applied] == [
        ("numpy-builtin-aliases", "b"),
        ("numpy-2-constants", "c"),
    ]
