"""The peculiarities of MLE-bench's graders, each with a value worked out by hand."""

from __future__ import annotations

import math
from importlib.resources import as_file, files
from pathlib import Path

import pytest

from mle_modernizer_server.domain.competition import Competition
from mle_modernizer_server.grading.child import Result, score_submission
from mle_modernizer_server.grading.csv_table import read_table
from mle_modernizer_server.grading.description import read_description
from mle_modernizer_server.grading.refusal import InvalidSubmission
from mle_modernizer_server.grading.validation import answers_columns, submission_columns
from mle_modernizer_server.words import text


def known(slug: str, tmp_path: Path) -> Competition:
    with as_file(files("mle_modernizer_server.grading") / "known" / f"{slug}.yaml") as file:
        return read_description(file, tmp_path / slug)


def grade(slug: str, answers: str, submission: str, tmp_path: Path) -> Result:
    competition = known(slug, tmp_path)
    (tmp_path / "answers.csv").write_text(answers)
    (tmp_path / "submission.csv").write_text(submission)
    return score_submission(
        read_table(tmp_path / "submission.csv", submission_columns(competition)),
        read_table(tmp_path / "answers.csv", answers_columns(competition)),
        competition,
    )


def test_nomad_takes_rows_in_order_and_offers_the_score_by_id(tmp_path: Path) -> None:
    columns = "id,formation_energy_ev_natom,bandgap_energy_ev\n"
    answers = columns + "1,0,0\n2,1,1\n"
    result = grade(
        "nomad2018-predict-transparent-conductors", answers, columns + "2,1,1\n1,0,0\n", tmp_path
    )
    assert result.score == pytest.approx(math.log(2))
    assert result.traps[0].corrected == 0.0
    assert "ignores the ids" in text(result.traps[0].what)


def test_hard_probabilities_cost_more_than_they_did_on_kaggle(tmp_path: Path) -> None:
    result = grade(
        "dogs-vs-cats-redux-kernels-edition",
        "id,label\n1,1\n2,0\n",
        "id,label\n1,0\n2,0\n",
        tmp_path,
    )
    assert result.score == pytest.approx(-math.log(2.220446049250313e-16) / 2)
    assert result.traps[0].corrected == pytest.approx(-math.log(1e-15) / 2)


def test_toxic_comments_are_scored_by_the_place_of_a_column(tmp_path: Path) -> None:
    names = ["toxic", "severe_toxic", "obscene", "threat", "insult", "identity_hate"]
    answers = f"id,{','.join(names)}\na,1,0,1,0,1,0\nb,0,1,0,1,0,1\nc,-1,-1,-1,-1,-1,-1\n"
    turned = f"id,{','.join(reversed(names))}\na,0,1,0,1,0,1\nb,1,0,1,0,1,0\nc,0,0,0,0,0,0\n"
    result = grade("jigsaw-toxic-comment-classification-challenge", answers, turned, tmp_path)
    assert result.score == 0.0
    assert result.traps[0].corrected == 1.0


def test_stanford_chooses_rows_by_their_place(tmp_path: Path) -> None:
    answers = (
        "id_seqpos,reactivity,deg_Mg_pH10,deg_Mg_50C,keep\n"
        "a,1,1,1,True\nb,5,5,5,False\nc,3,3,3,True\n"
    )
    columns = "id_seqpos,reactivity,deg_Mg_pH10,deg_Mg_50C,deg_pH10,deg_50C\n"
    rows = {"a": "a,1,1,1,0,0\n", "b": "b,5,5,5,0,0\n", "c": "c,3,3,3,0,0\n"}
    same = grade("stanford-covid-vaccine", answers, columns + "".join(rows.values()), tmp_path)
    assert (same.score, same.traps) == (0.0, ())
    # the first and the third row of the file, b and c, are compared with a and c
    turned = columns + rows["b"] + rows["a"] + rows["c"]
    result = grade("stanford-covid-vaccine", answers, turned, tmp_path)
    assert result.score == pytest.approx(math.sqrt((4**2 + 0) / 2))
    assert result.traps[0].corrected == 0.0


