"""The notebook of an experiment: sections, parameters, and no claimed number in any cell."""

from __future__ import annotations

import ast
import contextlib
import io
import json
import re
from typing import Any

import pytest
import yaml

from mle_modernizer_server.domain.errors import BadInput
from mle_modernizer_server.domain.notebook import CellType, Notebook
from mle_modernizer_server.domain.paper import (
    Claim,
    ClaimSource,
    Paper,
    PaperFormat,
    PaperReading,
    PaperTable,
    Section,
    Statement,
    TableCell,
)
from mle_modernizer_server.domain.reproduction import Experiment
from mle_modernizer_server.papers import child
from mle_modernizer_server.reproducing import skeleton as skeleton_module
from mle_modernizer_server.reproducing.checklist import checklist_of
from mle_modernizer_server.reproducing.claims.find import claims_of
from mle_modernizer_server.reproducing.experiment import best_claims, experiment_of
from mle_modernizer_server.reproducing.skeleton import skeleton
from mle_modernizer_server.reproducing.stated_values import python_literal, seed_literal
from tests.papers.examples import SOURCES
from tests.refusals import refused


def reading_of(paper: Paper) -> PaperReading:
    return PaperReading(paper=paper, claims=claims_of(paper), checklist=checklist_of(paper))


def our_reading() -> PaperReading:
    paper = child.read("main.tex", SOURCES).paper
    assert paper is not None
    return reading_of(paper)


def experiment(reading: PaperReading, *chosen: str) -> Experiment:
    return experiment_of(reading, chosen, source="main.tex", checksum="0" * 64)


def short_paper(text: str, *tables: PaperTable, title: str = "A Paper") -> PaperReading:
    section = Section(number="3", title="Experiments", text=text)
    return reading_of(
        Paper(format=PaperFormat.LATEX, title=title, sections=(section,), tables=tables)
    )


def run(notebook: Notebook) -> tuple[dict[str, Any], str]:
    """Names and standard output of all code cells, executed one after the other."""
    names: dict[str, Any] = {}
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        for cell in notebook.code_cells():
            exec(compile(cell.source, cell.id, "exec"), names)
    return names, printed.getvalue()


@pytest.mark.parametrize(
    ("stated", "literal"),
    [
        ("", "None"),
        ("32", "32"),
        ("1,024", "1024"),
        ("32k", "32000"),
        ("10^-3", "0.001"),
        ("10^{−3}", "0.001"),
        ("2 · 10^-4", "0.0002"),
        ("1e-3", "0.001"),
        (".5", "0.5"),
        ("20 %", "0.2"),
        ("five", "5"),
        ("Adam", "'Adam'"),
        ("it's", '"it\'s"'),
        ("80/20", "'80/20'"),
        ("9^999", "'9^999'"),
        ("'''\nimport os", "\"''' import os\""),
    ],
)
def test_what_is_stated_becomes_a_literal(stated: str, literal: str) -> None:
    assert python_literal(stated) == literal
    ast.literal_eval(literal)


@pytest.mark.parametrize(
    ("stated", "literal"), [("0, 1, 2", "0"), ("seed 42", "42"), ("", "None"), ("9" * 20, "None")]
)
def test_a_seed_is_one_that_libraries_take(stated: str, literal: str) -> None:
    assert seed_literal(stated) == literal


def test_best_table_and_its_own_claims_are_chosen() -> None:
    reading = our_reading()
    assert [one.printed for one in best_claims(reading.claims)] == ["98.9", "0.99", "97.3"]


def test_claims_are_picked_by_id_or_number() -> None:
    reading = our_reading()
    chosen = experiment(reading, "5", "t0r3c1n0", "5")
    assert [one.claim.printed for one in chosen.claims] == ["98.88", "95.5"]
    assert chosen.claims[0].claim == reading.ranked()[4]
    assert chosen.claims[0].where == "Table 1 row 3"
    with refused(BadInput, match="no claim '10'"):
        experiment(reading, "10")


def test_a_paper_without_claims_makes_no_notebook() -> None:
    with refused(BadInput, match="No claim was found"):
        experiment(short_paper("Nothing is measured here."))


def test_each_requirement_is_a_parameter_of_one_cell() -> None:
    made = experiment(our_reading())
    assumptions = [cell for cell in skeleton(made).code_cells() if cell.id == "assumptions"]
    (cell,) = assumptions
    assert "LEARNING_RATE = 0.001  # stated (§2)" in cell.source
    assert "EPOCHS = 10  # not stated: an assumption" in cell.source
    assert "SPLIT = 0.2  # from a cited work; this value is an assumption (§2)" in cell.source
    names = [line.partition(" = ")[0] for line in cell.source.splitlines()]
    assert names == [one.name for one in made.parameters]
    for other in skeleton(made).code_cells():
        stored = {
            node.id
            for node in ast.walk(ast.parse(other.source))
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        }
        assert other.id == "assumptions" or not stored & set(names)


def test_the_sections_are_fixed() -> None:
    cells = skeleton(experiment(our_reading())).cells
    headings = [
        cell.source.splitlines()[0].lstrip("# ") for cell in cells if cell.type is CellType.MARKDOWN
    ]
    assert headings[1:] == [
        "Assumptions",
        "Data",
        "Method",
        "Shape checks",
        "Training",
        "Evaluation",
        "Claims",
    ]


