"""Which code reads data directly in `/kaggle/input`, where Kaggle had them until 2019."""

from __future__ import annotations

from pathlib import Path

import pytest

from mle_modernizer_server.execution.notebook_folder.lookup import data_layout
from mle_modernizer_server.execution.sandboxes.workspace import DataLayout

SLUG = "home-data"
WALK = (
    "import os\nfor folder, _, names in os.walk('/kaggle/input'):\n"
    "    for name in names:\n        print(os.path.join(folder, name))"
)
LIST = "from subprocess import check_output\nprint(check_output(['ls', '../input']))"


@pytest.fixture
def public(tmp_path: Path) -> Path:
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / "one.png").touch()
    (tmp_path / "train.csv").touch()
    return tmp_path


@pytest.mark.parametrize(
    "source",
    [
        "pd.read_csv('../input/train.csv')",
        "pd.read_csv('/kaggle/input/train.csv')",
        "pd.read_csv('./input/train.csv')",
        "pd.read_csv('../input/trian.csv')",
        "DATA = '../input/'\npd.read_csv(DATA + 'train.csv')",
        "for name in names:\n    pd.read_csv(f'../input/{name}.csv')",
        "for name in names:\n    pd.read_csv('../input/' + name)",
        "Image.open('../input/images/one.png')",
        "import glob\nglob.glob('../input/images/*.png')",
        "import glob\nglob.glob('../input/*.csv')",
        "import os\nos.chdir('../input')\npd.read_csv('train.csv')",
        "%cd ../input",
        "!head ../input/train.csv",
        "def load(root):\n    pd.read_csv(os.path.join(root, 'train.csv'))\nload('../input')",
        "class C:\n    root = '../input'\npd.read_csv(C.root + '/train.csv')",
    ],
)
def test_code_that_reads_flat_data_is_seen(public: Path, source: str) -> None:
    assert data_layout([WALK, source], SLUG, public) is DataLayout.FLAT


@pytest.mark.parametrize(
    "source",
    [
        "pd.read_csv('../input/home-data/train.csv')",
        "SLUG = 'home-data'\npd.read_csv(f'../input/{SLUG}/train.csv')",
        "pd.read_csv(f'../input/{name}/train.csv')",
        "ROOT = '/kaggle/input/home-data'\npd.read_csv(f'{ROOT}/train.csv')",
        "import glob\nglob.glob('../input/*')",
        "!ls ../input",
        "pd.read_csv('data/other.csv')",
        "1 +",
    ],
)
def test_code_that_lists_or_names_the_slug_is_not(public: Path, source: str) -> None:
    assert data_layout([WALK, LIST, source], SLUG, public) is DataLayout.SLUG


@pytest.mark.parametrize(
    "source",
    [
        "pd.read_csv('../input/home-data/train.csv')",
        "pd.read_csv(f'../input/{slug}/train.csv')",
        "slug = 'home-data'",
    ],
)
def test_code_that_also_names_the_slug_gets_both(public: Path, source: str) -> None:
    flat = "pd.read_csv('../input/train.csv')"
    assert data_layout([flat, source], SLUG, public) is DataLayout.BOTH


def test_the_slug_in_other_words_is_not_its_folder(public: Path) -> None:
    source = "home_data = load('../input')  # home-data\nprint('home-data of 2016')"
    load = "def load(root):\n    return pd.read_csv(os.path.join(root, 'train.csv'))"
    assert data_layout([load, source], SLUG, public) is DataLayout.FLAT


def test_no_competition_has_no_flat_data() -> None:
    assert data_layout(["open('../input/train.csv')"], None, None) is DataLayout.SLUG
