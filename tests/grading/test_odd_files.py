"""A folder of competitions as a download may leave it: pipes and odd links stop nothing."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from mle_modernizer_server.domain.errors import BadCompetition
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.grading.competitions import Competitions
from mle_modernizer_server.grading.data_preview import data_preview
from mle_modernizer_server.grading.preexisting_files import old_submissions
from tests.grading.conftest import MakeCompetition

ANSWERS = "id,y\n1,0\n2,1\n"


@pytest.fixture
def competitions(root: Path, make_competition: MakeCompetition) -> Competitions:
    make_competition(ANSWERS, slug="good", metric="rmse", sample=ANSWERS)
    shutil.copytree(root / "good", root / "bad")
    (root / "loop").symlink_to("loop")
    (root / "long").symlink_to("n" * 300)
    return Competitions(root)


@pytest.mark.parametrize("name", ["competition.yaml", "prepared/private/answers.csv"])
@pytest.mark.parametrize("kind", ["pipe", "loop", "long"])
def test_odd_file_hides_no_other_competition(
    competitions: Competitions, name: str, kind: str
) -> None:
    path = competitions.root / "bad" / name
    path.unlink()
    if kind == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to(path.name if kind == "loop" else "n" * 300)
    found, problems = competitions.list()
    assert "good" in [competition.id for competition in found]
    assert problems or "bad" not in [competition.id for competition in found]


def test_loop_in_the_place_of_answers_is_refused(competitions: Competitions) -> None:
    answers = competitions.root / "bad" / "prepared" / "private" / "answers.csv"
    answers.unlink()
    answers.symlink_to("answers.csv")
    with pytest.raises(BadCompetition):
        competitions.get("bad")


def test_odd_data_are_passed(competitions: Competitions) -> None:
    public = competitions.public_dir("good")
    (public / "loop.csv").symlink_to("loop.csv")
    (public / "long.csv").symlink_to("n" * 300)
    for name in ("train.csv", "test.csv.gz", "description.md"):
        os.mkfifo(public / name)
    assert "sample_submission.csv" in data_preview(public)
    assert competitions.description("good") == ""
    competitions.detect(Notebook(cells=()))
    found = old_submissions(competitions.get("good"), public, {"train.csv": public / "train.csv"})
    assert list(found) == ["sample_submission.csv"]
