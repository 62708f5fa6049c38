"""Facts about pandas and numpy objects beyond the types in the stubs (`returns.py`)."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


MOSTLY_FRAMES_HAVE = _words(
    "columns iterrows itertuples select_dtypes pivot_table set_index merge applymap dtypes "
    "drop_duplicates as_matrix sort_values groupby iteritems"
)
"""Attributes by which a parameter is guessed to be a DataFrame."""

MOSTLY_COLUMNS_HAVE = _words(
    "fillna isnull isna notnull map value_counts astype str dt apply replace"
)
"""Attributes of `parameter['column']` by which the parameter is guessed to be a DataFrame."""

LOCATORS = _words("loc iloc ix at iat")
GROUPERS = _words("groupby resample rolling expanding ewm")
"""Calls that create groups, or windows with the same methods."""

REDUCTIONS = _words(
    "mean std var sem sum median min max prod product skew kurt kurtosis idxmax idxmin item "
    "all any count nunique"
)
"""Methods of a Series that return one of its values, or a number."""
ARRAY_REDUCTIONS = _words("mean std var sum median min max prod argmax argmin item size")
"""The same of an array, without an axis."""
GROUPWISE = _words(
    "mean sum max min median std var count first last nunique prod skew cumsum cummax cummin "
    "cumprod agg aggregate transform fillna ffill bfill shift diff rank head tail nth"
)
"""Methods of groups (and windows) that probably return the type of the grouped object."""

KEEPS_PANDAS = _words("clip round around")
"""numpy functions besides the ufuncs that return a Series for a Series."""

OTHER_ESTIMATORS = frozenset({"xgboost", "lightgbm", "catboost", "imblearn"})
"""Libraries whose estimators follow scikit-learn's."""
ESTIMATOR_ARRAYS = _words("predict predict_proba decision_function")

MAKES = {
    "seaborn.load_dataset": "pandas.DataFrame",
    "xgboost.train": "xgboost.Booster",
    "lightgbm.train": "lightgbm.Booster",
    "sklearn.pipeline.make_pipeline": "sklearn.pipeline.Pipeline",
    "sklearn.pipeline.make_union": "sklearn.pipeline.FeatureUnion",
    "sklearn.compose.make_column_transformer": "sklearn.compose.ColumnTransformer",
}
"""Class of a function's result."""
COPIES = frozenset({"sklearn.base.clone", "copy.copy", "copy.deepcopy"})
