"""Each error that executed old code raises is explained by its own rule, by no other.

The errors are the recorded ones: nothing runs here.
"""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import dedent

import pytest

from mle_modernizer_server.code.traceback import UNPARSED
from mle_modernizer_server.domain.execution import CellError
from mle_modernizer_server.fixing.rules.knowledge import all_rules, concerned, explaining
from tests.fixing.rules.executed.case import Case
from tests.fixing.rules.executed.discovered import LOUD
from tests.fixing.rules.executed.environment import environment
from tests.fixing.rules.rewriting import notebook, rule_of
from tests.thoroughness import THOROUGH, some

SAME = {
    ("fastai-v1", "fastai-predictions"),
    ("keras-merge-layer", "keras-layers-merge"),
    ("matplotlib-style-lists", "matplotlib-style-names"),
    ("numpy-float-sizes", "numpy-float-counts"),
    ("numpy-float-of-dimensions", "numpy-float-of-array"),
    ("numpy-promotion-overflow", "numpy-out-of-bound-integers"),
    ("pandas-column-of-numbers", "pandas-upcasting-setitem"),
    ("pandas-value-counts", "pandas-value-counts-function"),
    ("pandas-positional-series", "pandas-positional-axis"),
    ("pandas-integer-position", "pandas-row-position"),
    ("pandas-index-minus", "pandas-index-set-operations"),
    ("plotly-figure-factory", "plotly-scatterplotmatrix"),
    ("plotly-autotick", "plotly-properties"),
    ("plotly-polar-layout", "plotly-properties"),
    ("plotly-title-font", "plotly-properties"),
    ("python2-default-encoding", "python2-reload"),
    ("python2-lazy-lists", "python-lazy-arrays"),
    ("sklearn-imputer", "sklearn-imputer-rows"),
    ("sklearn-unused-arguments", "sklearn-boosting-min-impurity"),
    ("sklearn-old-folds", "sklearn-folds-positional"),
    ("sklearn-normalize-false", "sklearn-normalize-penalized"),
    ("sklearn-one-dimension-scaler", "sklearn-predict-one-row"),
    ("sklearn-max-features-auto-classifier", "sklearn-search-grid-values"),
    ("sklearn-penalty-none", "sklearn-search-grid-values"),
    ("sklearn-whole-numbers", "sklearn-whole-floats"),
    ("sklearn-positional-cross-validation", "sklearn-positional-tree"),
    ("tf-train-optimizers", "keras-tensorflow-optimizer"),
    ("xgboost-gpu-hist", "xgboost-gpu-id"),
    ("xgboost-gpu-hist", "xgboost-gpu-updater"),
}
"""Rules on the same change of a library, which differ in the code that they mend."""
IN_CALLBACKS = {"keras-logs-acc", "keras-callback-validation-data", "pandas-row-position"}
"""Their symptom is shared by much else; the line that says which is inside a called function."""


def recorded(name: str) -> Iterator[tuple[Case, CellError]]:
    """The executed cases of an environment with the error each raised there."""
    place = environment(name)
    for case in some(LOUD, 4):
        result = None if name in case.without else place.recorded(dedent(case.setup), case)
        if result is None or not concerned(rule_of(case.rule), place.installed):
            continue
        raised = result.raised
        assert raised is not None, case
        lines = case.code.splitlines()
        line = raised.line or 1
        text = lines[line - 1] if line <= len(lines) else ""
        through = rule_of(case.rule).through.replace("[/\\\\]", "/")
        called = (f"File /lib/python3/{through}.py:1, in called",) if through else ()
        shown = f"    {text}" if raised.ename in UNPARSED else f"----> {line} {text}"
        yield (
            case,
            CellError(
                cell_id="b",
                index=1,
                ename=raised.ename,
                evalue=raised.evalue,
                traceback=(f"Cell In[2], line {line}", shown, *called),
                raised=True,
                line=line,
            ),
        )


@pytest.mark.parametrize("name", ["newest", "kaggle"])
def test_every_executed_error_is_explained_by_its_rule(name: str) -> None:
    place = environment(name)
    wrong = []
    seen = 0
    for case, error in recorded(name):
        seen += 1
        book = notebook(dedent(case.setup), case.code)
        rule = explaining(error, place.installed, book)
        found = None if rule is None else rule.id
        if rule_of(case.rule).general and found is None:
            continue  # it mends, and explains nothing
        if found == case.rule or case.rule in IN_CALLBACKS or (case.rule, found) in SAME:
            continue
        wrong.append(f"{case.rule}: {found}: {error.ename}: {error.evalue[:80]}")
    assert seen > (500 if THOROUGH else 120)
    assert not wrong


def test_library_that_is_not_imported_explains_nothing() -> None:
    installed = environment("newest").installed
    error = CellError(
        cell_id="b",
        index=1,
        ename="TypeError",
        evalue="TomekLinks.__init__() got an unexpected keyword argument 'ratio'",
        traceback=("Cell In[2], line 1", "----> 1 TomekLinks(ratio=1)"),
        raised=True,
        line=1,
    )
    assert explaining(error, installed, notebook("import imblearn")) is not None
    assert explaining(error, installed, notebook("import pandas")) is None


def test_the_rules_named_here_are_there() -> None:
    ids = {rule.id for rule in all_rules()}
    assert {*(one for pair in SAME for one in pair), *IN_CALLBACKS} <= ids
