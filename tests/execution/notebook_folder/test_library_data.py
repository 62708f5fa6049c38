"""Data that libraries look for: nltk's archives, and the user's caches."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from mle_modernizer_server.domain.errors import BadInput
from mle_modernizer_server.domain.execution import FileAccess, FilesBeside
from mle_modernizer_server.execution.notebook_folder.library_data import (
    has_nltk_archive,
    user_caches,
    with_nltk_folders,
)
from mle_modernizer_server.execution.notebook_folder.supplied_files import check_given
from mle_modernizer_server.execution.notebook_folder.visible_files import Beside, choose_shown
from mle_modernizer_server.execution.sandboxes.base import Reach
from tests.execution.conftest import Runner
from tests.refusals import refused

NLTK = "https://raw.githubusercontent.com/nltk/nltk_data/gh-pages/packages/tokenizers/punkt_tab.zip"


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    file = tmp_path / "punkt_tab.zip"
    with zipfile.ZipFile(file, "w") as made:
        made.writestr("punkt_tab/english/collocations.tab", "a\tb\n")
        made.writestr("punkt_tab/../../outside.txt", "outside")
    return file


@pytest.fixture
def home(tmp_path: Path) -> Path:
    home = tmp_path / "home"
    for path in (".keras/datasets", ".cache/huggingface/hub", ".cache/torch"):
        (home / path).mkdir(parents=True)
    (home / ".keras/datasets/mnist.npz").write_text("numbers")
    (home / ".cache/huggingface/token").write_text("secret")
    (home / ".cache/huggingface/hub/model").write_text("weights")
    return home


def test_an_archive_of_nltk_is_given_as_a_folder(archive: Path, tmp_path: Path) -> None:
    given = check_given({NLTK: archive}, tmp_path / "none")
    assert given == {"~/nltk_data/tokenizers/punkt_tab.zip": archive}
    assert has_nltk_archive(given)
    (tmp_path / "scratch").mkdir()
    found = with_nltk_folders(given, tmp_path / "scratch")
    folder = found["~/nltk_data/tokenizers/punkt_tab"]
    assert (folder / "english/collocations.tab").read_text() == "a\tb\n"
    assert not list(tmp_path.rglob("outside.txt"))


def test_a_damaged_archive_stays_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "words.zip").write_text("no archive")
    given = {"~/nltk_data/corpora/words.zip": tmp_path / "words.zip", "a.zip": tmp_path / "a.zip"}
    assert with_nltk_folders(given, tmp_path) == given
    assert not has_nltk_archive({"a.zip": tmp_path / "a.zip"})


@pytest.mark.parametrize(
    ("address", "places"),
    [
        (
            "https://download.pytorch.org/models/resnet18-f37072fd.pth",
            {"~/.cache/torch/hub/checkpoints/resnet18-f37072fd.pth", "resnet18-f37072fd.pth"},
        ),
        (
            "https://storage.googleapis.com/tensorflow/tf-keras-datasets/mnist.npz",
            {"~/.keras/datasets/mnist.npz", "mnist.npz"},
        ),
        ("https://example.org/data/train.csv", {"train.csv"}),
    ],
)
def test_a_file_for_an_address_is_where_it_is_looked_for(
    address: str, places: set[str], archive: Path, tmp_path: Path
) -> None:
    assert check_given({address: archive}, tmp_path / "none").keys() == places


def test_one_file_of_a_model_hub_is_refused(archive: Path, tmp_path: Path) -> None:
    address = "https://huggingface.co/bert-base-uncased/resolve/main/pytorch_model.bin"
    with refused(BadInput, "together with others.*--caches"):
        check_given({address: archive}, tmp_path / "none")


def test_caches_have_downloads_and_no_token(home: Path) -> None:
    assert user_caches(home).keys() == {"~/.keras/datasets", "~/.cache/huggingface/hub"}


def test_a_cache_that_leads_elsewhere_is_left_out(home: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (home / "nltk_data").symlink_to(tmp_path / "elsewhere")
    assert "~/nltk_data" not in user_caches(home)


@pytest.mark.parametrize("mode", [FilesBeside.NAMED, FilesBeside.NONE])
def test_caches_are_mounted_beside_given_files(
    home: Path, archive: Path, tmp_path: Path, mode: FilesBeside
) -> None:
    given = {"~/.keras/datasets/imdb.npz": archive}
    beside = Beside(tmp_path, mode, given=given, caches=user_caches(home))
    found = choose_shown([""], beside, reach=Reach.MOUNTS, public=None)
    assert {item.at: item.access for item in found.items} == {
        "/tmp/.keras/datasets/imdb.npz": FileAccess.READ_ONLY,
        "/tmp/.cache/huggingface/hub": FileAccess.READ_ONLY,
    }
    assert choose_shown([""], Beside(tmp_path, caches=user_caches(home)), reach=Reach.SCRATCH,
                        public=None).items == ()  # fmt: skip


def test_a_run_reads_caches_and_neither_writes_nor_sees_a_token(
    run_isolated: Runner, home: Path, tmp_path: Path
) -> None:
    (tmp_path / "project").mkdir()
    run_isolated.beside = Beside(tmp_path / "project", caches=user_caches(home))
    ran = run_isolated(
        "import os\nprint(open(os.path.expanduser('~/.keras/datasets/mnist.npz')).read())",
        "print(os.listdir(os.path.expanduser('~/.cache/huggingface')))",
        "open(os.path.expanduser('~/.keras/datasets/new.npz'), 'w')",
    )
    assert ran.text(0) == "numbers\n" and ran.text(1) == "['hub']\n"
    (error,) = ran.execution.errors
    assert "Read-only file system" in error.evalue
    assert not (home / ".keras/datasets/new.npz").exists()
