import re

import pytest

from mle_modernizer_server.domain.execution import Environment
from mle_modernizer_server.domain.proposal import Meaning
from mle_modernizer_server.fixing.rules.era.era import combine
from mle_modernizer_server.fixing.rules.generic.templates import written_receivers
from mle_modernizer_server.fixing.rules.knowledge import (
    all_rules,
    explain,
    explaining,
    faster_calls,
)
from mle_modernizer_server.fixing.rules.relevance import relevant
from mle_modernizer_server.fixing.rules.rule import ChangeKind, Rule, Severity, Template
from tests.fixing.rules.executed.discovered import EVERY
from tests.fixing.rules.rewriting import error, notebook, rule_of

TODAY = Environment(
    python="3.11.7",
    packages={
        "pandas": "3.1.1",
        "numpy": "2.4.6",
        "sklearn": "1.9.1",
        "xgboost": "3.2.0",
        "lightgbm": "4.7.0",
        "seaborn": "0.13.2",
        "matplotlib": "3.11.2",
        "scipy": "1.17.1",
        "IPython": "9.8.0",
    },
)
_NOT_INSTALLED = "the library is in neither environment; the replacement is its release note's"
_DEEP = (
    "feature-engine-arguments",
    "feature-engine-modules",
    "feature-engine-positional",
    "lightning-metrics",
    "lightning-trainer-arguments",
    "shap-list-of-classes",
    "spacy-create-pipe",
    "spacy-shortcut-en",
)
_TOKENIZERS = (
    "transformers-encode-plus",
    "transformers-evaluation-strategy",
    "transformers-pad-to-max-length",
    "transformers-trainer-tokenizer",
    "transformers-warmup",
)
_DOWNLOADS = ("fastai-download-images", "nltk-chunker-tab", "nltk-punkt-tab", "nltk-tagger-eng")
NOT_EXECUTED = {
    "ipython-html-widgets": "the environments have no ipywidgets",
    "ipython-split-packages": "the environments have no nbformat",
    "geopy-vincenty": "the environments have no geopy",
    "pandas-profiling": "the environments have no ydata_profiling",
    "pandas-profiling-to-file": "the environments have no ydata_profiling",
    "pmdarima-pyramid": "the environments have no pmdarima",
    "yellowbrick-moved": "the environments have no yellowbrick",
    "pandas-excel-writer-save": "the environments have nothing that writes Excel files",
    "pandas-to-excel-encoding": "the environments have nothing that writes Excel files",
    "pandas-read-excel-arguments": "the environments have nothing that reads Excel files",
    "pandas-read-excel-encoding": "the environments have nothing that reads Excel files",
    "pydot-list-of-graphs": "the environments have no pydot",
    "python-unavailable-import": "what nobody has installed is no change of a library",
    "pandas-to-parquet-fname": "the environments have nothing that writes Parquet files",
}
NOT_EXECUTED |= dict.fromkeys(_DEEP, _NOT_INSTALLED)
NOT_EXECUTED |= dict.fromkeys(_TOKENIZERS, "it needs a tokenizer's files, or accelerate")
NOT_EXECUTED |= dict.fromkeys(_DOWNLOADS, "the mended code needs the network")
"""Automatic rules that no case executes, and why."""


def test_every_entry_is_a_whole_sentence_with_a_link() -> None:
    for one in all_rules():
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)+", one.id), one.id
        assert one.what.endswith("."), one.id
        assert one.replacement.endswith("."), one.id
        assert one.link.startswith("https://"), one.id
        assert one.silent or one.symptoms, f"{one.id} raises, so it has a symptom"
        assert one.identifiers, f"{one.id}: what in the code is concerned?"


def test_every_automatic_rule_is_executed_or_says_why_not() -> None:
    executed = {rule for case in EVERY if case.fix for rule in (case.rule, *case.also)}
    automatic = {one.id for one in all_rules() if one.automatic}
    assert automatic - executed == set(NOT_EXECUTED)


def test_every_template_is_read_and_what_it_writes_can_be_parsed() -> None:
    """Also by what keeps a method from being written anew in what a template itself wrote."""
    found = [fix for one in all_rules() for fix in one.fixes if isinstance(fix, Template)]
    assert found
    for fix in found:
        for method in fix.methods or ("none",):
            assert all(own.pattern for own in written_receivers(fix.write, method))


def test_most_of_what_broke_is_known_and_most_of_that_is_mended() -> None:
    assert len(all_rules()) >= 600
    assert sum(one.automatic for one in all_rules()) >= 350