def test_no_cell_has_a_claimed_number() -> None:
    title = "98.9 Percent on Wine with an Accuracy of 0.989"
    rows = ["Method | Accuracy", "Ours (98.9) | 98.9", "LDA | 0.989"]
    table = PaperTable(
        number="1",
        caption="Wine.",
        rows=tuple(tuple(TableCell(text=text.strip()) for text in row.split("|")) for row in rows),
    )
    reading = short_paper("We use Adam.", table, title=title)
    made = experiment(reading, *(claim.id for claim in reading.claims))
    assert len(made.claims) == 2
    for cell in skeleton(made).cells:
        assert "98.9" not in cell.source
        assert "0.989" not in cell.source


def test_a_result_that_rules_took_for_a_setting_stands_nowhere() -> None:
    reading = our_reading()
    (own, *_) = reading.claims
    text = "The dropout model reaches an accuracy of 0.97 on Wine."
    claim = Claim(
        id="s0o41",
        value=0.97,
        printed="0.97",
        decimals=2,
        source=ClaimSource.SENTENCE,
        place=own.place.model_copy(
            update={"table": None, "row": None, "column": None, "section": 0, "start": 41}
        ),
    )
    paper = short_paper(text).paper
    networks = "A neural network with layers is trained by networks and deep layers. " * 3
    paper = paper.model_copy(
        update={
            "sections": (
                *paper.sections,
                Section(number="4", title="More", text=networks),
            )
        }
    )
    found = PaperReading(paper=paper, claims=(claim,), checklist=checklist_of(paper))
    dropout = next(item for item in found.checklist if item.name == "dropout")
    assert (dropout.statement, dropout.value) == (Statement.STATED, "0.97")
    (parameter,) = [one for one in experiment(found).parameters if one.name == "DROPOUT"]
    assert (parameter.value, parameter.stated) == ("None", "")


def test_the_skeleton_runs_and_computes_nothing() -> None:
    names, printed = run(skeleton(experiment(our_reading())))
    assert names["X"].shape == (178, 13)
    assert "not tried on a sampled batch" in printed
    last = printed.splitlines()[-1]
    assert json.loads(last.removeprefix("results = ")) == {
        "t0r4c1n0": None,
        "t0r4c2n0": None,
        "t0r4c3n0": None,
    }


def test_without_known_data_it_runs_too() -> None:
    names, printed = run(skeleton(experiment(short_paper("We get an accuracy of 93.5% on Foo."))))
    assert names["X"] is None
    assert "X is not there yet" in printed


@pytest.mark.parametrize("name", sorted(yaml.safe_load(skeleton_module._FILE.read_text("utf-8"))))
def test_data_of_libraries_load(name: str) -> None:
    entry = yaml.safe_load(skeleton_module._FILE.read_text("utf-8"))[name]
    names: dict[str, Any] = {"SEED": 0}
    exec(entry["code"], names)
    assert len(names["X"]) == len(names["y"]) > 100


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("We reach an accuracy of 97.5% on Foo.", None),
        ("We reach an accuracy of 97.5% on WDBC.", (569, 30)),
        ("We reach an error of 4.53% on Friedman #1.", (200, 10)),
        ("We reach an accuracy of 97.5% on handwritten digits.", (1797, 64)),
    ],
)
def test_the_data_are_those_that_the_claim_names(text: str, shape: tuple[int, int] | None) -> None:
    names, _ = run(skeleton(experiment(short_paper(text, title="Something"))))
    assert (None if names["X"] is None else names["X"].shape) == shape


def test_a_planted_shape_error_shows_on_the_batch() -> None:
    made = skeleton(experiment(our_reading()))
    method = """\
class Wrong:
    def fit(self, X, y):
        return self

    def predict(self, X):
        return X[:-1, 0]


def make_model():
    return Wrong()"""
    cells = tuple(
        cell.model_copy(update={"source": method}) if cell.id == "method" else cell
        for cell in made.cells
    )
    with pytest.raises(AssertionError, match="64 rows in, 63 predictions out"):
        run(Notebook(cells=cells))


def test_text_of_the_paper_is_no_markup_and_no_code() -> None:
    hostile = "<img src=x onerror=alert(1)> ![a](http://e.x/y) \n\n# Title\n```\nimport os"
    rows = ["Method | Accuracy", f"{hostile}\u2028os.system('x')\r\nos.abort() | 93.5"]
    table = PaperTable(
        number="1\n\nimport os",
        caption="",
        rows=tuple(tuple(TableCell(text=text) for text in row.split("|")) for row in rows),
    )
    made = skeleton(experiment(short_paper("We use Adam.", table, title=hostile)))
    for cell in made.cells:
        if cell.type is CellType.CODE:
            imported = [
                alias.name
                for node in ast.walk(ast.parse(cell.source))
                if isinstance(node, ast.Import)
                for alias in node.names
            ]
            assert "os" not in imported
        else:
            assert not re.search(r"(?<!\\)[<\[]", cell.source)
    run(made)
