"""Tracebacks as IPython 7 writes them, which is what Kaggle's image has."""

from mle_modernizer_server.code.traceback import (
    LineBeside,
    called_frames,
    in_todays_form,
    line_beside,
    line_in_cell,
    parse_failure,
)
from mle_modernizer_server.domain.execution import CellError
from mle_modernizer_server.domain.notebook import Cell, CellType
from mle_modernizer_server.execution.cell_run import raised_error

RED, OFF = "\x1b[0;31m", "\x1b[0m"
FRAMES = [
    f"{RED}{'-' * 75}{OFF}",
    f"{RED}NameError{OFF}                                 Traceback (most recent call last)",
    "\x1b[0;32m~/ipykernel_10/2845766214.py\x1b[0m in \x1b[0;36m<cell line: 0>\x1b[0;34m()\x1b[0m",
    "\x1b[1;32m      1\x1b[0m x = 1",
    "\x1b[0;32m----> 2\x1b[0;31m f()\x1b[0m",
    OFF,
    "\x1b[0;32m~/ipykernel_10/3126169799.py\x1b[0m in \x1b[0;36mf\x1b[0;34m()\x1b[0m",
    "      1 def f():",
    "----> 2     return json.loads(undefined)",
    "",
    "/usr/lib/python3.11/json/__init__.py in loads(s)",
    "    345     if s:",
    "--> 346         raise",
    "",
    "NameError: name 'undefined' is not defined",
]


def error(source: str, traceback: list[str]) -> CellError | None:
    content = {
        "status": "error",
        "ename": "NameError",
        "evalue": "name 'undefined' is not defined",
        "traceback": traceback,
        "execution_count": 7,
    }
    cell = Cell(id="c", type=CellType.CODE, source=source)
    return raised_error({"content": content}, cell, 0, lambda text: text)


def test_heads_of_frames_say_cell_and_line() -> None:
    heads = [line for line in in_todays_form(FRAMES, 7) if line.startswith(("Cell In", "File "))]
    assert heads == [
        "Cell In[7], line 2, in <module>()",
        "Cell In[0], line 2, in f()",
        "File /usr/lib/python3.11/json/__init__.py:346, in loads(s)",
    ]


def test_the_cells_own_line_is_told() -> None:
    raised = error("x = 1\nf()", FRAMES)
    assert raised is not None and raised.line == 2
    failure = parse_failure(raised, "x = 1\nf()")
    assert (failure.line, failure.shallow) == (2, False)


def test_joined_frames_and_those_of_older_kernels_parse_alike() -> None:
    text = "<ipython-input-3-0a1b2c> in <module>\n      1 x = 1\n----> 2 undefined"
    assert line_in_cell(tuple(in_todays_form([text], 3)), 3, "x = 1\nundefined") == 2


def test_others_are_left_as_they_are() -> None:
    today = ["Cell In[3], line 1", "----> 1 undefined", "File /x/y.py in nothing"]
    assert in_todays_form(today, 3) == today
    assert in_todays_form([], None) == []


def test_called_line_and_failing_own_module_are_distinguished() -> None:
    def seen(*traceback: str) -> CellError:
        error = CellError(
            cell_id="a", index=0, ename="E", evalue="", traceback=traceback, raised=True
        )
        return error

    library = "File /opt/lib/python3.11/site-packages/pandas/core/frame.py:9, in DataFrame.corr()"
    deeper = "File C:\\Python311\\Lib\\json\\decoder.py:355, in raw_decode"
    own = "Cell In[1], line 1\n----> 1 f(df)"
    helper = "File ~/work/utils.py:4, in f(df)\n      2 def f(df):\n----> 4     return df.corr()"
    assert called_frames(seen(library, own, library, deeper)) == [library, deeper]
    assert called_frames(seen(own, library, helper, library)) == [library]
    assert called_frames(seen(library)) == []
    assert line_beside(seen(own, helper, library)) == LineBeside(
        "~/work/utils.py", 4, "return df.corr()"
    )
    assert line_beside(seen(own, library, deeper)) is None
    installed = "File /kaggle/packages/xgboost/sklearn.py:1761, in XGBClassifier.fit(self, X)"
    assert line_beside(seen(own, installed)) is None, "a line of the notebook installed it"
    back = "Cell In[1], line 7, in <lambda>(x)\n----> 7 lambda x: x.corr()"
    assert line_beside(seen(own, helper, back, library)) is None, "it called the notebook back"
