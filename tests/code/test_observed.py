"""What the kernel saw of the notebook's globals counts more than what the code tells."""

import libcst as cst

from mle_modernizer_server.code.program import Program
from mle_modernizer_server.code.types.inference import TypeInference
from mle_modernizer_server.code.types.observed import Observed
from mle_modernizer_server.domain.execution import CellRun, CellStatus
from tests.fixing.rules.rewriting import notebook

FRAME = "pandas.core.frame.DataFrame"


def type_of(*cells: str, types: tuple[dict[str, str], ...], failed: str = "") -> str | None:
    """Type of the last expression of the last cell after a run that saw these types."""
    program = Program(notebook(*cells))
    runs = [
        CellRun(
            cell_id=(cell := chr(ord("a") + index)),
            index=index,
            status=CellStatus.ERROR if cell in failed else CellStatus.OK,
            seconds=0,
            types=changed,
        )
        for index, changed in enumerate(types)
    ]
    statement = program.cells[-1].module.body[-1]
    assert isinstance(statement, cst.SimpleStatementLine)
    value = statement.body[-1]
    assert isinstance(value, cst.Expr)
    addresses = {("keras", "Sequential"): "keras.models.Sequential"}
    found = TypeInference(program, Observed.in_run(runs, addresses)).of(value.value)
    return None if found is None else found.name


def test_a_name_of_an_earlier_cell_is_what_that_cell_left() -> None:
    assert type_of("df = load()", "df", types=({"df": FRAME}, {})) == "pandas.DataFrame"
    assert type_of("m = make()", "m", types=({"m": "keras.src.models.x.Sequential"}, {})) == (
        "keras.models.Sequential"
    )
    assert type_of("b = make()", "b", types=({"b": "__main__.Bag"}, {})) == "notebook.Bag"
    changed = ({"df": FRAME}, {"df": "__main__.Bag"}, {})
    assert type_of("df = load()", "df = bag()", "df", types=changed) == "notebook.Bag"


def test_a_name_the_cell_binds_once_itself_is_what_the_cell_left() -> None:
    assert type_of("df = load()\ndf", types=({"df": FRAME},)) == "pandas.DataFrame"
    assert type_of("df = load()\ndf = bag(df)\ndf", types=({"df": FRAME},)) is None
    assert type_of("df = load()\ndf", types=({"df": FRAME},), failed="a") is None


def test_a_name_in_a_function_must_have_had_one_type_throughout() -> None:
    code = ("df = load()", "def f():\n    return df\nf()")
    assert type_of(*code, types=({"df": FRAME}, {})) == "pandas.DataFrame"
    assert type_of(*code, types=({"df": FRAME}, {"df": "__main__.Bag"})) is None


def test_without_types_of_a_run_the_code_counts() -> None:
    assert type_of("import pandas as pd\ndf = pd.DataFrame()", "df", types=({}, {})) == (
        "pandas.DataFrame"
    )
