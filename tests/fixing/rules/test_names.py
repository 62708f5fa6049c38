import libcst as cst
import pytest

from mle_modernizer_server.code.program import Program
from tests.fixing.rules.rewriting import notebook


def qualnames(*sources: str, of: str) -> tuple[str, ...]:
    """Addresses of the last expression of that text in the last cell."""
    program = Program(notebook(*sources))
    cell = program.cells[-1]
    found = [node for node in cell.places if isinstance(node, cst.BaseExpression)]
    node = [one for one in found if cell.code(one) == of][-1]
    return program.qualnames(node)


@pytest.mark.parametrize(
    ("sources", "of", "name"),
    [
        (["import pandas as p\np.read_csv"], "p.read_csv", "pandas.read_csv"),
        (["import pandas as p", "p.read_csv"], "p.read_csv", "pandas.read_csv"),
        (["import sklearn.svm\nsklearn.svm.SVC"], "sklearn.svm.SVC", "sklearn.svm.SVC"),
        (["from sklearn.svm import SVC as S\nS()"], "S", "sklearn.svm.SVC"),
        (["from sklearn import svm\nsvm.SVC"], "svm.SVC", "sklearn.svm.SVC"),
        (["from xgboost.sklearn import XGBClassifier\nXGBClassifier"],) * 1
        + ("XGBClassifier", "xgboost.XGBClassifier"),
        (["import numpy as np\nf = np.mean\nf(1)"], "f", "numpy.mean"),
        (["%pylab inline\nnp.int"], "np.int", "numpy.int"),
        (["int(3)"], "int", "builtins.int"),
        (["import numpy as np\ndef f():\n    return np.int"], "np.int", "numpy.int"),
        (["def f():\n    import numpy as np\n    return np.int"], "np.int", "numpy.int"),
        (
            ["from sklearn.preprocessing import *\nImputer"],
            "Imputer",
            "sklearn.preprocessing.Imputer",
        ),
    ],
)
def test_names_are_resolved_under_aliases_and_across_cells(
    sources: list[str], of: str, name: str
) -> None:
    assert qualnames(*sources, of=of) == (name,)


@pytest.mark.parametrize(
    ("sources", "of"),
    [
        (["import numpy as np\nnp = 3\nnp.int"], "np.int"),
        (["import numpy as np", "def f(np):\n    return np.int"], "np.int"),
        (["import numpy as np", "np = other()", "np.int"], "np.int"),
        (["import numpy as np", "[np.int for np in things]"], "np.int"),
        (["import numpy as np", "f = lambda np: np.int"], "np.int"),
        (["unknown.int"], "unknown.int"),
        (["self.np.int"], "self.np.int"),
    ],
)
def test_shadowed_and_unknown_names_have_no_address(sources: list[str], of: str) -> None:
    assert qualnames(*sources, of=of) == ()


def test_a_name_is_what_it_was_last_bound_to_before_its_use() -> None:
    assert qualnames("import numpy as x\nx.a\nimport pandas as x\nx.a", of="x.a") == ("pandas.a",)
    assert qualnames("import pandas as x\nx.a", "x.a\nx = 3", of="x.a") == ("pandas.a",)


def test_several_star_imports_leave_several_candidates() -> None:
    names = qualnames("from sklearn.svm import *\nfrom numpy import *\nthing", of="thing")
    assert names == ("sklearn.svm.thing", "numpy.thing")


def test_unparsable_cells_differ_from_other_languages() -> None:
    program = Program(notebook("print 'old'", "%%bash\nls", "x = (", "y = 1"))
    assert [(cell.number, cell.why) for cell in program.unparsed] == [
        (1, "it is written in Python 2"),
        (3, "it is not valid Python"),
    ]
    assert [cell.number for cell in program.cells] == [4]


def test_star_import_brings_the_library_by_its_usual_name() -> None:
    assert qualnames("from utils import *", "np.str", of="np.str") == ("numpy.str",)
    assert qualnames("from utils import *\nplt.bar", of="plt.bar") == ("matplotlib.pyplot.bar",)
    assert qualnames("from utils import *\nnp = 3\nnp.str", of="np.str") == ()
    assert qualnames("np.str", of="np.str") == (), "nothing brings it"