def test_pinned_defaults_are_silent_and_weighted() -> None:
    pins = [one for one in all_rules() if "-pin-" in one.id]
    assert len(pins) >= 8
    for one in pins:
        assert one.kind is ChangeKind.DEFAULT_CHANGED
        assert one.silent
        assert one.weight > 0
        assert one.meaning is Meaning.DEFAULT_PINNED


@pytest.mark.parametrize(
    ("since", "version", "concerned"),
    [
        ("1.0", "1.0", True),
        ("2.0", "10.0", True),
        ("3.0", "3.0.1", True),
        ("1.10", "1.9.9", False),
        ("0.22", "0.21.3", False),
        ("2.0", None, False),
        ("2.0", "unknown", False),
    ],
)
def test_rule_concerns_its_version_and_later_ones(
    since: str, version: str | None, concerned: bool
) -> None:
    one = rule_of("pandas-append").model_copy(update={"since": since})
    assert one.concerns(version) is concerned


def test_error_is_explained_with_a_link_for_concerned_versions() -> None:
    seen = error("a", "AttributeError", "'DataFrame' object has no attribute 'append'")
    found = explain(seen, TODAY)
    assert found is not None
    assert "removed in pandas 2.0" in found[0]
    assert found[1].startswith("https://pandas.pydata.org/")
    assert explain(seen, Environment(python="3.8", packages={"pandas": "1.5.3"})) is None
    unknown = Environment(python="3.11", packages={})
    assert explain(seen, unknown) == found, "the error itself proves the change"


@pytest.mark.parametrize(
    ("line", "explained"),
    [("sns.heatmap(df.corr())", True), ("model.fit(X, y)", False)],
)
def test_shared_symptom_counts_in_its_line_only(line: str, explained: bool) -> None:
    seen = error("a", "ValueError", "could not convert string to float: 'x'")
    library = "File /lib/python3/pandas/core/frame.py:7\n----> 7 return values.mean()"
    arrow = f"\x1b[32m----> 3\x1b[39m {line}\n{library}"
    seen = seen.model_copy(update={"traceback": ("Cell In[1], line 3", arrow)})
    assert (explain(seen, TODAY) is not None) is explained


_REDUCED = "TypeError", "agg function failed [how->mean,dtype->object]"


@pytest.mark.parametrize(
    ("line", "heads", "seen"),
    [
        (
            "df.mean()",
            ["util/_decorators.py:3, in deprecate", "core/frame.py:9, in mean"],
            _REDUCED,
        ),
        (
            "df.groupby('g').mean()",
            [
                "core/groupby/groupby.py:2, in mean",
                "core/internals/managers.py:5, in grouped_reduce",
            ],
            _REDUCED,
        ),
        (
            "df.groupby('g').agg(['mean', 'sum'])",
            [
                "core/groupby/generic.py:2, in DataFrameGroupBy.aggregate(self)",
                "core/apply.py:5, in Apply.agg_list_like(self)",
                "core/groupby/generic.py:4, in SeriesGroupBy.aggregate(self)",
                "core/internals/managers.py:6, in SingleBlockManager.grouped_reduce(self)",
            ],
            _REDUCED,
        ),
        (
            "df.sum(axis=1)",
            ["core/frame.py:9, in sum"],
            ("TypeError", 'can only concatenate str (not "int") to str'),
        ),
        (
            "df.median()",
            ["core/frame.py:9, in median"],
            ("TypeError", "Cannot convert ['x'\n 'y'] to numeric"),
        ),
    ],
)
def test_text_columns_of_a_table_are_told(
    line: str, heads: list[str], seen: tuple[str, str]
) -> None:
    assert _explained(line, heads, *seen) == "pandas-numeric-only"


@pytest.mark.parametrize(
    ("line", "heads", "seen"),
    [
        (
            "df['t'].mean()",
            ["util/_decorators.py:3, in deprecate", "core/series.py:9, in mean"],
            _REDUCED,
        ),
        (
            "df.groupby('g')['t'].mean()",
            [
                "core/groupby/groupby.py:2, in GroupBy.mean(self)",
                "core/internals/managers.py:5, in SingleBlockManager.grouped_reduce(self)",
            ],
            _REDUCED,
        ),
        (
            "df.groupby('g')['t'].mean()",
            [
                "core/groupby/groupby.py:2, in mean(self)",
                "core/internals/base.py:5, in grouped_reduce(self)",
            ],
            _REDUCED,
        ),
        (
            "df.groupby('g').agg({'t': 'mean'})",
            ["core/groupby/generic.py:2, in aggregate", "core/apply.py:5, in agg_dict_like"],
            _REDUCED,
        ),
        (
            "print('mean ' + df['a'].mean())",
            [],
            ("TypeError", 'can only concatenate str (not "float") to str'),
        ),
    ],
)
def test_one_column_of_texts_had_no_mean_before_either(
    line: str, heads: list[str], seen: tuple[str, str]
) -> None:
    assert _explained(line, heads, *seen) is None


