"""Old code really fails with the libraries installed here, and what the rules make of it runs."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from textwrap import dedent

import pandas as pd
import pytest

from mle_modernizer_server.domain.execution import Environment
from mle_modernizer_server.fixing.rules.knowledge import explain
from tests.fixing.rules.executed import (
    on_boosting,
    on_numpy,
    on_other,
    on_pandas,
    on_plotting,
    on_sklearn,
)
from tests.fixing.rules.executed.case import Case
from tests.fixing.rules.rewriting import cells, entry, error

_LIBRARIES = (on_boosting, on_numpy, on_other, on_pandas, on_plotting, on_sklearn)
LOUD = [case for library in _LIBRARIES for case in library.LOUD]
SILENT = [case for library in _LIBRARIES for case in library.SILENT]


@pytest.fixture(autouse=True)
def _as_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    old = pd.options.future.infer_string
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
    pd.options.future.infer_string = old
    pd.reset_option("display.max_colwidth")


def installed() -> Environment:
    names = {"scikit-learn": "sklearn", "xgboost-cpu": "xgboost", "ipython": "IPython"}
    packages = {
        names.get(one.metadata["Name"].lower(), one.metadata["Name"].lower()): one.version
        for one in metadata.distributions()
    }
    return Environment(python="3.11.7", packages=packages)


def ids(case: Case) -> str:
    return f"{case.rule}: {case.code.splitlines()[-1]}"


@pytest.mark.parametrize("case", LOUD, ids=ids)
def test_the_old_code_fails_and_the_new_code_works(case: Case) -> None:
    before: dict[str, object] = {}
    exec(dedent(case.setup), before)  # our own snippets
    with pytest.raises(Exception) as caught:  # the symptom is checked below
        exec(case.code, before)
    seen = error("b", type(caught.value).__name__, str(caught.value), case.line)
    rule = entry(case.rule)
    assert rule.matches(seen), f"no symptom fits {seen.ename}: {seen.evalue}"
    assert explain(seen, installed()) is not None

    setup, code = cells(case.setup, case.code, rules=(case.rule,), errors=(seen,))
    after: dict[str, object] = {}
    exec(dedent(setup), after)
    exec(code, after)
    assert eval(case.holds, after), code


@pytest.mark.parametrize("case", SILENT, ids=ids)
def test_the_old_code_silently_gives_something_else(case: Case) -> None:
    before: dict[str, object] = {}
    exec(dedent(case.setup), before)
    exec(case.code, before)
    assert not eval(case.holds, before)

    setup, code = cells(case.setup, case.code, rules=(case.rule,))
    after: dict[str, object] = {}
    exec(dedent(setup), after)
    exec(code, after)
    assert eval(case.holds, after), code
