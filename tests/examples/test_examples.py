"""The example competitions and notebooks are complete and honest."""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pandas as pd
import pytest
from nbformat import NotebookNode

from mle_modernizer_server.domain.grade import OutputStatus
from mle_modernizer_server.grading.competitions import Competitions
from mle_modernizer_server.grading.grader import grade_csv

EXAMPLES = Path(__file__).parents[2] / "examples"
NOTEBOOKS = sorted((EXAMPLES / "notebooks").glob("*.ipynb"))
SLUGS = ("biopsy-diagnosis", "diabetes-progression", "digit-scans", "wine-cultivars")


def make_data(root: Path) -> Path:
    command = [sys.executable, str(EXAMPLES / "make_data.py"), "--root", str(root)]
    subprocess.run(command, check=True, capture_output=True)
    return root


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_data(tmp_path_factory.mktemp("data"))


def hashes(root: Path) -> dict[str, str]:
    return {
        str(path.relative_to(root)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in root.rglob("*")
        if path.is_file()
    }


@pytest.mark.thorough
def test_two_runs_of_the_generator_write_the_same_bytes(data: Path, tmp_path: Path) -> None:
    assert hashes(make_data(tmp_path)) == hashes(data)


def test_the_data_are_the_ones_the_targets_were_recorded_on(data: Path) -> None:
    digest = hashlib.sha256()
    for name, content in sorted(hashes(data).items()):
        if name.endswith(".csv"):
            digest.update(f"{name} {content}\n".encode())
    assert digest.hexdigest() == "6bf9e490c1d940455e2f59b38a4026bb5463aa9030f9fbfaaf02165bee3b24bb"


def test_every_competition_is_complete_and_usable(data: Path) -> None:
    competitions, problems = Competitions(data).list()
    assert not problems
    assert tuple(competition.id for competition in competitions) == SLUGS
    assert len({competition.metric for competition in competitions}) >= 3


@pytest.mark.parametrize("slug", SLUGS)
def test_nothing_but_the_usual_files_is_public(data: Path, slug: str) -> None:
    public = data / slug / "prepared" / "public"
    files = {path.name for path in public.rglob("*")}
    assert files == {"train.csv", "test.csv", "sample_submission.csv", "description.md"}


@pytest.mark.process
@pytest.mark.parametrize("slug", SLUGS)
def test_the_sample_submission_is_valid(data: Path, slug: str) -> None:
    competition = Competitions(data).get(slug)
    sample = data / slug / competition.sample_submission
    grade = grade_csv(sample, competition, data)
    assert grade.output_status is OutputStatus.WITH_CSV, grade.reason


@pytest.mark.process
@pytest.mark.parametrize("slug", SLUGS)
def test_the_true_answers_get_the_perfect_score(data: Path, slug: str, tmp_path: Path) -> None:
    competition = Competitions(data).get(slug)
    answers = pd.read_csv(data / slug / competition.answers)
    truth = answers[competition.answer_columns[0]]
    submission = answers[list(competition.id_columns)].copy()
    for column, label in zip(
        competition.target_columns, competition.classes or (None,), strict=True
    ):
        submission[column] = truth if label is None else (truth.astype(str) == label).astype(int)
    submission.to_csv(tmp_path / "submission.csv", index=False)
    score = grade_csv(tmp_path / "submission.csv", competition, data).score
    assert score == pytest.approx(1.0 if competition.higher_is_better else 0.0, abs=1e-6)


@pytest.mark.parametrize("slug", SLUGS)
def test_the_public_files_give_no_answer_away(data: Path, slug: str) -> None:
    competition = Competitions(data).get(slug)
    public = data / slug / "prepared" / "public"
    train, test = pd.read_csv(public / "train.csv"), pd.read_csv(public / "test.csv")
    sample = pd.read_csv(public / "sample_submission.csv")
    answers = pd.read_csv(data / slug / competition.answers)
    (identity,) = competition.id_columns

    assert list(test[identity]) == list(answers[identity]) == list(sample[identity])
    assert not set(train[identity]) & set(test[identity])
    assert len(train.columns) == len(test.columns) + 1
    assert set(test.columns) < set(train.columns)

    features = [column for column in test.columns if column != identity]
    assert not len(test.merge(train, on=features)), "a row of the test set is in the training set"
    assert (sample.drop(columns=identity).nunique() == 1).all()
    truth = answers[competition.answer_columns[0]]
    codes = list(pd.factorize(truth)[0])
    for column in features:
        assert list(pd.factorize(test[column])[0]) != codes, f"{column} is the answer, renamed"
    assert abs(answers[identity].corr(truth)) < 0.2, "the ids follow the answers"


def outputs(notebook: NotebookNode) -> Iterator[Any]:
    for cell in notebook.cells:
        if cell.cell_type == "code":
            yield from cell.outputs


def read(path: Path) -> NotebookNode:
    notebook: NotebookNode = nbformat.read(path, as_version=nbformat.NO_CONVERT)
    return notebook


def test_there_are_enough_notebooks_of_both_formats() -> None:
    assert len(NOTEBOOKS) >= 8
    with_ids = ["id" in cell for path in NOTEBOOKS for cell in read(path).cells[:1]]
    assert True in with_ids and False in with_ids


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_valid_and_has_a_recorded_target(path: Path, data: Path) -> None:
    notebook = read(path)
    nbformat.validate(notebook)
    ours = notebook.metadata["mle_modernizer"]
    assert Competitions(data).get(ours["competition"]).id in SLUGS
    assert isinstance(ours["target_score"], float) and ours["target_score"] > 0

    pins = (EXAMPLES / ours["environment"]).read_text(encoding="utf-8").splitlines()
    for name, version in ours["libraries"].items():
        assert f"{name} {version}" in ours["target_source"]
        assert name == "Python" or f"{name}=={version}" in pins


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_shows_its_run_of_that_year(path: Path) -> None:
    notebook = read(path)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    assert any(".to_csv(" in cell.source for cell in code)
    assert not [output for output in outputs(notebook) if output.output_type == "error"]
    assert notebook.metadata.language_info.version.startswith("3.7.")


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_small_and_names_no_path_of_a_machine(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text) < 150_000
    assert not re.search(r"(/tmp|/home|/root|/Users|site-packages/\.\.)/", text)


@pytest.mark.parametrize(
    "path", sorted(EXAMPLES.glob("old_environment_*.txt")), ids=lambda p: p.stem
)
def test_every_library_of_an_old_environment_is_pinned(path: Path) -> None:
    for line in path.read_text(encoding="utf-8").splitlines():
        assert not line or line.startswith("#") or re.fullmatch(r"[\w-]+==[\d.]+", line), line
