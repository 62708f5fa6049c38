"""Whether one name took the place of another in a library, or stands for something else."""

from __future__ import annotations

from mle_modernizer_server.code.code_names import tail
from mle_modernizer_server.fixing.integrity.equivalences import known

# Old name and new ones that no other sign betrays; from the release notes of pandas, NumPy,
# scikit-learn, SciPy, XGBoost, TensorFlow, Keras, PyTorch, gensim, networkx, Pillow and Python.
_RENAMED = {
    "ANTIALIAS": "LANCZOS",
    "Convolution1D": "Conv1D",
    "Convolution2D": "Conv2D",
    "CuDNNGRU": "GRU",
    "CuDNNLSTM": "LSTM",
    "GMM": "GaussianMixture",
    "Imputer": "SimpleImputer",
    "Int64Index": "Index",
    "LDA": "LinearDiscriminantAnalysis",
    "QDA": "QuadraticDiscriminantAnalysis",
    "RandomizedPCA": "PCA",
    "Scale": "Resize",
    "alltrue": "all",
    "applymap": "map",
    "as_matrix": "to_numpy values",
    "booster": "get_booster",
    "clip_lower": "clip",
    "clip_upper": "clip",
    "clock": "perf_counter process_time time",
    "cumproduct": "cumprod",
    "distplot": "histplot displot",
    "docvecs": "dv",
    "encodestring": "encodebytes",
    "evaluate_generator": "evaluate",
    "factorplot": "catplot",
    "find_common_type": "result_type",
    "fit_generator": "fit",
    "fit_sample": "fit_resample",
    "float_": "float64",
    "from_csv": "read_csv",
    "get_feature_names": "get_feature_names_out",
    "get_values": "to_numpy",
    "getargspec": "getfullargspec",
    "in1d": "isin",
    "is_monotonic": "is_monotonic_increasing",
    "iteritems": "items",
    "iterkeys": "keys",
    "itervalues": "values",
    "ix": "loc iloc",
    "letters": "ascii_letters",
    "lr": "learning_rate",
    "mat": "asmatrix",
    "msort": "sort",
    "node": "nodes",
    "order": "sort_values",
    "predict_generator": "predict",
    "product": "prod",
    "py_func": "numpy_function",
    "raw_input": "input",
    "set_image_dim_ordering": "set_image_data_format",
    "set_random_seed": "set_seed",
    "sigma_": "var_",
    "sometrue": "any",
    "sort": "sort_values sort_index",
    "sortlevel": "sort_index",
    "spectral": "nipy_spectral",
    "symeig": "eigh",
    "to_float": "cast",
    "tostring": "tobytes",
    "trapz": "trapezoid",
    "unicode": "str",
    "xrange": "range",
}


def is_gone(name: str) -> bool:
    """Whether the last part of a name is one that libraries have no longer."""
    return name in _RENAMED or name in known().names


def is_rename(old: str, new: str) -> bool:
    """Whether a dotted name is another's successor: it moved to another module, is spelled in
    another way, or is known to have been renamed.

    What is not recognised (`mean` → `median`) is no rename.
    """
    before, after = tail(old), tail(new)
    if before == after or after in _RENAMED.get(before, "").split():
        return True
    if after in known().names.get(before, ()):
        return True
    return _squashed(old) == _squashed(new) or _squashed(before) == _squashed(after)


def _squashed(name: str) -> str:
    return name.replace(".", "").replace("_", "").lower()
