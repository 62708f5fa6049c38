"""A notebook far too long: what must be seen is seen, and what is left out is said."""

from __future__ import annotations

import pytest

from mle_modernizer_server.code.cell_relevance import Relevance
from mle_modernizer_server.domain.diagnosis import ErrorKind, Finding, FixScope, FixType
from mle_modernizer_server.domain.execution import CellRun, CellStatus
from mle_modernizer_server.domain.notebook import Cell, CellType, Notebook
from mle_modernizer_server.fixing.fixer import FixRequest
from mle_modernizer_server.fixing.llm.prompting import Prompt
from mle_modernizer_server.fixing.llm.redaction import Redactor
from tests.fixing.llm.material import error, fix_request, prompts_of

CELLS = 300
FAILING = 150
FILLER = "\n".join(f"# remark {line} about nothing in particular" for line in range(36))


def long_notebook() -> Notebook:
    """300 cells, over 400,000 characters; cell 150 fails."""
    texts = [f"filler_{at} = {at}\n{FILLER}" for at in range(CELLS)]
    texts[0] = f"import pandas as pd\nfrom sklearn import cross_validation\n{FILLER}"
    texts[7] = f"raw = pd.read_csv('../input/train.csv')\n{FILLER}\nraw_end = 'of cell 7'"
    texts[20] = f"def prepare(frame):\n    return frame.dropna()\n{FILLER}\nprepare_end = 1"
    texts[90] = f"features = prepare(raw)\n{FILLER}\nfeatures_end = 1"
    texts[FAILING] = f"{FILLER}\nmodel.fit(features)\n{FILLER}"
    texts[149] = f"model = cross_validation.make()\n{FILLER}\nmodel_end = 1"
    texts[298] = f"out = model.predict(features)\n{FILLER}\nout.to_csv('submission.csv')"
    assert sum(map(len, texts)) > 400_000
    return Notebook(
        cells=tuple(
            Cell(id=f"c{at}", type=CellType.CODE, source=text) for at, text in enumerate(texts)
        )
    )


NEEDED = {
    FAILING: f"{FILLER}\nmodel.fit(features)\n{FILLER}",
    149: "model_end = 1",
    90: "features_end = 1",
    20: "prepare_end = 1",
    7: "raw_end = 'of cell 7'",
    0: "from sklearn import cross_validation",
}


def request_of(fix_type: FixType, scope: FixScope) -> FixRequest:
    failed = fix_type is FixType.ERROR_REPAIR
    found = (
        [
            Finding(
                kind=ErrorKind.ROOT, error=error(f"c{FAILING}", FAILING, "AttributeError", "no fit")
            )
        ]
        if failed
        else []
    )
    runs = [
        CellRun(
            cell_id=f"c{at}",
            index=at,
            status=(
                CellStatus.UNFINISHED
                if fix_type is FixType.RUNTIME_REDUCTION and at == FAILING
                else CellStatus.OK
            ),
            seconds=500.0 if at == FAILING else 0.01,
        )
        for at in range(CELLS)
    ]
    return fix_request(book=long_notebook(), fix_type=fix_type, scope=scope, found=found, runs=runs)


def write(request: FixRequest, max_chars: int = 160_000) -> Prompt:
    return prompts_of(max_chars=max_chars).write(request, Redactor())


@pytest.mark.parametrize("max_chars", [160_000, 60_000])
@pytest.mark.parametrize("scope", list(FixScope))
@pytest.mark.parametrize("fix_type", [FixType.ERROR_REPAIR, FixType.RUNTIME_REDUCTION])
def test_the_cell_at_fault_and_what_it_needs_are_shown_whole(
    fix_type: FixType, scope: FixScope, max_chars: int
) -> None:
    prompt = write(request_of(fix_type, scope), max_chars)
    assert prompt.characters <= max_chars + 2_000
    for at, text in NEEDED.items():
        assert text in prompt.request, at
    assert not prompt.view.cut & {f"c{at}" for at in NEEDED}
    if scope is FixScope.FILE:
        assert "out.to_csv('submission.csv')" in prompt.request
    else:
        assert "to_csv" not in prompt.request


@pytest.mark.parametrize("scope", list(FixScope))
def test_calibration_prompt_has_the_submission_and_its_inputs(
    scope: FixScope,
) -> None:
    prompt = write(request_of(FixType.SCORE_CALIBRATION, scope))
    for text in [*list(NEEDED.values())[1:], "out.to_csv('submission.csv')"]:
        assert text in prompt.request


@pytest.mark.parametrize("scope", list(FixScope))
def test_what_is_left_out_is_said_to_model_and_person(scope: FixScope) -> None:
    prompt = write(request_of(FixType.ERROR_REPAIR, scope))
    assert "characters not shown" in prompt.request
    (said,) = prompt.left_out
    in_part = (
        prompt.view.cut
        if scope is FixScope.FILE
        else {name for name in prompt.view.cut if int(name[1:]) <= FAILING + 1}
    )
    assert said.startswith(f"{len(in_part)} cells are shown in part: c1, c2, c3,")


def test_cells_that_find_no_place_at_all_are_counted() -> None:
    prompt = write(request_of(FixType.ERROR_REPAIR, FixScope.FILE), 30_000)
    assert "[cells left out here" in prompt.request
    assert NEEDED[FAILING] in prompt.request
    assert any("cells are not shown" in said for said in prompt.left_out)
    assert prompt.characters <= 32_000


def test_a_notebook_that_fits_leaves_nothing_out() -> None:
    assert write(fix_request()).left_out == ()


def test_names_are_followed_to_the_cells_that_define_them_last() -> None:
    sources = [
        "import os\nx = 1",
        "x = 2",
        "y = x + 1",
        "print 'python 2'\nz = y",
        "def f():\n    inner = 1\n    return z",
        "inner = 5",
        "f()",
    ]
    cells = [
        Cell(id=str(at), type=CellType.CODE, source=source) for at, source in enumerate(sources)
    ]
    assert Relevance(cells).needed(["6"]) == ("4", "3", "2", "1")
    assert Relevance(cells).frame == ("0",)
