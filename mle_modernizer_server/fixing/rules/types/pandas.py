"""What calls on pandas and numpy objects give, as far as the rules need it."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ONLY_FRAMES_HAVE = _words(
    "columns iterrows itertuples select_dtypes pivot_table set_index merge applymap dtypes "
    "drop_duplicates as_matrix sort_values groupby iteritems"
)
"""Attributes by which a parameter is taken for a DataFrame."""

ONLY_COLUMNS_HAVE = _words(
    "fillna isnull isna notnull map value_counts astype str dt apply replace"
)
"""Attributes of `parameter['column']` by which the parameter is taken for a DataFrame."""

FRAME_FUNCTIONS = _words(
    "DataFrame read_table read_excel read_json read_hdf read_pickle read_sql read_sql_query "
    "read_feather read_parquet read_fwf merge get_dummies pivot_table pivot crosstab melt "
    "json_normalize merge_asof"
)
SERIES_FUNCTIONS = _words("Series value_counts")

FRAME_ATTRIBUTES = _words(
    "shape size ndim axes empty plot hist style attrs flags dtype name sparse"
)

_FRAME_TO_FRAME = (
    "abs add add_prefix add_suffix append applymap asfreq assign astype bfill clip combine "
    "combine_first convert_dtypes copy corr cov cummax cummin cumprod cumsum describe diff div "
    "divide drop drop_duplicates dropna explode ffill fillna filter fit get_dummies head "
    "infer_objects interpolate isin isna isnull join mask melt merge mod mode mul multiply "
    "nlargest notna notnull nsmallest pct_change pivot pivot_table pow query rank reindex "
    "reindex_axis reindex_like rename rename_axis replace reset_index round sample select_dtypes "
    "set_index shift sort sort_index sort_values sub subtract swaplevel tail to_frame transform "
    "transpose truncate unstack update where pad backfill"
)
_FRAME_TO_SERIES = (
    "all any corrwith count duplicated idxmax idxmin kurt kurtosis mad max mean median "
    "memory_usage min nunique prod product quantile sem skew std sum var value_counts"
)
FRAME_METHODS: dict[str, str] = {
    **dict.fromkeys(_words(_FRAME_TO_FRAME), "frame"),
    **dict.fromkeys(_words(_FRAME_TO_SERIES), "series"),
    **dict.fromkeys(_words("as_matrix to_numpy get_values"), "array"),
}
"""Kind of what a DataFrame's method gives."""

_SERIES_TO_SERIES = (
    "abs add append apply asfreq astype between bfill clip combine combine_first copy cummax "
    "cummin cumprod cumsum describe diff div divide drop drop_duplicates dropna duplicated "
    "explode ffill fillna filter head interpolate isin isna isnull map mask mod mode mul "
    "multiply nlargest notna notnull nsmallest order pct_change pow rank reindex rename replace "
    "round sample shift sort_index sort_values sub subtract tail transform truncate "
    "value_counts where pad backfill"
)
_SERIES_TO_SCALAR = (
    "all any autocorr corr count cov idxmax idxmin kurt kurtosis mad max mean median min nunique "
    "prod product sem skew std sum var item"
)
SERIES_METHODS: dict[str, str] = {
    **dict.fromkeys(_words(_SERIES_TO_SERIES), "series"),
    **dict.fromkeys(_words(_SERIES_TO_SCALAR), "scalar"),
    **dict.fromkeys(_words("as_matrix to_numpy get_values unique ravel argsort"), "array"),
    **dict.fromkeys(_words("to_frame unstack"), "frame"),
}
"""Kind of what a Series' method gives."""

GROUPERS = _words("groupby resample rolling expanding ewm")
"""What makes groups, or windows that are asked in the same way."""

GROUP_METHODS = _words(
    "mean sum max min median std var count first last nunique prod skew cumsum cummax cummin "
    "cumprod agg aggregate transform fillna ffill bfill shift diff rank head tail nth"
)

KEEPS_PANDAS = _words(
    "abs sqrt log log1p log2 log10 exp expm1 square sin cos tan floor ceil round rint sign "
    "clip power"
)
"""numpy functions that give a Series for a Series."""
NUMPY_SCALARS = _words("mean std var sum median min max prod argmax argmin item size")

ESTIMATOR_LIBRARIES = frozenset({"sklearn", "xgboost", "lightgbm", "catboost", "imblearn"})
ESTIMATOR_ARRAYS = _words(
    "predict predict_proba predict_log_proba decision_function transform fit_transform fit_predict"
)

MAKES = {
    "xgboost.train": "xgboost.Booster",
    "lightgbm.train": "lightgbm.Booster",
    "sklearn.pipeline.make_pipeline": "sklearn.pipeline.Pipeline",
    "sklearn.pipeline.make_union": "sklearn.pipeline.FeatureUnion",
    "sklearn.compose.make_column_transformer": "sklearn.compose.ColumnTransformer",
}
"""Class of what a function makes."""
COPIES = frozenset({"sklearn.base.clone", "copy.copy", "copy.deepcopy"})
