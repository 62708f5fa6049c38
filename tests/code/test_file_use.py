"""Whether a notebook's code could have copied a file, or only wrote it anew."""

from __future__ import annotations

import pytest

from mle_modernizer_server.code.file_use import FileUse, file_use
from mle_modernizer_server.domain.execution import CellStatus
from tests import values

WALK = """\
for dirname, _, names in os.walk('/kaggle/input'):
    for name in names:
        print(os.path.join(dirname, name))"""


def use(*cells: str, failed: int | None = None, name: str = "mine.csv") -> FileUse:
    states = [CellStatus.ERROR if at == failed else CellStatus.OK for at in range(len(cells))]
    return file_use(values.notebook(*cells), values.execution(*states), name)


@pytest.mark.parametrize(
    "cells",
    [
        ("pred.to_csv('data/mine.csv', index=False)",),
        ("OUT = 'data/'", "pred.to_csv(OUT + 'mine.csv')"),
        ("out = 'data/mine.csv'", "pred.to_csv(out)"),
        ("pred.to_csv(path_or_buf='mine.csv')",),
        ("with open('mine.csv', 'w') as file:\n    file.write('Id,y')",),
        ("np.savetxt(os.path.join('data', 'mine.csv'), pred)",),
        ("pred.to_csv('mine.csv')", "pd.read_csv('mine.csv').head()"),
        ("train = pd.read_csv('train.csv')", "pred.to_csv('mine.csv')"),
        (WALK, "pred.to_csv('mine.csv')"),
    ],
)
def test_file_that_is_written_first_is_not_read(cells: tuple[str, ...]) -> None:
    assert use(*cells) is FileUse.WRITTEN


@pytest.mark.parametrize(
    "cells",
    [
        ("pred = pd.read_csv('data/mine.csv')", "pred.to_csv('mine.csv')"),
        ("pd.read_csv('mine.csv').to_csv('mine.csv')",),
        ("shutil.copy('mine.csv', 'submission.csv')",),
        ("old = 'mine.csv'", "shutil.copy(old, 'submission.csv')"),
        ("!cp data/mine.csv submission.csv",),
        ("files = glob.glob('data/*.csv')", "pred = pd.read_csv(files[0])"),
        ("pred = pd.read_csv(f'{folder}/{name}.csv')", "pred.to_csv('mine.csv')"),
        ("pred = pd.concat(map(pd.read_csv, ['mine.csv']))",),
        ("files = ['mine.csv']", "pred = pd.concat(map(pd.read_csv, files))"),
        ("exec(code)", "pred.to_csv('mine.csv')"),
        ("pred.to_csv('mine.csv', mode='a')",),
        ("if late:\n    pred.to_csv('mine.csv')", "pd.read_csv('mine.csv')"),
        ("this is no Python, mine.csv",),
    ],
)
def test_file_that_may_be_read_first_is_read(cells: tuple[str, ...]) -> None:
    assert use(*cells) is FileUse.READ


def test_file_of_a_failed_cell_may_be_left_from_before() -> None:
    cells = ("pred.to_csv('mine.csv')", "pd.read_csv('mine.csv')")
    assert use(*cells) is FileUse.WRITTEN
    assert use(*cells, failed=0) is FileUse.READ


def test_file_that_nothing_names_is_not_used() -> None:
    cells = ("test = pd.read_csv('test.csv')", "pred.to_csv('submission.csv')")
    assert use(*cells, name="gender_submission.csv") is FileUse.NONE
