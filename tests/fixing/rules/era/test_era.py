from __future__ import annotations

import pytest
from pydantic import ValidationError

from mle_modernizer_server.domain.era import Era, Evidence, Standing, Traces, chosen_versions
from mle_modernizer_server.domain.execution import Environment
from mle_modernizer_server.domain.notebook import Cell, CellType, Notebook
from mle_modernizer_server.domain.settings import SessionSettings
from mle_modernizer_server.fixing.rules.era.era import (
    combine,
    headline,
    is_python2,
    standing,
    with_choice,
)
from mle_modernizer_server.fixing.rules.era.evidence import of_traces
from mle_modernizer_server.fixing.rules.era.releases import histories
from mle_modernizer_server.fixing.rules.preflight import infer_era
from mle_modernizer_server.words import text
from tests.fixing.rules.rewriting import notebook

OLD = "import pandas as pd\nfrom sklearn.cross_validation import KFold\ndf = pd.read_csv('a').ix[0]"


def versions(era: Era, library: str) -> str:
    found = era.of(library)
    return "" if found is None else text(found.text)


def test_every_library_of_the_table_has_releases_in_order() -> None:
    assert len(histories()) >= 25
    assert all(len(history.releases) >= 5 for history in histories().values())


def test_what_is_gone_says_that_the_notebook_is_older() -> None:
    era = infer_era(notebook(OLD))
    assert standing(era, "sklearn", "0.20") is Standing.BEFORE
    assert standing(era, "sklearn", "0.22") is Standing.BEFORE
    assert standing(era, "pandas", "1.0") is Standing.BEFORE
    assert era.last_year == 2019
    texts = " ".join(text(item.text) for item in era.evidence)
    assert "sklearn 0.20 no longer has" in texts
    assert "pandas 1.0 no longer has" in texts


def test_what_came_later_says_that_the_notebook_is_newer() -> None:
    era = infer_era(notebook("from sklearn.inspection import DecisionBoundaryDisplay"))
    assert standing(era, "sklearn", "0.22") is Standing.AFTER
    assert standing(era, "sklearn", "1.1") is Standing.AFTER
    assert standing(era, "sklearn", "1.4") is Standing.UNKNOWN
    assert era.first_year == 2022


def test_a_method_of_another_library_tells_nothing() -> None:
    era = infer_era(notebook("import tables\ntables.Expr('a').set_output(x)"))
    assert era.summary == ()


def test_old_and_new_together_make_an_interval() -> None:
    era = infer_era(
        notebook("from sklearn.impute import SimpleImputer\nfrom sklearn.externals import joblib")
    )
    assert versions(era, "sklearn") == "sklearn 0.20–0.22"


def test_partly_fixed_notebook_is_as_old_as_its_old_part() -> None:
    era = infer_era(notebook(OLD, "from sklearn.metrics import root_mean_squared_error"))
    assert standing(era, "sklearn", "0.22") is Standing.BEFORE


def test_python_2_name_does_not_outweigh_a_python_3_kernel() -> None:
    book = notebook("for i in xrange(3): pass")
    assert standing(infer_era(book), "python", "3.0") is Standing.BEFORE
    kernel = of_traces(Traces(python="3.6.5"), "3.12")
    assert versions(infer_era(book, kernel), "python") == "python 3.6"
    by_syntax = infer_era(notebook("print 'hello'"), kernel)
    assert standing(by_syntax, "python", "3.0") is Standing.BEFORE


def test_of_nothing_nothing_is_known() -> None:
    era = infer_era(notebook("x = 1"))
    assert era.summary == ()
    assert era.libraries == ()
    assert standing(era, "sklearn", "0.22") is Standing.UNKNOWN
    assert headline(era, Environment(python="3.11.1", packages={})) == ()


def test_python_2_is_known_by_its_syntax_and_by_its_kernel() -> None:
    by_syntax = infer_era(notebook("print 'hello'"))
    by_kernel = combine(of_traces(Traces(kernel="python2"), "3.12"), ())
    for era in (by_syntax, by_kernel):
        assert standing(era, "python", "3.0") is Standing.BEFORE


def test_python_2_had_no_library_that_needs_python_3() -> None:
    imports = "import pandas as pd\nimport xgboost as xgb"
    era = infer_era(notebook(imports, "print 'hello'"))
    assert standing(era, "xgboost", "1.0") is Standing.BEFORE
    assert standing(era, "pandas", "1.0") is Standing.BEFORE
    assert standing(infer_era(notebook(imports, "xrange(3)")), "xgboost", "1.0") is Standing.UNKNOWN
    kernel = of_traces(Traces(python="2.7.12"), "3.12")
    assert standing(infer_era(notebook(imports), kernel), "pandas", "1.0") is Standing.BEFORE
    newer = infer_era(notebook(imports, "print(f'{x}')"), kernel)
    assert standing(newer, "pandas", "1.0") is Standing.UNKNOWN
    mended = "import xgboost as xgb\nxgb.QuantileDMatrix(X)"
    assert standing(infer_era(notebook(mended, "print 'a'")), "xgboost", "1.0") is Standing.AFTER


def test_code_is_python_2_only_by_evidence_or_user() -> None:
    kernel = of_traces(Traces(python="2.7.12"), "3.12")
    plain = infer_era(notebook("half = len(x) / 2\nprint(half)"), kernel)
    assert not is_python2(plain)
    assert is_python2(with_choice(plain, "python 2.7"))
    assert is_python2(infer_era(notebook("for i in xrange(len(x) / 2): pass"), kernel))
    assert is_python2(infer_era(notebook("print half"), kernel))
    assert not is_python2(infer_era(notebook("print(f'{half}')"), kernel))


