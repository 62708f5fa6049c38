"""Competitions are folders: found, read, confined; broken ones are reported and skipped."""

from __future__ import annotations

from importlib.resources import files
from itertools import pairwise
from pathlib import Path

import pytest

from mle_modernizer_server.domain.competition import Metric
from mle_modernizer_server.domain.errors import BadCompetition, UnknownCompetition
from mle_modernizer_server.grading.competitions import Competitions
from mle_modernizer_server.words import text
from tests.grading.conftest import MakeCompetition
from tests.refusals import refused

ANSWERS = "id,y\n1,0\n2,1\n"


def describe(root: Path, text: str, slug: str = "broken") -> None:
    (root / slug / "prepared" / "public").mkdir(parents=True)
    (root / slug / "competition.yaml").write_text(text)


def test_what_follows_from_the_rest_may_be_left_out(make_competition: MakeCompetition) -> None:
    competition = make_competition(ANSWERS, sample="id,y\n1,0\n2,0\n", metric="log_loss")
    assert competition.id == competition.name == "tiny"
    assert competition.target_columns == competition.answer_columns == ("y",)
    assert competition.higher_is_better is False
    assert competition.probability is True


def test_every_field_can_be_written_out(make_competition: MakeCompetition) -> None:
    competition = make_competition(
        ANSWERS,
        id="tiny",
        name="Tiny",
        metric="macro_f1",
        higher_is_better=True,
        target_columns=["label"],
        answer_columns=["y"],
        classes=["0", "1"],
        probability=False,
        sample_submission="prepared/public/s.csv",
        answers="prepared/private/answers.csv",
        description="prepared/public/d.md",
    )
    assert competition.metric is Metric.MACRO_F1
    assert competition.target_columns == ("label",)
    assert competition.description == "prepared/public/d.md"


def test_numbers_in_yaml_are_labels_and_names_too(make_competition: MakeCompetition) -> None:
    competition = make_competition(
        ANSWERS,
        metric="log_loss",
        target_columns=[0, 1],
        answer_columns=["y"],
        classes=[0, 1],
    )
    assert competition.classes == competition.target_columns == ("0", "1")


MINIMAL = "metric: rmse\nid_columns: [id]\ntarget_columns: [y]\n"


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("metric: [", ["competition.yaml", "YAML"]),
        ("just words", ["mapping of fields"]),
        ("!!python/object/apply:os.system ['true']", ["YAML"]),
        ("id_columns: [id]\n", ["`metric` is missing"]),
        (MINIMAL.replace("rmse", "auc"), ["`metric` is wrong", "'rmse'"]),
        (MINIMAL + "colour: red\n", ["`colour` is not known"]),
        (MINIMAL.replace("[id]", "id"), ["`id_columns`"]),
        (MINIMAL.replace("[id]", "[]"), ["`id_columns` must name"]),
        (MINIMAL.replace("[y]", "[y, y]"), ["`target_columns` names a column twice"]),
        (MINIMAL.replace("[y]", "[id]"), ["'id' is in `id_columns` and `target_columns`"]),
        (MINIMAL + "id: other\n", ["'other'", "'broken'"]),
        (MINIMAL + "higher_is_better: true\n", ["contradicts", "lower is better"]),
        (MINIMAL + "answer_columns: [a, b]\n", ["`answer_columns` has 2", "1"]),
        (MINIMAL + "classes: [a, a]\n", ["`classes` names a label twice"]),
        (MINIMAL + "answers: ../../etc/passwd\n", ["`answers`", "inside the competition's"]),
        (MINIMAL + "answers: /etc/passwd\n", ["`answers`", "inside the competition's"]),
        (MINIMAL + "answers: prepared/public/a.csv\n", ["prepared/private"]),
        (MINIMAL + "description: prepared/private/a.csv\n", ["`description` must not"]),
        (
            MINIMAL.replace("target_columns: [y]\n", ""),
            ["`target_columns` is missing", "not there"],
        ),
        (
            "metric: log_loss\nid_columns: [id]\ntarget_columns: [a, b]\n"
            "answer_columns: [y]\nclasses: [a, b, c]\n",
            ["`classes` has 3 labels for 2"],
        ),
        ("x" * 1_000_001, ["larger than 1 MB"]),
        (
            "a: &a [x, x]\n"
            + "".join(f"{b}: &{b} [*{a}, *{a}]\n" for a, b in pairwise("abcdefghij")),
            ["aliases"],
        ),
        ("a: " + "[" * 5_000, ["nest"]),
        (
            "metric: rmse\nid_columns: [id]\nsample_submission: prepared/private/answers.csv",
            ["`sample_submission` must not lie in prepared/private"],
        ),
    ],
)
def test_a_broken_description_says_which_field_and_why(
    root: Path, written: str, words: list[str]
) -> None:
    describe(root, written)
    with pytest.raises(BadCompetition) as caught:
        Competitions(root).get("broken")
    assert "broken/competition.yaml" in text(caught.value.message)
    for word in words:
        assert word in text(caught.value.message)


def test_a_broken_competition_does_not_hide_the_others(
    root: Path, make_competition: MakeCompetition
) -> None:
    make_competition(ANSWERS, slug="good", metric="rmse", sample=ANSWERS)
    describe(root, "metric: [")
    competitions, problems = Competitions(root).list()
    assert [competition.id for competition in competitions] == ["good"]
    assert len(problems) == 1
    assert "broken/competition.yaml" in text(problems)


