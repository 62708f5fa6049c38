"""The checklist: what is stated and where, what is taken from others, what is not stated."""

from __future__ import annotations

import ast

import pytest

from mle_modernizer_server.domain.paper import Paper, PaperFormat, Requirement, Section, Statement
from mle_modernizer_server.papers import child
from mle_modernizer_server.reproducing.checklist import checklist_of
from tests.papers.examples import SOURCES


def named(paper: Paper) -> dict[str, Requirement]:
    return {item.name: item for item in checklist_of(paper)}


def of_text(text: str) -> dict[str, Requirement]:
    section = Section(number="2", title="Experiments", text=text)
    return named(Paper(format=PaperFormat.MARKDOWN, sections=(section,)))


def test_our_papers_method() -> None:
    paper = child.read("main.tex", SOURCES).paper
    assert paper is not None
    found = named(paper)
    values = {name: item.value for name, item in found.items() if item.value}
    assert (
        values
        | {
            "optimiser": "Adam",
            "learning_rate": "10^-3",
            "batch_size": "32",
            "layers": "2",
            "hidden_size": "64",
            "activation": "ReLU",
            "preprocessing": "standardize",
        }
        == values
    )
    assert found["dropout"].statement is Statement.NOT_STATED
    assert found["split"].statement is Statement.CITED
    assert found["split"].evidence[0].references == ("aeberhard1992",)


def test_evidence_points_at_its_sentence() -> None:
    text = "First. We use a batch size of 128. Last."
    item = of_text(text)["batch_size"]
    place = item.evidence[0].place
    assert text[place.start : place.end] == "We use a batch size of 128."


def test_a_number_within_a_name_is_no_value() -> None:
    assert of_text("The batch sizes for CIFAR-10 are 128.")["batch_size"].value == "128"


def test_what_is_not_stated_has_an_assumption_that_is_python() -> None:
    found = of_text("We train a neural network with some layers on images.")
    missing = [item for item in found.values() if item.statement is Statement.NOT_STATED]
    assert {"learning_rate", "batch_size", "seed", "split"} <= {item.name for item in missing}
    for item in missing:
        if item.assumption:
            ast.literal_eval(item.assumption)


def test_a_tree_has_no_learning_rate() -> None:
    assert "learning_rate" not in of_text("Decision trees are grown on 178 wines and bagged.")


@pytest.mark.parametrize(
    ("text", "loss", "metric"),
    [
        ("We report the mean squared error, averaged over 20 runs.", "", "mean squared error"),
        ("The MSE on the test set is used as a measure.", "", "MSE"),
        ("We minimize the mean squared error.", "mean squared error", ""),
        ("The network is trained with an MSE loss.", "MSE loss", ""),
        ("The squared error is the training loss.", "squared error", ""),
    ],
)
def test_a_squared_error_is_a_loss_where_it_is_minimized(text: str, loss: str, metric: str) -> None:
    found = of_text(text)
    assert (found["loss"].value, found["metric"].value) == (loss, metric)


def test_a_number_in_a_citation_is_no_value() -> None:
    for sentence, expected in (
        ("We use the learning rate of [@kingma2014].", Statement.NOT_STATED),
        ("We use the same learning rate as [12].", Statement.CITED),
    ):
        section = Section(title="Experiments", text=sentence)
        found = checklist_of(Paper(format=PaperFormat.LATEX, sections=(section,)))
        (rate,) = [one for one in found if one.name == "learning_rate"]
        assert (rate.statement, rate.value) == (expected, "")