@pytest.mark.parametrize(
    ("output", "library", "expected"),
    [
        ("pandas version: 0.23.4", "pandas", "pandas 0.23"),
        ("scikit-learn==0.19.1", "sklearn", "sklearn 0.19"),
        ("Python 3.6.4 |Anaconda, Inc.|", "python", "python 3.6"),
        ("xgb 0.82\nknn 0.7.", "xgboost", ""),
        ("Using TensorFlow backend.", "keras", "keras before 2.4"),
        (
            "/opt/lib/site-packages/sklearn/svm/base.py:196: FutureWarning: The default value of "
            "gamma will change from 'auto' to 'scale' in version 0.22",
            "sklearn",
            "sklearn before 0.22",
        ),
        (
            "/opt/lib/site-packages/sklearn/ensemble/forest.py:246: FutureWarning: The default "
            "value of n_estimators will change from 10 in version 0.20 to 100 in 0.22.",
            "sklearn",
            "sklearn before 0.22",
        ),
        ("accuracy 0.82, loss 1.25, python", "pandas", ""),
    ],
)
def test_outputs_tell_versions(output: str, library: str, expected: str) -> None:
    era = combine(of_traces(Traces(outputs=output), "3.12"), ())
    assert versions(era, library) == expected


def test_a_warning_ends_where_the_next_one_begins() -> None:
    outputs = (
        "/lib/python3.6/site-packages/statsmodels/compat/pandas.py:56: FutureWarning: The "
        "pandas.core.datetools module is deprecated and will be removed in a future version.\n"
        "/lib/python3.6/site-packages/sklearn/cross_validation.py:41: DeprecationWarning: This "
        "module was deprecated in version 0.18. This module will be removed in 0.20.\n"
    )
    found = of_traces(Traces(outputs=outputs), "3.12")
    assert [(item.library, item.below, item.at_least) for item in found] == [
        ("sklearn", "0.20", ""),
        ("sklearn", "", "0.18"),
    ]


def test_version_in_a_message_about_another_package_is_ignored() -> None:
    outputs = (
        "/lib/python3.6/site-packages/sklearn/utils/deprecation.py:77: DeprecationWarning: "
        "Function _ratio_float is deprecated since 0.2. The support will be removed in 0.4.\n"
    )
    assert of_traces(Traces(outputs=outputs), "3.12") == ()


def test_python_younger_than_the_certain_years_is_not_named() -> None:
    by_file = of_traces(Traces(python="3.6.5"), "3.12")
    old = Evidence(text=(), library="sklearn", below="0.14")
    assert versions(combine((*by_file, old), ()), "python") == ""
    assert versions(combine(by_file, ()), "python") == "python 3.6"


def test_the_kernel_of_today_is_no_evidence() -> None:
    assert of_traces(Traces(python="3.12.3"), "3.12") == ()
    (found,) = of_traces(Traces(python="3.6.5"), "3.12")
    assert found.since == "2016-12"


def test_a_year_in_the_text_never_outweighs_the_code() -> None:
    prose = Cell(id="t", type=CellType.MARKDOWN, source="Copyright 2024, https://x.org/2025/a")
    cells = (prose, *notebook(OLD).cells)
    era = infer_era(Notebook(cells=cells))
    assert standing(era, "sklearn", "0.22") is Standing.BEFORE
    alone = infer_era(Notebook(cells=(prose, *notebook("import sklearn").cells)))
    assert alone.first_year == 2024
    assert standing(alone, "sklearn", "0.22") is Standing.UNKNOWN, "words alone prove nothing"


def test_the_users_word_goes_before_everything() -> None:
    era = infer_era(notebook(OLD))
    said = with_choice(era, "2023")
    assert (said.first_year, said.last_year) == (2023, 2023)
    assert standing(said, "sklearn", "0.22") is Standing.AFTER
    assert said.evidence == era.evidence
    assert with_choice(said, None) == era
    exact = with_choice(era, "pandas 0.23, scikit-learn 0.19")
    assert versions(exact, "pandas") == "pandas 0.23"
    assert versions(exact, "sklearn") == "sklearn 0.19"


def test_what_is_no_era_is_refused_with_an_example() -> None:
    assert chosen_versions(" pandas 0.23 ,sklearn=0.19") == {"pandas": "0.23", "sklearn": "0.19"}
    with pytest.raises(ValidationError, match="a year such as 2018"):
        SessionSettings(era="long ago")
    assert SessionSettings(era="  ").era is None


def test_it_is_said_in_one_line() -> None:
    era = infer_era(notebook(OLD))
    environment = Environment(python="3.12.1", packages={"pandas": "3.1.2", "sklearn": "1.9.0"})
    said = text(headline(era, environment))
    assert said == (
        "Written for pandas before 1.0, sklearn before 0.20 (2019 or earlier). "
        "You have pandas 3.1, sklearn 1.9."
    ), said


def test_headline_python2_notebook_names_python_first() -> None:
    era = infer_era(notebook(OLD + "\nprint 'a'"))
    environment = Environment(python="3.12.1", packages={"pandas": "3.1.2", "sklearn": "1.9.0"})
    assert text(headline(era, environment)) == (
        "Written in Python 2.7, 2019 or earlier (pandas before 0.25). "
        "You have Python 3.12, pandas 3.1."
    )


def test_contradicting_certain_evidence_is_survived() -> None:
    odd = (
        Evidence(text=(), library="pandas", at_least="2.0"),
        Evidence(text=(), library="sklearn", below="0.20"),
    )
    assert standing(combine(odd, ()), "sklearn", "0.20") is Standing.BEFORE