def _explained(line: str, heads: list[str], ename: str, evalue: str) -> str | None:
    """Id of the rule that explains an error of a line that called into these frames of pandas."""
    called = [f"File /lib/python3/pandas/{head}\n----> 1 return" for head in heads]
    traceback = ("Cell In[1], line 1", f"----> 1 {line}", *called, f"{ename}: {evalue}")
    seen = error("a", ename, evalue).model_copy(update={"traceback": traceback})
    rule = explaining(seen, TODAY)
    return None if rule is None else rule.id


def test_error_in_an_own_module_is_explained_with_its_place() -> None:
    imported = error(
        "a", "ImportError", "cannot import name 'Imputer' from 'sklearn.preprocessing' (/x.py)", 1
    ).model_copy(
        update={
            "traceback": (
                "Cell In[1], line 1\n----> 1 import utils",
                "File /kaggle/working/utils.py:3",
                "      1 import numpy as np\n----> 3 from sklearn.preprocessing import Imputer",
            )
        }
    )
    told = explain(imported, TODAY, notebook("import utils"))
    assert told is not None
    assert "SimpleImputer" in told[0]
    assert "utils.py, line 3 (`from sklearn.preprocessing import Imputer`)" in told[0]
    assert "Change that file yourself" in told[0]
    to_a_model = explain(imported, TODAY, notebook("import utils"), for_model=True)
    assert to_a_model is not None
    assert "cannot be edited; the notebook can set what it lacks" in to_a_model[0]
    called = error("a", "AttributeError", "'DataFrame' object has no attribute 'append'", 1)
    called = called.model_copy(
        update={
            "traceback": (
                "Cell In[1], line 1\n----> 1 table(d).append(d)",
                "File ~/work/utils.py:4, in table(df)\n----> 4     return df.append(df)",
                "File /opt/lib/python3.11/site-packages/pandas/core/generic.py:6434, in f",
            )
        }
    )
    told = explain(called, TODAY, notebook("from utils import table"))
    assert told is not None
    assert "~/work/utils.py, line 4 (`return df.append(df)`)" in told[0]
    assert explain(called.model_copy(update={"traceback": ()}), TODAY) != told


def test_what_no_entry_covers_is_not_explained() -> None:
    assert explain(error("a", "ZeroDivisionError", "division by zero"), TODAY) is None


def test_relevant_entries_are_those_on_what_the_notebook_uses() -> None:
    found = {one.id for one in relevant(notebook("import pandas as pd\nx = df.append(y)"), TODAY)}
    assert "pandas-append" in found
    assert "sklearn-imputer" not in found
    old = Environment(python="3.7", packages={"pandas": "0.24"})
    assert "pandas-append" not in {one.id for one in relevant(notebook("x.append(y)"), old)}


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("pd.read_csv('train.csv')", False),
        ("pd.read_csv('train.csv', index_col=0)\nprint('skip_footer')", False),
        ("pd.read_csv('train.csv', skip_footer=1)", True),
        ("pd.read_csv('train.csv', **options)", False),
        ("d = pd.read_csv('train.csv', skip_footer=1)\nprint d", True),  # Python 2
    ],
)
def test_a_change_of_arguments_is_relevant_where_one_is_given(code: str, told: bool) -> None:
    found = {one.id for one in relevant(notebook(f"import pandas as pd\n{code}"), TODAY)}
    assert ("pandas-read-csv-skip-footer" in found) is told


def test_changes_of_moved_names_are_relevant_at_the_old_address() -> None:
    code = (
        "from sklearn.cross_validation import StratifiedKFold\n"
        "folds = StratifiedKFold(y=y, n_folds=5, shuffle=False, random_state=1)"
    )
    found = {one.id for one in relevant(notebook(code), TODAY)}
    assert "sklearn-folds-random-state" in found
    assert "sklearn-pin-cv" not in found, "the number of folds is given"
    assert "sklearn-stratified-folds" not in found, "a class that a model writes for it is held"


