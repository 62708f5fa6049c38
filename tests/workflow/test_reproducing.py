"""Classical experiments done again, each from a short description of ours to its claims.

The cells that a person writes are recorded beside the descriptions.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from mle_modernizer_server.domain.errors import BadInput, BadSetting
from mle_modernizer_server.domain.execution import Ending
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.reproduction import (
    AlignmentCode,
    ClaimOutcome,
    Experiment,
    ReproductionCheck,
)
from mle_modernizer_server.execution.documents import notebook_from_json
from mle_modernizer_server.fixing.llm.settings import LlmSettings
from mle_modernizer_server.wiring import build_modernizer
from mle_modernizer_server.workflow.service import Modernizer
from mle_modernizer_server.workflow.service.papers import ReproductionSettings, reproduction_html
from tests.refusals import refused

PAPERS = Path(__file__).parents[1] / "reproducing" / "papers"
ROUNDING, TOLERANCE = ClaimOutcome.WITHIN_ROUNDING, ClaimOutcome.WITHIN_TOLERANCE
OFF, NOT_REACHED = ClaimOutcome.OFF, ClaimOutcome.NOT_REACHED
QUICK = ReproductionSettings(time_limit=300)


@pytest.fixture
def modernizer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Modernizer:
    monkeypatch.setenv("MLE_MODERNIZER_MAKE_ENVIRONMENTS", "no")
    return build_modernizer(data_root=tmp_path / "data", sandbox=None, llm=LlmSettings())


async def drafted(
    modernizer: Modernizer, paper: Path, cells: dict[str, str]
) -> tuple[Notebook, Experiment]:
    """The notebook of a paper with some cells written, and what it is to reproduce."""
    content = await modernizer.papers.draft_reproduction(paper, ())
    experiment = modernizer.papers.experiment_in(content, "again.ipynb")
    _, notebook = notebook_from_json(json.loads(content))
    claim = repr(experiment.claims[0].claim.id)
    written = tuple(
        cell.model_copy(update={"source": cells.get(cell.id, cell.source).replace("CLAIM", claim)})
        for cell in notebook.cells
    )
    return Notebook(cells=written), experiment


async def checked(
    modernizer: Modernizer,
    paper: Path,
    cells: dict[str, str],
    settings: ReproductionSettings = QUICK,
) -> ReproductionCheck:
    notebook, experiment = await drafted(modernizer, paper, cells)
    return await modernizer.papers.check_reproduction(
        notebook, experiment, settings, say=lambda text: None, cancel=asyncio.Event()
    )


def replies(name: str) -> dict[str, str]:
    found: dict[str, str] = yaml.safe_load((PAPERS / f"{name}.yaml").read_text("utf-8"))
    return found


@pytest.mark.parametrize(
    ("name", "outcomes"),
    [
        pytest.param("wine", [ROUNDING, ROUNDING, TOLERANCE], marks=pytest.mark.thorough),
        pytest.param("lars", [ROUNDING] * 10, marks=pytest.mark.thorough),
        pytest.param("wdbc", [TOLERANCE], marks=pytest.mark.thorough),
        pytest.param("adaboost", [NOT_REACHED], marks=pytest.mark.thorough),
        pytest.param("digits", [TOLERANCE], marks=pytest.mark.thorough),
        pytest.param("bagging", [ROUNDING, OFF], marks=pytest.mark.thorough),
    ],
)
async def test_a_classical_experiment(
    modernizer: Modernizer, name: str, outcomes: list[ClaimOutcome]
) -> None:
    found = await checked(modernizer, PAPERS / f"{name}.tex", replies(name))
    assert [run.error for run in found.runs] == [""]
    assert [check.outcome for check in found.claims] == outcomes
    assert found.holds == all(outcome.holds for outcome in outcomes)
    assert not [one for one in found.alignments if one.code is AlignmentCode.DIFFERS]


async def test_a_falsified_number_is_not_reached(modernizer: Modernizer, tmp_path: Path) -> None:
    paper = tmp_path / "lars.tex"
    text = (PAPERS / "lars.tex").read_text("utf-8")
    paper.write_text(text.replace("age & 10", "age & 1"), "utf-8")
    found = await checked(modernizer, paper, replies("lars"))
    assert [check.outcome for check in found.claims] == [NOT_REACHED, *[ROUNDING] * 9]
    page = reproduction_html(found, "again.ipynb", "1.0")
    assert "9 of 10 claims reproduced" in page
    assert "not reached (off by +900.0 %)" in page


async def test_other_runs_have_other_seeds_and_a_spread(
    modernizer: Modernizer, tmp_path: Path
) -> None:
    paper = tmp_path / "a.tex"
    paper.write_text(
        "\\documentclass{article}\\begin{document}\\section{Results}"
        "We reach an accuracy of 93.5\\,\\% on Foo. We use a batch size of 8.\\end{document}"
    )
    cells = {
        "training": "assert SEED == 0 or np.random.rand() < 2",
        "evaluation": "results = {CLAIM: 93 + np.random.RandomState(SEED).rand()}",
    }
    found = await checked(modernizer, paper, cells, replace(QUICK, runs=2))
    (check,) = found.claims
    first, second = check.values
    assert first != second
    assert check.deviation is not None
    assert check.outcome in (ROUNDING, TOLERANCE)
    assert [run.reseeded for run in found.runs] == [False, True]
    missing = {one.parameter.requirement for one in found.alignments if one.cells == ()}
    assert "batch_size" in missing


async def test_a_skeleton_and_a_notebook_that_fails(modernizer: Modernizer) -> None:
    found = await checked(modernizer, PAPERS / "wine.tex", {})
    assert [run.error for run in found.runs] == [""]
    assert {check.outcome for check in found.claims} == {ClaimOutcome.NOT_COMPUTED}
    assert "scikit-learn" in found.environment.packages or "sklearn" in found.environment.packages
    failing = {"training": "raise ValueError('<b>no</b>')", "claims": "print('nothing')"}
    found = await checked(modernizer, PAPERS / "wine.tex", failing)
    (run,) = found.runs
    assert (run.ending, run.error, run.cell) == (Ending.COMPLETED, "ValueError: <b>no</b>", 5)
    page = reproduction_html(found, "again.ipynb", "1.0")
    assert "<b>no</b>" not in page
    assert "code cell 5: ValueError: &lt;b&gt;no&lt;/b&gt;" in page


@pytest.mark.parametrize("settings", [replace(QUICK, runs=0), replace(QUICK, tolerance=1.0)])
async def test_settings_out_of_range_are_refused(
    modernizer: Modernizer, settings: ReproductionSettings
) -> None:
    with pytest.raises(BadSetting):
        await checked(modernizer, PAPERS / "wine.tex", {}, settings)


@pytest.mark.parametrize(
    ("metadata", "message"),
    [
        ({}, "does not name the claims"),
        ({"mle_modernizer": 3}, "does not name the claims"),
        ({"mle_modernizer": {"reproduction": {"source": "a"}}}, "cannot be used"),
        ({"mle_modernizer": {"reproduction": "x" * 2_000_000}}, "too large"),
    ],
)
def test_metadata_that_say_nothing_of_claims_are_refused(
    modernizer: Modernizer, metadata: dict[str, object], message: str
) -> None:
    content = json.dumps({"metadata": metadata, "cells": [], "nbformat": 4}).encode()
    with refused(BadInput, match=message):
        modernizer.papers.experiment_in(content, "a.ipynb")
