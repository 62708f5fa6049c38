"""Types of columns, and of arrays that go into models."""

from __future__ import annotations

from tests.fixing.rules.executed.case import Case

PD = """
import numpy as np
import pandas as pd
df = pd.DataFrame({'s': ['m', 'f', 'm', 'f'], 'n': [1, 2, 3, 4], 'b': [True, None, False, True]})
codes = {'m': 1, 'f': 0}
"""
KERAS = (
    PD
    + """
from keras.models import Sequential
from keras.layers import Dense, Input
X = np.array([[1, 2.5, True], [0, 1.5, False]], dtype=object)
y = np.array([1, 0], dtype=object)
m = Sequential([Input((3,)), Dense(1)])
m.compile(loss='mse', optimizer='sgd', metrics=['mae'])
def train(model, features, labels):
    model.fit(features, labels, verbose=0)
"""
)

LOUD: list[Case] = [
    Case("keras-object-input", KERAS, "m.fit(X, y, validation_data=(X, y), verbose=0)"),
    Case("keras-object-input", KERAS, "result = m.predict(X, verbose=0)", "result.shape == (2, 1)"),
    Case(
        "keras-object-input", KERAS, "result = m.evaluate(x=X, y=y, verbose=0)", "len(result) == 2"
    ),
    Case("keras-list-targets", KERAS, "m.fit(X.astype(float), y.tolist(), verbose=0)"),
    Case(
        "keras-list-inputs",
        KERAS,
        "result = m.predict([[1, 2.5, 0]], verbose=0)",
        "result.shape == (1, 1)",
    ),
]

SILENT: list[Case] = [
    Case(
        "pandas-replace-types",
        PD,
        "result = df['s'].replace(['m', 'f'], [1, 0])",
        "result.dtype == 'int64'",
    ),
    Case(
        "pandas-replace-types",
        PD,
        "result = df['s'].replace('m', 1.5).replace('f', 0)",
        "result.dtype == 'float64'",
    ),
    Case(
        "pandas-replace-types",
        PD,
        "df.replace({'s': codes}, inplace=True)",
        "df['s'].dtype == 'int64' and df['n'].dtype == 'int64'",
    ),
    Case(
        "pandas-replace-types",
        PD,
        "for c in ['s']:\n    df[c] = df[c].replace(list(df[c].unique()), range(2))",
        "list(df['s']) == [0, 1, 0, 1] and df['s'].dtype == 'int64'",
    ),
    Case(
        "pandas-replace-types",
        PD + "b = pd.Series([True, False])\n",
        "result = b.replace({True: 1, False: 0})",
        "result.dtype == 'int64'",
    ),
    Case("pandas-replace-types", PD, "result = df['b'].fillna(False)", "result.dtype == bool"),
    Case(
        "pandas-whole-columns",
        PD + "from sklearn.preprocessing import LabelEncoder\ndf['s'] = df['s'].astype(object)\n",
        "df.iloc[:, 0] = LabelEncoder().fit_transform(df.iloc[:, 0])",
        "df['s'].dtype == 'int64' and list(df['s']) == [1, 0, 1, 0]",
    ),
    Case(
        "pandas-whole-columns",
        PD + "df['s'] = df['s'].astype(object)\n",
        "df.loc[:, 's'] = df['s'].map(codes)",
        "df['s'].dtype == 'int64'",
    ),
    Case(
        "pandas-infer-string",
        PD,
        "result = list(df.dtypes.pipe(lambda t: t[t == 'object']).index)",
        "'s' in result",
    ),
    Case("pandas-infer-string", PD, "result = (df.dtypes.values == 'object')[0]", "result"),
    Case("pandas-infer-string", PD, "result = df['s'].dtype == np.dtype('O')", "result"),
    Case("pandas-infer-string", PD, "result = pd.api.types.is_object_dtype(df['s'])", "result"),
]