@pytest.mark.parametrize("name", ["linearregression__normalize", "a__linearregression__normalize"])
def test_an_argument_is_given_where_a_grid_names_it(name: str) -> None:
    def found(name: str) -> set[str]:
        code = (
            "from sklearn.linear_model import LinearRegression\n"
            f"grid = {{'{name}': [True, False]}}\nmade(LinearRegression())"
        )
        return {one.id for one in relevant(notebook(code), TODAY)}

    assert "sklearn-normalize-regression" in found(name)
    assert "sklearn-normalize-regression" not in found("ridge__normalize") | found("normalize")


def test_model_gets_a_hint_if_the_rule_writes_a_class() -> None:
    code = "from sklearn.linear_model import Ridge\nm = Ridge(alpha=a, normalize=True)"
    told = {one.id: one.replacement for one in relevant(notebook(code), TODAY)}
    assert told["sklearn-normalize-penalized"].startswith("make_pipeline(StandardScaler(), model)")
    failure = error(
        "a", "TypeError", "Ridge.__init__() got an unexpected keyword argument 'normalize'"
    )
    for for_model, words in ((True, "make_pipeline"), (False, "A subclass divides")):
        known = explain(failure, TODAY, notebook(code), for_model=for_model)
        assert known is not None and words in known[0]


@pytest.mark.parametrize(
    ("given", "told"), [("x.ravel()", True), ("x[0]", True), ("x", False), ("x.ravel('C')", False)]
)
def test_row_instead_of_a_table_is_relevant_before_a_run(given: str, told: bool) -> None:
    code = "from sklearn.neighbors import KNeighborsClassifier as K\nK().fit(x, y).predict"
    found = {one.id for one in relevant(notebook(f"{code}({given})"), TODAY)}
    assert ("sklearn-predict-one-row" in found) is told
    other = {
        one.id for one in relevant(notebook(f"import sklearn\nmine().predict({given})"), TODAY)
    }
    assert "sklearn-predict-one-row" not in other


def test_positional_change_is_relevant_with_positional_use() -> None:
    def found(code: str) -> set[str]:
        return {one.id for one in relevant(notebook(f"import pandas as pd\n{code}"), TODAY)}

    assert found("pd.read_csv('a.csv', ',')") - found("pd.read_csv('a.csv')") == {
        "pandas-read-csv-positional"
    }


def test_a_silent_change_the_author_knew_is_not_relevant() -> None:
    book = notebook("from sklearn.svm import SVC\nSVC()")
    of_2017, of_2024 = (combine((), ("sklearn",), chosen=year) for year in ("2017", "2024"))
    assert "sklearn-pin-svm-gamma" in {one.id for one in relevant(book, TODAY, of_2017)}
    assert "sklearn-pin-svm-gamma" not in {one.id for one in relevant(book, TODAY, of_2024)}


def test_severity_is_told_from_silence_weight_and_meaning() -> None:
    assert rule_of("pandas-append").severity is Severity.STOPS
    assert rule_of("pandas-chained-inplace").severity is Severity.LARGE
    light = rule_of("pandas-chained-inplace").model_copy(update={"weight": 20})
    assert light.severity is Severity.SMALL
    picture = light.model_copy(update={"meaning": Meaning.DISPLAY})
    assert picture.severity is Severity.NONE


def test_built_in_rules_pass_the_checks_of_user_rules() -> None:
    for one in (*all_rules(), *faster_calls()):
        assert Rule.model_validate(one.model_dump()) == one


def test_most_specific_of_several_changes_explains() -> None:
    wide, own = rule_of("seaborn-size"), rule_of("gensim-size")
    seen = error("a", "TypeError", "Word2Vec.__init__() got an unexpected keyword argument 'size'")
    assert wide.matches(seen)
    assert own.specificity(seen) > wide.specificity(seen)
    both = Environment(python="3.11.7", packages={"seaborn": "0.13.2", "gensim": "4.4.0"})
    told = explain(seen, both)
    assert told is not None
    assert told[0].startswith(own.what)


def test_missing_input_of_nltk_download_names_the_data() -> None:
    seen = error("a", "StdinNotImplementedError", "raw_input was called").model_copy(
        update={"traceback": ("Cell In[1], line 1", "----> 1 nltk.download()")}
    )
    installed = Environment(python="3.11.7", packages={"nltk": "3.9.1", "IPython": "9.18.1"})
    told = explain(seen, installed)
    assert told is not None
    assert told[0].startswith("nltk.download() without a name")


def test_logarithm_of_a_text_is_no_conversion_of_numbers() -> None:
    said = "loop of ufunc does not support argument 0 of type {} which has no callable log method"
    rule = rule_of("numpy-object-ufunc")
    assert rule.matches(error("a", "TypeError", said.format("float")))
    assert not rule.matches(error("a", "TypeError", said.format("str")))