def test_missing_files_are_problems_of_a_runnable_notebook(
    root: Path, make_competition: MakeCompetition
) -> None:
    make_competition(ANSWERS, metric="rmse", target_columns=["y"])
    (root / "tiny" / "prepared" / "private" / "answers.csv").unlink()
    competitions, problems = Competitions(root).list()
    assert [competition.id for competition in competitions] == ["tiny"]
    assert "answers.csv" in text(problems)
    assert "sample_submission.csv" in text(problems)


def test_a_competition_without_public_data_is_a_problem(root: Path) -> None:
    (root / "empty").mkdir()
    (root / "empty" / "competition.yaml").write_text(MINIMAL)
    competitions, problems = Competitions(root).list()
    assert not competitions
    assert "prepared/public" in text(problems)


def test_missing_data_root_is_no_error(tmp_path: Path) -> None:
    nowhere = Competitions(tmp_path / "nowhere")
    assert nowhere.list() == ([], ())
    told = text(nowhere.without_root())
    assert f"the folder {tmp_path / 'nowhere'} does not exist" in told
    assert "MLE_MODERNIZER_DATA_ROOT" in told
    assert Competitions(tmp_path).without_root() == ()


def test_an_unknown_competition_gets_near_names(
    root: Path, make_competition: MakeCompetition
) -> None:
    make_competition(ANSWERS, slug="titanic", metric="accuracy", target_columns=["y"])
    with refused(UnknownCompetition, match="Did you mean titanic"):
        Competitions(root).get("titanik")
    with refused(UnknownCompetition, match="Available: titanic"):
        Competitions(root).get("xyz")


def test_refusal_among_many_competitions_counts_omitted_ones(root: Path) -> None:
    for number in range(81):
        (root / f"competition-{number:02}").mkdir(parents=True)
        (root / f"competition-{number:02}" / "competition.yaml").write_text(MINIMAL)
    with pytest.raises(UnknownCompetition) as refusal:
        Competitions(root).get("xyz")
    told = text(refusal.value.message)
    assert "competition-09 and 71 more" in told and "competition list" in told
    assert len(Competitions(root).list()[1]) == 81, "the list names each of them"


@pytest.mark.parametrize("slug", ["..", ".", "", "../data/tiny", "/etc", "a/b", "tiny\x00", "a\\b"])
def test_a_slug_never_leads_out_of_the_root(
    root: Path, make_competition: MakeCompetition, slug: str
) -> None:
    make_competition(ANSWERS, metric="rmse", target_columns=["y"])
    for look in (Competitions(root).get, Competitions(root).public_dir):
        with pytest.raises(UnknownCompetition):
            look(slug)


def test_links_never_lead_out_of_the_root(
    root: Path, tmp_path: Path, make_competition: MakeCompetition
) -> None:
    outside = tmp_path / "outside"
    describe(tmp_path, MINIMAL, "outside")
    (root / "linked").symlink_to(outside)
    with refused(BadCompetition, match="outside the data root"):
        Competitions(root).get("linked")

    make_competition(ANSWERS, metric="rmse", target_columns=["y"])
    (tmp_path / "secret.md").write_text("secret")
    public = root / "tiny" / "prepared" / "public"
    (public / "description.md").symlink_to(tmp_path / "secret.md")
    with refused(BadCompetition, match=r"description\.md is a link"):
        Competitions(root).description("tiny")


def test_the_description_is_the_markdown_or_nothing(
    root: Path, make_competition: MakeCompetition
) -> None:
    markdown = {"description.md": "# Guess y"}
    make_competition(ANSWERS, metric="rmse", target_columns=["y"], files=markdown)
    make_competition(ANSWERS, slug="mute", metric="rmse", target_columns=["y"])
    assert Competitions(root).description("tiny") == "# Guess y"
    assert Competitions(root).description("mute") == ""


def test_prepared_mle_bench_data_needs_no_description_file(root: Path) -> None:
    public = root / "leaf-classification" / "prepared" / "public"
    private = root / "leaf-classification" / "prepared" / "private"
    public.mkdir(parents=True)
    private.mkdir()
    (public / "sample_submission.csv").write_text("id,Acer,Quercus\n1,0.5,0.5\n")
    (private / "test.csv").write_text("id,Acer,Quercus\n1,1,0\n")
    competitions, problems = Competitions(root).list()
    assert not problems
    assert competitions[0].metric is Metric.LOG_LOSS
    assert competitions[0].target_columns == ("Acer", "Quercus")
    assert competitions[0].answers == "prepared/private/test.csv"


def test_every_shipped_description_can_be_read(root: Path) -> None:
    known = files("mle_modernizer_server.grading") / "known"
    slugs = sorted(path.name.removesuffix(".yaml") for path in known.iterdir())
    for slug in slugs:
        public = root / slug / "prepared" / "public"
        public.mkdir(parents=True)
        (public / "sample_submission.csv").write_text("id,a,b\n")
        competition = Competitions(root).get(slug)
        assert competition.id == slug
        assert competition.answers.startswith("prepared/private/")
    assert len(slugs) == 81  # MLE-bench's 82 but the one whose answers are no CSV
