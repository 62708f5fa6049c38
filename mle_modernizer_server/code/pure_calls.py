"""Calls known to have no side effects: repeating one returns the same result.

Calls not in these lists may have side effects. Names are those of the libraries' references:
https://pandas.pydata.org/docs/reference/, https://numpy.org/doc/stable/reference/,
https://scikit-learn.org/stable/api/, https://docs.python.org/3/library/functions.html
"""

from __future__ import annotations


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


BUILTINS = _names(
    "abs all any bool bytes callable chr complex dict dir display divmod enumerate filter float "
    "format frozenset getattr hasattr hash id int isinstance issubclass iter len list map max min "
    "ord pow print range repr reversed round set slice sorted str sum tuple type vars zip"
)
"""Functions of Python and IPython. The callable passed to `map` or `filter` is checked at that
call."""

MODULES = _names(
    "numpy pandas math statistics datetime time calendar re string json collections itertools "
    "functools operator copy warnings decimal fractions textwrap difflib typing dataclasses enum "
    "os.path pathlib glob os sys platform gc random sklearn scipy seaborn matplotlib plotly "
    "xgboost lightgbm catboost IPython"
)
"""Modules whose functions are classified; side effects of other modules are unknown."""

CHANGING_FUNCTIONS = _names(
    "save savez savez_compressed savetxt savefig copyto put putmask place fill_diagonal "
    "put_along_axis memmap open fromfile shuffle system popen remove unlink rename replace "
    "makedirs mkdir rmdir removedirs chdir putenv unsetenv kill _exit exit next tee islice cycle "
    "lru_cache cache reduce heapify heappush heappop dump export_graphviz train cv "
    "to_pickle HDFStore ExcelWriter eval imsave write_html write_image stripplot catplot "
    "jitter randomized_svd make_blobs make_classification make_regression permutation_importance "
    "rvs cross_val_score cross_validate cross_val_predict GridSearchCV RandomizedSearchCV "
    "learning_curve validation_curve minimize differential_evolution basinhopping"
)
"""Functions of these modules that have side effects, write files or draw random numbers."""

RANDOM = ("numpy.random", "random")
"""Modules whose functions draw from a generator that the whole notebook shares."""
GENERATORS = frozenset({"RandomState", "default_rng", "Generator", "Random"})
"""Functions of these modules that create a separate generator."""
OS = _names("get listdir getcwd walk scandir getenv cpu_count fspath sep")
"""Functions of `os` that only read."""
SEEDED_FUNCTIONS = frozenset({"train_test_split", "sample", "shuffle", "resample"})
"""Functions that repeat their result only with a seed."""
CONTAINER_CHANGES = _names(
    "append extend add update insert setdefault sort reverse pop remove discard clear"
)
"""Methods that change a list, a set or a dict."""

METHODS = _names(
    # pandas and numpy, without `inplace=True` and without a file to write
    "abs add agg aggregate all any apply applymap argmax argmin argsort asfreq assign astype at "
    "between bfill boxplot clip combine_first convert_dtypes copy corr corrwith count cov cummax "
    "cummin cumprod cumsum cut describe diff div dot drop drop_duplicates dropna dt duplicated eq "
    "equals explode ffill fillna filter first flatten ge get_group groupby gt head hist "
    "idxmax idxmin info infer_objects interpolate isin isna isnull items iterrows itertuples join "
    "keys kurt last le lt map mask max mean median melt memory_usage merge min mod mode mul ne "
    "nlargest notna notnull nsmallest nunique pct_change pipe pivot pivot_table plot prod quantile "
    "rank ravel reindex rename rename_axis repeat reset_index reshape resample rolling round "
    "select_dtypes sem set_axis set_index shift size skew sort_index sort_values squeeze stack std "
    "sub sum swapaxes tail take to_dict to_frame to_list to_numpy to_period to_records to_string "
    "to_timestamp tolist total_seconds transform transpose unique unstack value_counts values var "
    "where xs nonzero trace conj toarray todense tocsr tocsc "
    # strings
    "capitalize casefold center contains decode encode endswith expandtabs extract extractall find "
    "findall format index isalnum isalpha isdigit islower isnumeric isspace istitle isupper len "
    "ljust lower lstrip match partition replace rfind rindex rjust rpartition rsplit rstrip slice "
    "split splitlines startswith strip strftime strptime swapcase title translate upper zfill cat "
    "get_dummies get date weekday isoformat "
    # sets
    "union intersection difference symmetric_difference issubset issuperset isdisjoint "
    # fitted models, read only
    "predict predict_proba decision_function score get_params get_feature_names "
    "get_feature_names_out inverse_transform feature_importances_ "
    # figures: drawings are displayed and discarded
    "set_title set_xlabel set_ylabel set_xticklabels set_yticklabels set_xlim set_ylim legend "
    "tight_layout set_xticks set_yticks tick_params grid axvline axhline annotate text bar barh "
    "scatter suptitle add_subplot set_size_inches"
)
"""Methods of any object, except those of the notebook's own classes."""

BUILDING = _names(
    "copy read_csv read_excel read_json read_parquet read_table read_pickle read_feather zeros "
    "ones empty full arange linspace eye identity list dict set array"
)
"""Functions that return a new object without shared parts: changing it has no other effect."""

UNSEEDED = _names(
    "StandardScaler MinMaxScaler RobustScaler MaxAbsScaler Normalizer LabelEncoder OneHotEncoder "
    "OrdinalEncoder LabelBinarizer MultiLabelBinarizer Binarizer SimpleImputer Imputer "
    "PolynomialFeatures CountVectorizer TfidfVectorizer TfidfTransformer LinearRegression Ridge "
    "GaussianNB MultinomialNB BernoulliNB ComplementNB KNeighborsClassifier KNeighborsRegressor "
    "LinearDiscriminantAnalysis QuadraticDiscriminantAnalysis VarianceThreshold "
    "ColumnTransformer Pipeline"
)
"""Estimators that draw no random numbers."""
FITTING = frozenset({"fit", "fit_transform", "fit_predict"})
"""Methods that reset an estimator of scikit-learn's kind, whatever its state."""

MAGICS = _names(
    "matplotlib config load_ext reload_ext autoreload precision time timeit pylab who whos "
    "pwd lsmagic env"
)
"""Line magics that change nothing a result depends on."""
