"""Which code gets numbers for its models, and which is left alone."""

import pytest

from tests.fixing.rules.rewriting import assert_rewrites, assert_stays, cells, error

PD = "import pandas as pd\nimport numpy as np\ndf = pd.read_csv('a.csv')"
KERAS = "import numpy as np\nfrom keras.models import Sequential\nm = Sequential()"


@pytest.mark.parametrize(
    "source",
    [
        "df['a'].replace('?', np.nan)",
        "df['a'].replace({'x': 'y'})",
        "df.replace(0, 1)",
        "df.replace(np.inf, 0)",
        "df.replace('?', -99999, inplace=True)",
        "df['a'] = df['a'].replace('N/A', 0)",
        "df['a'] = df['a'].replace('x', 1).astype(int)",
        "'text'.replace('a', 'b')",
        "df['a'].str.replace('a', 'b')",
        "df['a'].fillna(0)",
        "def f(d):\n    d.replace({'a': 1}, inplace=True)",
    ],
)
def test_where_no_number_takes_the_place_of_text_nothing_changes(source: str) -> None:
    assert_stays("pandas-replace-types", source, PD)


def test_numbers_that_replace_texts_need_no_old_type_of_text() -> None:
    for source in ("df['a'].replace({'x': 1})", "df.replace('x', 0, inplace=True)"):
        assert_stays("pandas-infer-string", source, PD)


def test_tables_of_other_libraries_keep_their_replace() -> None:
    assert_stays("pandas-replace-types", "d = d.replace('a', 1)", "from pyspark.sql import Row")


def test_the_last_of_several_replacements_brings_the_type_back() -> None:
    assert_rewrites(
        "pandas-replace-types",
        "s = df['a'].replace('x', 1).replace('y', 0)",
        "s = df['a'].replace('x', 1).replace('y', 0).infer_objects()",
        PD,
    )


@pytest.mark.parametrize(
    "source",
    [
        "df.loc[:, 'a'] = 0",
        "df.loc[df['a'] > 1, 'a'] = df['b']",
        "df.iloc[0, 1] = df['b'].iloc[0]",
        "df.loc[:, ['a', 'b']] = df[['a', 'b']].astype(int)",
    ],
)
def test_only_whole_columns_are_replaced(source: str) -> None:
    assert_stays("pandas-whole-columns", source, PD)


def test_arrays_of_numbers_go_into_keras_as_they_are() -> None:
    seen = error("b", "ValueError", "Invalid dtype: object", 2)
    source = "Y = to_categorical(labels)\nm.fit(X, Y, verbose=0)"
    setup = f"{KERAS}\nfrom keras.utils import to_categorical"
    _, after = cells(setup, source, rules=("keras-object-input",), errors=(seen,))
    assert after.endswith("m.fit(np.asarray(X, dtype='float32'), Y, verbose=0)")


def test_a_failure_inside_a_function_is_found_by_its_line() -> None:
    seen = error("c", "ValueError", "Invalid dtype: object", 1).model_copy(
        update={
            "traceback": (
                "Cell In[3], line 1",
                "----> 1 train(m)",
                "Cell In[2], line 2, in train(model)",
                "----> 2     model.fit(X, y)",
            )
        }
    )
    function = "def train(model):\n    model.fit(X, y)\n    other.fit(Z)"
    _, after, _ = cells(KERAS, function, "train(m)", rules=("keras-object-input",), errors=(seen,))
    assert "    other.fit(Z)" in after
    assert "model.fit(np.asarray(X, dtype='float32'), np.asarray(y, dtype='float32'))" in after


def test_other_models_keep_their_arrays() -> None:
    seen = error("b", "ValueError", "Invalid dtype: object", 2)
    setup = f"{KERAS}\nfrom sklearn.svm import SVC\ns = SVC()"
    source = "s.fit(X, y)\nm.predict(np.asarray(X, dtype='float32'))"
    assert cells(setup, source, rules=("keras-object-input",), errors=(seen,)) == [setup, source]