def test_volcanoes_are_rounded_and_the_exact_error_is_offered(tmp_path: Path) -> None:
    answers = "segment_id,time_to_eruption\n1,10\n2,20\n"
    submission = "segment_id,time_to_eruption\n1,11\n2,22.6\n"
    result = grade("predict-volcanic-eruptions-ingv-oe", answers, submission, tmp_path)
    assert result.score == 2
    assert result.traps[0].corrected == pytest.approx(1.8)


def test_an_empty_salt_mask_counts_as_a_full_one(tmp_path: Path) -> None:
    # 9000 of the 10201 pixels are salt: a full mask would pass the thresholds up to 0.85
    answers, submission = "id,rle_mask\na,1 9000\n", "id,rle_mask\na,\n"
    result = grade("tgs-salt-identification-challenge", answers, submission, tmp_path)
    assert result.score == pytest.approx(0.8)
    assert result.traps[0].corrected == 0.0


def test_labels_of_herbaria_lose_their_decimals(tmp_path: Path) -> None:
    answers, submission = "Id,Predicted\n1,3\n2,4\n", "Id,Predicted\n1,3.7\n2,4.0\n"
    assert grade("herbarium-2020-fgvc7", answers, submission, tmp_path).score == 1.0


def test_of_a_ranked_list_inaturalist_takes_the_first(tmp_path: Path) -> None:
    answers, submission = "id,predicted\n1,3\n2,4\n", "id,predicted\n1,3 4 5\n2,5 4 3\n"
    assert grade("inaturalist-2019-fgvc6", answers, submission, tmp_path).score == 0.5


@pytest.mark.parametrize(
    ("slug", "answers", "submission", "words"),
    [
        (
            "whale-categorization-playground",
            "Image,Id\na,w1\n",
            "Image,Id,extra\na,w1,0\n",
            "'extra', which is none of the competition's columns",
        ),
        (
            "spooky-author-identification",
            "id,EAP,HPL,MWS\na,1,0,0\n",
            "EAP,HPL,MWS,id\n1,0,0,a\n",
            "'id' must come first",
        ),
        (
            "vesuvius-challenge-ink-detection",
            "Id,Predicted,width,height\na,1 2,5,5\nb,1 2,5,5\n",
            "Id,Predicted\nb,1 2\na,1 2\n",
            "must keep the sample submission's order",
        ),
        (
            "petfinder-pawpularity-score",
            "Id,Pawpularity\na,50\n",
            "Id,Pawpularity\na,0.5\n",
            "a value from 1 to 100 is expected",
        ),
        (
            "lmsys-chatbot-arena",
            "id,winner_model_a,winner_model_b,winner_tie\na,1,0,0\n",
            "id,winner_model_a,winner_model_b,winner_tie\na,0.500002,0.3,0.2\n",
            "sum to 1.000002",
        ),
        (
            "AI4Code",
            "id,cell_order\na,x y z\n",
            "id,cell_order\na,x y q\n",
            "'z' is missing",
        ),
        (
            "hubmap-kidney-segmentation",
            "id,encoding,width_pixels,height_pixels\na,1 2,5,5\n",
            "id,predicted\na,1 2 2 2\n",
            "runs overlap",
        ),
        (
            "siim-covid19-detection",
            "id,PredictionString\na,opacity 1 0 0 9 9\n",
            "id,PredictionString\na,opacity 1 0 0 9\n",
            "6 a box are expected",
        ),
        (
            "icecube-neutrinos-in-deep-ice",
            "event_id,azimuth,zenith\n1,0,0\n",
            "event_id,azimuth,zenith\n1,inf,0\n",
            "is infinite",
        ),
    ],
)
def test_a_submission_is_refused_for_the_graders_reason(
    slug: str, answers: str, submission: str, words: str, tmp_path: Path
) -> None:
    with pytest.raises(InvalidSubmission) as caught:
        grade(slug, answers, submission, tmp_path)
    assert words in text(caught.value.message)


def test_row_sums_are_as_near_to_one_as_each_grader_wants_them(tmp_path: Path) -> None:
    answers = "id,EAP,HPL,MWS\na,1,0,0\n"
    submission = "id,EAP,HPL,MWS\na,0.500002,0.3,0.2\n"
    result = grade("spooky-author-identification", answers, submission, tmp_path)
    assert result.score == pytest.approx(-math.log(0.500002))


