"""Requirements against code, by static facts; results that nothing computes."""

from __future__ import annotations

import pytest

from mle_modernizer_server.domain.notebook import Cell, CellType, Notebook
from mle_modernizer_server.domain.paper import (
    Claim,
    ClaimSource,
    PaperFormat,
    Place,
    Statement,
    Topic,
)
from mle_modernizer_server.domain.reproduction import (
    AlignmentCode,
    ExpectedClaim,
    Experiment,
    Parameter,
)
from mle_modernizer_server.reproducing.alignment import align, written_results
from mle_modernizer_server.reproducing.stated_values import python_literal


def notebook(*sources: str) -> Notebook:
    return Notebook(
        cells=tuple(
            Cell(id=f"c{place}", type=CellType.CODE, source=source)
            for place, source in enumerate(sources)
        )
    )


def aligned(
    requirement: str, stated: str, *sources: str, statement: Statement = Statement.STATED
) -> tuple[AlignmentCode, str, tuple[int, ...]]:
    claim = Claim(
        id="t0", value=1.0, printed="1.0", source=ClaimSource.TABLE, place=Place(section=0)
    )
    parameter = Parameter(
        name=requirement.upper(),
        requirement=requirement,
        topic=Topic.TRAINING,
        statement=statement,
        stated=stated,
        value=python_literal(stated),
    )
    experiment = Experiment(
        source="a.tex",
        checksum="0" * 64,
        format=PaperFormat.LATEX,
        claims=(ExpectedClaim(claim=claim),),
        parameters=(parameter,),
    )
    (found,) = align(experiment, notebook(*sources))
    return found.code, found.found, found.cells


MET, DIFFERS, MISSING = AlignmentCode.MET, AlignmentCode.DIFFERS, AlignmentCode.MISSING


@pytest.mark.parametrize(
    ("requirement", "stated", "sources", "expected"),
    [
        ("batch_size", "32", ("BATCH_SIZE = 32", "f(batch_size=BATCH_SIZE)"), (MET, "32", (2,))),
        ("batch_size", "32", ("BATCH_SIZE = 64", "f(BATCH_SIZE)"), (DIFFERS, "64", (2,))),
        ("batch_size", "32", ("f(batch_size=32)",), (MET, "32", (1,))),
        ("batch_size", "32", ("BATCH_SIZE = 32", "f(batch_size=16)"), (DIFFERS, "16", (2,))),
        ("batch_size", "32", ("BATCH_SIZE = 32",), (MISSING, "", ())),
        ("learning_rate", "10^-3", ("Adam(lr=1e-3)",), (MET, "0.001", (1,))),
        ("learning_rate", "10^-3", ("Adam(0.01)",), (DIFFERS, "0.01", (1,))),
        ("activation", "ReLU", ("f(activation='relu')",), (MET, "'relu'", (1,))),
        ("optimiser", "Adam", ("import torch\ntorch.optim.Adam(w)",), (MET, "Adam", (1,))),
        ("optimiser", "Adam", ("import torch\ntorch.optim.SGD(w)",), (MISSING, "", ())),
        ("split", "leave-one-out", ("LeaveOneOut()",), (MET, "LeaveOneOut", (1,))),
        ("split", "leave-one-out", ("train_test_split(X)",), (MISSING, "", ())),
        ("preprocessing", "standardize", ("StandardScaler()",), (MET, "StandardScaler", (1,))),
        ("metric", "accuracy", ("accuracy_score(a, b)",), (MET, "accuracy_score", (1,))),
        ("epochs", "400", ("A(n_estimators=400)",), (MET, "400", (1,))),
        ("hardware", "V100", ("f()",), (AlignmentCode.UNREADABLE, "", ())),
        ("batch_size", "", ("f(batch_size=32)",), (AlignmentCode.UNREADABLE, "", ())),
        ("batch_size", "32", ("f(batch_size=32", "print 'x'"), (MISSING, "", ())),
    ],
)
def test_a_stated_requirement(
    requirement: str,
    stated: str,
    sources: tuple[str, ...],
    expected: tuple[AlignmentCode, str, tuple[int, ...]],
) -> None:
    assert aligned(requirement, stated, *sources) == expected


def test_unstated_requirement_is_assumed_with_the_used_value() -> None:
    sources = ("EPOCHS = 7", "train(EPOCHS)")
    found = aligned("epochs", "", *sources, statement=Statement.NOT_STATED)
    assert found == (AlignmentCode.ASSUMED, "7", (2,))


@pytest.mark.parametrize(
    ("sources", "written"),
    [
        (("results = {'a': 0.95}",), {"a"}),
        (("results = {'a': None}",), set()),
        (("results = {'a': None}", "results['a'] = 95.0"), {"a"}),
        (("best = 0.95", "results = {'a': 100 * best}"), {"a"}),
        (("results = dict(a=-1)",), {"a"}),
        (("results.update({'a': round(0.951, 2)})",), {"a"}),
        (("results = {'a': 0.95}", "results['a'] = model.score(X, y)"), set()),
        (("results = {'a': model.score(X, y)}",), set()),
        (("results = dict(zip(names, scores))",), set()),
        (("x = x\nresults = {'a': x}",), set()),
    ],
)
def test_a_result_that_stands_in_the_code_is_seen(
    sources: tuple[str, ...], written: set[str]
) -> None:
    assert written_results(notebook(*sources)) == written
