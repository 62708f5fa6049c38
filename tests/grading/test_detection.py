"""The competition is found from what the notebook's code says."""

from __future__ import annotations

from pathlib import Path

import pytest

from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.domain.notebook import Cell, CellType, Notebook
from mle_modernizer_server.grading.competitions import Competitions
from mle_modernizer_server.words import text as in_words
from tests.grading.conftest import MakeCompetition
from tests.values import notebook


@pytest.fixture
def competitions(root: Path, make_competition: MakeCompetition) -> Competitions:
    make_competition(
        "PassengerId,Survived\n1,0\n",
        slug="titanic",
        metric="accuracy",
        id_columns=["PassengerId"],
        target_columns=["Survived"],
        files={
            "train.csv": "PassengerId,Survived,Pclass,Sex,Age\n1,0,3,male,22\n",
            "test.csv": "PassengerId,Pclass,Sex,Age\n2,1,female,30\n",
        },
    )
    make_competition(
        "Id,SalePrice\n1,1\n",
        slug="house-prices",
        metric="rmse",
        id_columns=["Id"],
        target_columns=["SalePrice"],
        files={
            "train.csv": "Id,LotArea,YearBuilt,SalePrice\n1,2,3,4\n",
            "test.csv": "Id,LotArea,YearBuilt\n2,2,3\n",
        },
    )
    return Competitions(root)


@pytest.mark.parametrize(
    "source",
    [
        "pd.read_csv('../input/titanic/train.csv')",
        'pd.read_csv("/kaggle/input/titanic/train.csv")',
        "pd.read_csv('./input/titanic/train.csv')",
        "pd.read_csv('/kaggle/input/competitions/titanic/train.csv')",
        "pd.read_csv('../input/Titanic/train.csv')",
        "DATA = Path('../input/titanic')",
        "DATA = Path('../input') / 'titanic'",
        "train = os.path.join('..', 'input', 'titanic', 'train.csv')",
        "COMP = 'titanic'\nbase = f'../input/{COMP}/'",
        r"pd.read_csv('..\input\titanic\train.csv')",
        "!kaggle competitions download -c titanic",
        "!ls ../input/titanic/",
    ],
)
def test_a_path_or_a_name_in_the_code_tells(competitions: Competitions, source: str) -> None:
    slug, why = competitions.detect(notebook("import os", source))
    assert slug == "titanic"
    assert "titanic" in in_words(why)


@pytest.mark.parametrize(
    "source",
    [
        "train = pd.read_csv('../input/train.csv')\ny = train['Survived']",
        "train = pd.read_csv('../input/train.csv')\ny = train.Survived",
        "d = '../input/'\ntrain = pd.read_csv(d + 'train.csv')\ntrain[['Pclass', 'Sex', 'Age']]",
    ],
)
def test_the_flat_form_is_found_by_files_and_columns(
    competitions: Competitions, source: str
) -> None:
    slug, why = competitions.detect(notebook(source))
    assert slug == "titanic"
    assert "files and columns" in in_words(why)


def test_flat_files_alone_do_not_tell(competitions: Competitions) -> None:
    code = "pd.read_csv('../input/train.csv').head()"
    assert competitions.detect(notebook(code)) == (None, ())


def test_data_set_that_is_read_beats_a_mentioned_one(
    competitions: Competitions,
) -> None:
    code = "# unlike 'house-prices'\npd.read_csv('../input/titanic/train.csv')"
    assert competitions.detect(notebook(code))[0] == "titanic"


def test_two_competitions_alike_are_left_to_the_user(competitions: Competitions) -> None:
    slug, why = competitions.detect(
        notebook("a = '../input/titanic/train.csv'\nb = '../input/house-prices/train.csv'")
    )
    assert slug is None
    assert "house-prices, titanic" in in_words(why)


def test_a_competition_that_is_not_there_is_named(competitions: Competitions) -> None:
    code = "pd.read_csv('../input/digit-recognizer/train.csv')['Survived']"
    slug, why = competitions.detect(notebook(code))
    assert slug is None
    assert "digit-recognizer" in in_words(why)
    assert "data root" in in_words(why)


def test_text_cells_do_not_count(competitions: Competitions) -> None:
    text = Cell(id="m", type=CellType.MARKDOWN, source="From `../input/titanic/train.csv`")
    assert competitions.detect(Notebook(cells=(text,)))[0] is None


def test_an_empty_notebook_is_of_no_competition(competitions: Competitions) -> None:
    assert competitions.detect(Notebook(cells=())) == (None, ())


def test_the_data_tell_where_no_path_does(competitions: Competitions, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    train, other = mine / "passengers.csv", mine / "other.csv"
    train.write_text("PassengerId,Survived,Pclass,Sex,Age\n5,1,1,female,40\n", "utf-8")
    other.write_text("a,b\n1,2\n", "utf-8")
    assert competitions.detect_by_data([other, train]) == (
        "titanic",
        coded("detected.data", competition="titanic"),
    )
    longer = mine / "longer.csv"
    longer.write_text(f"{train.read_text()}6,1,1,female,40\n", "utf-8")
    assert competitions.detect_by_data([longer, other])[0] is None, "the columns alone do not tell"


def test_the_same_data_in_two_competitions_tell_nothing(
    competitions: Competitions, make_competition: MakeCompetition, root: Path
) -> None:
    public = root / "titanic" / "prepared" / "public"
    make_competition(
        "PassengerId,Survived\n1,0\n",
        slug="titanic-again",
        metric="accuracy",
        id_columns=["PassengerId"],
        target_columns=["Survived"],
        files={"train.csv": (public / "train.csv").read_text("utf-8")},
    )
    slug, why = competitions.detect_by_data([public / "train.csv"])
    assert slug is None
    assert "choose one" in in_words(why)