OSIC = "Patient,Patient_Week,FVC\np,p_1,1\np,p_2,2\np,p_3,\np,p_4,4\np,p_5,5\n"


@pytest.mark.parametrize("row", ["p_1,,1", "p_1,1,", "p_1,inf,1", "p_1,NaN,1", "p_3, 1,1"])
def test_osic_overlooks_gaps_in_rows_that_are_not_scored(row: str, tmp_path: Path) -> None:
    rows = f"Patient_Week,FVC,Confidence\n{row}\np_2,2,100\np_4,4,100\np_5,5,100\n"
    result = grade("osic-pulmonary-fibrosis-progression", OSIC, rows, tmp_path)
    assert result.score == pytest.approx(-4.9517437762680645, abs=1e-9)


@pytest.mark.parametrize("row", ["p_1,text,1", "p_1,1,text", "p_3,-,1", "p_3,1_0,1"])
def test_osic_refuses_text_even_in_rows_that_are_not_scored(row: str, tmp_path: Path) -> None:
    rows = f"Patient_Week,FVC,Confidence\n{row}\np_2,2,100\np_4,4,100\np_5,5,100\n"
    with pytest.raises(InvalidSubmission, match=r"csv\.unscored-text \(line: 2"):
        grade("osic-pulmonary-fibrosis-progression", OSIC, rows, tmp_path)


@pytest.mark.parametrize(
    ("labels", "score"), [(("X", ""), 0.5), (("1.5", "X"), 0), (("", "Y"), 0.5)]
)
def test_seedlings_take_an_empty_label_beside_texts(
    labels: tuple[str, str], score: float, tmp_path: Path
) -> None:
    submission = "file,species\na,{}\nb,{}\n".format(*labels)
    answers = "file,species\na,X\nb,Y\n"
    assert grade("plant-seedlings-classification", answers, submission, tmp_path).score == score


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        (("", ""), "holds no label at all"),
        (("nan", "NaN"), "holds no label at all"),
        (("1", ""), "nothing but numbers and empty cells"),
        (("1", "2"), "None of the labels"),
    ],
)
def test_seedlings_refuse_labels_without_a_text(
    labels: tuple[str, str], words: str, tmp_path: Path
) -> None:
    submission = "file,species\na,{}\nb,{}\n".format(*labels)
    answers = "file,species\na,X\nb,Y\n"
    with pytest.raises(InvalidSubmission) as caught:
        grade("plant-seedlings-classification", answers, submission, tmp_path)
    assert words in text(caught.value.message)


def test_paddy_takes_empty_labels_alone(tmp_path: Path) -> None:
    answers, empty = "image_id,label\na,X\nb,Y\n", "image_id,label\na,\nb,\n"
    assert grade("paddy-disease-classification", answers, empty, tmp_path).score == 0


@pytest.mark.parametrize(
    ("values", "score"),
    [((-1, 0, 0.5), 0.4), ((-0.1, 0.2, 0.3), 0.24), ((2, -1, -1), 2 / 3), ((-1, 0, 0), 0)],
)
def test_breast_cancer_cuts_values_below_0(
    values: tuple[float, ...], score: float, tmp_path: Path
) -> None:
    submission = "prediction_id,cancer\na,{}\nb,{}\nc,{}\n".format(*values)
    answers = "prediction_id,cancer\na,1\nb,0\nc,1\n"
    result = grade("rsna-breast-cancer-detection", answers, submission, tmp_path)
    assert result.score == pytest.approx(score, abs=1e-9)


def test_breast_cancer_refuses_values_that_are_all_below_0(tmp_path: Path) -> None:
    submission = "prediction_id,cancer\na,-1\nb,-0.5\nc,-1\n"
    answers = "prediction_id,cancer\na,1\nb,0\nc,1\n"
    with pytest.raises(InvalidSubmission, match=r"csv\.all-negative"):
        grade("rsna-breast-cancer-detection", answers, submission, tmp_path)
