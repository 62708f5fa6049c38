import pytest

from tests.fixing.rules.rewriting import assert_rewrites, assert_stays, cells, outcome

FOLDS = "from sklearn.model_selection import KFold, LeavePOut, StratifiedKFold, ShuffleSplit\n"
OLD = "sklearn-old-folds"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "kf = KFold(len(X), n_folds=5)\nfor a, b in kf:\n    pass",
            "kf = KFold(n_splits=5)\nfor a, b in kf.split(X):\n    pass",
        ),
        (
            "kf = KFold(n, n_folds=5, shuffle=True, random_state=1)\nfor a, b in kf: pass",
            "kf = KFold(n_splits=5, shuffle=True, random_state=1)\n"
            "for a, b in kf.split(range(n)): pass",
        ),
        (
            "for i, (a, b) in enumerate(KFold(X.shape[0], 3)): pass",
            "for i, (a, b) in enumerate(KFold(n_splits=3).split(X)): pass",
        ),
        (
            "skf = StratifiedKFold(y, n_folds=4, random_state=3)\nfor a, b in skf: pass",
            "skf = StratifiedKFold(n_splits=4)\nfor a, b in skf.split(y, y): pass",
        ),
        ("kf = KFold(len(X))", "kf = KFold(n_splits=3)"),
        (
            "y = a\nk = StratifiedKFold(y, n_folds=5)\ny = b\nfor i, t in enumerate(k): pass",
            "y = a\nk = list(StratifiedKFold(n_splits=5).split(y, y))\ny = b\n"
            "for i, t in enumerate(k): pass",
        ),
        (
            "cv = ShuffleSplit(len(X), n_iter=5, test_size=.1)\ncross_val_score(m, X, y, cv=cv)",
            "cv = ShuffleSplit(n_splits=5, test_size=.1)\ncross_val_score(m, X, y, cv=cv)",
        ),
        (
            "kf = KFold(n=len(X), n_folds=2)\nfolds = list(kf)",
            "kf = KFold(n_splits=2)\nfolds = list(kf.split(X))",
        ),
        (
            "cv = ShuffleSplit(len(X), n_iter=5, train_size=.5)",
            "cv = ShuffleSplit(n_splits=5, train_size=.5, test_size=0.1)",
        ),
        (
            "cv = LeavePOut(len(X), 2)\nfor a, b in cv: pass",
            "cv = LeavePOut(p=2)\nfor a, b in cv.split(X): pass",
        ),
        (
            "cv = KFold(n=len(X), shuffle=True)\nfor k in ks:\n    cross_val_score(m, X, cv=cv)",
            "cv = list(KFold(n_splits=3, shuffle=True).split(X))\n"
            "for k in ks:\n    cross_val_score(m, X, cv=cv)",
        ),
        (
            "cv = KFold(n=10)\ncross_val_score(m, X, y, cv=cv)",
            "cv = list(KFold(n_splits=3).split(range(10)))\ncross_val_score(m, X, y, cv=cv)",
        ),
        (
            "cv = KFold(n=len(X), shuffle=True)\nfor a, b in cv: pass",
            "cv = KFold(n_splits=3, shuffle=True)\nfor a, b in cv.split(X): pass",
        ),
    ],
)
def test_folds_get_their_data_from_split(before: str, after: str) -> None:
    assert_rewrites(OLD, before, after, FOLDS)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "cv = {old}LeaveOneLabelOut(g)\nfor a, b in cv: pass",
            "cv = LeaveOneGroupOut()\nfor a, b in cv.split(g, groups=g): pass",
        ),
        (
            "cross_val_score(m, X, y, cv={old}LeaveOneLabelOut(g))",
            "cross_val_score(m, X, y, cv=list(LeaveOneGroupOut().split(g, groups=g)))",
        ),
        (
            "cv = {old}LeavePLabelOut(g, 2)\ncross_val_score(m, X, y, cv=cv)",
            "cv = list(LeavePGroupsOut(n_groups=2).split(g, groups=g))\n"
            "cross_val_score(m, X, y, cv=cv)",
        ),
    ],
)
def test_folds_of_groups_keep_their_groups(before: str, after: str) -> None:
    rules = ("sklearn-cross-validation", OLD)
    setup = "from sklearn import cross_validation\n"
    done = cells(setup, before.format(old="cross_validation."), rules=rules)[1]
    assert done.replace("cross_validation.", "").replace("model_selection.", "") == after


def test_the_rows_of_a_mixture_keep_their_scores() -> None:
    setup = "from sklearn.mixture import GMM\nm = GMM(4, n_iter=500).fit(X)\n"
    after = cells(
        setup,
        "d = np.exp(m.score(X))\nlog, p = m.score_samples(X)\nlog = m.score_samples(X)[0]",
        rules=("sklearn-gmm",),
    )
    assert "GMM(4, max_iter=500, covariance_type='diag', reg_covar=0.001)" in after[0]
    assert after[1] == (
        "d = np.exp(m.score_samples(X))\nlog, p = (m.score_samples(X), m.predict_proba(X))\n"
        "log = m.score_samples(X)"
    )


def test_loops_inside_functions_and_other_cells_follow() -> None:
    before = [FOLDS, "kf = KFold(len(X), n_folds=5)", "def f():\n    for a, b in kf: pass"]
    after = [FOLDS, "kf = KFold(n_splits=5)", "def f():\n    for a, b in kf.split(X): pass"]
    assert cells(*before, rules=(OLD,)) == after


@pytest.mark.parametrize("given", ["kf, 3", "n=3, folds=kf"])
def test_folds_passed_to_a_function_are_split_at_their_origin(
    given: str,
) -> None:
    function = "def plot(folds, n):\n    for train, test in folds:\n        pass\n"
    made = "list(KFold(n_splits=5).split(X))"
    before = [FOLDS, function, "kf = KFold(len(X), n_folds=5)", f"plot({given})"]
    assert cells(*before, rules=(OLD,)) == [FOLDS, function, f"kf = {made}", f"plot({given})"]
    assert cells(FOLDS, function, "plot(KFold(len(X), n_folds=5), 3)", rules=(OLD,)) == [
        FOLDS,
        function,
        f"plot({made}, 3)",
    ]


def test_subclass_with_old_folds_is_not_rewritten() -> None:
    old = "from sklearn.cross_validation import StratifiedKFold\n"
    rules = ("sklearn-cross-validation", OLD, "sklearn-stratified-folds")
    done = outcome(old, "for a, b in StratifiedKFold(y, n_folds=10): pass", rules=rules)
    source = done.notebook.cells[1].source
    assert "KFold(n_splits=self.n_splits, shuffle=self.shuffle, random_state=seed)" in source
    assert source.endswith("in ClassByClassStratifiedKFold(n_splits=10).split(y, y): pass")
    assert not done.remarks


@pytest.mark.parametrize(
    "source",
    [
        "KFold(5)",
        "LeavePOut(2)",
        "KFold(n_splits=5, shuffle=True)",
        "KFold(5, shuffle=True)",
        "N = 5\nkf = KFold(N)",
        "kf = KFold(NFOLDS)",
        "KFold(5, True, 1)",
        "KFold(self.folds, shuffle=True)",
        "KFold(settings['folds'], shuffle=True)",
        "ShuffleSplit(10, 0.2)",
        "for a, b in KFold(5).split(X): pass",
        "KFold(*args)",
        "def KFold(n, n_folds): pass\nKFold(len(X), n_folds=3)",
    ],
)
def test_folds_in_the_new_manner_stay(source: str) -> None:
    assert_stays(OLD, source, FOLDS)


ENCODER = "from sklearn.preprocessing import OneHotEncoder\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "e = OneHotEncoder(categorical_features=[0, 2])",
            "from sklearn.compose import ColumnTransformer\n"
            "e = ColumnTransformer([('encoded', OneHotEncoder(), [0, 2])], "
            "remainder='passthrough', sparse_threshold=1)",
        ),
        (
            "e = OneHotEncoder(categorical_features=cols, sparse=False, handle_unknown='ignore')",
            "from sklearn.compose import ColumnTransformer\n"
            "e = ColumnTransformer([('encoded', OneHotEncoder(handle_unknown='ignore'), cols)], "
            "remainder='passthrough', sparse_threshold=0)",
        ),
        ("e = OneHotEncoder(categorical_features='all')", "e = OneHotEncoder()"),
        ("e = OneHotEncoder()", "e = OneHotEncoder()"),
        ("e = Other(categorical_features=[0])", "e = Other(categorical_features=[0])"),
    ],
)
def test_chosen_columns_are_encoded_by_a_column_transformer(before: str, after: str) -> None:
    assert_rewrites("sklearn-one-hot-columns", before, after, ENCODER)


def test_single_scorers_of_the_dict_are_asked_for_by_their_names() -> None:
    before = "from sklearn.metrics import SCORERS\ns = SCORERS['f1']\nprint('f1' in SCORERS)"
    after = (
        "from sklearn.metrics import get_scorer_names\n"
        "from sklearn.metrics import get_scorer\n"
        "s = get_scorer('f1')\nprint('f1' in get_scorer_names())"
    )
    assert_rewrites("sklearn-scorers-dict", before, after)


@pytest.mark.parametrize("use", ["SCORERS['mine'] = s", "SCORERS.items()", "all = SCORERS"])
def test_a_dict_of_scorers_that_is_more_than_looked_up_stays(use: str) -> None:
    """Without the import, what is left of it would not be defined."""
    assert_stays("sklearn-scorers-dict", f"from sklearn.metrics import SCORERS\n{use}")


MSE = "from sklearn.metrics import mean_squared_error as mse\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("r = mse(a, b, squared=True)", "r = mse(a, b)"),
        ("r = mse(a, b)", "r = mse(a, b)"),
        ("r = mse(a, b, squared=flag)", "r = mse(a, b, squared=flag)"),
        ("def mse(a, b, squared): pass\nmse(1, 2, squared=False)",) * 2,
        (
            "r = -mse(a, b, squared=False)",
            "from sklearn.metrics import root_mean_squared_error\n"
            "r = -root_mean_squared_error(a, b)",
        ),
        (
            "from sklearn import metrics\nmetrics.mean_squared_log_error(a, b, squared=False)",
            "from sklearn import metrics\nmetrics.root_mean_squared_log_error(a, b)",
        ),
    ],
)
def test_another_function_takes_the_root(before: str, after: str) -> None:
    assert_rewrites("sklearn-squared-false", before, after, MSE)


SEARCH = (
    "from sklearn.model_selection import GridSearchCV\n"
    "from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor\n"
)


@pytest.mark.parametrize(
    "source",
    [
        "GridSearchCV(mystery, {'max_features': ['auto']})",
        "GridSearchCV(RandomForestClassifier(), {'gamma': ['auto']})",
    ],
)
def test_ambiguous_grid_values_of_an_unknown_model_stay(
    source: str,
) -> None:
    assert_stays("sklearn-search-grid-values", source, SEARCH)


def test_clear_grid_values_of_an_unknown_model_are_renamed() -> None:
    assert_rewrites(
        "sklearn-search-grid-values",
        "GridSearchCV(mystery, {'a__criterion': ['mse'], 'a__penalty': ['none']})",
        "GridSearchCV(mystery, {'a__criterion': ['squared_error'], 'a__penalty': [None]})",
        SEARCH,
    )


def test_scores_of_what_must_be_a_search() -> None:
    search = "from sklearn.model_selection import GridSearchCV\nd['a'] = {'f': GridSearchCV(m, g)}"
    after = cells(search, "d['a']['f'].grid_scores_", rules=("sklearn-grid-scores",))
    assert after[1].endswith("grid_scores(d['a']['f'])")
    assert_stays("sklearn-grid-scores", "d['a']['f'].grid_scores_", f"{search}\nRFECV(m)")
    assert_stays("sklearn-grid-scores", "d['a']['f'].grid_scores_")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "hp.choice('criterion', ['mse', 'mae'])",
            "hp.choice('criterion', ['squared_error', 'absolute_error'])",
        ),
        (
            "Categorical(['mse', 'friedman_mse'], name='criterion')",
            "Categorical(['squared_error', 'friedman_mse'], name='criterion')",
        ),
        ("hp.choice('loss', ['mse', 'mae'])",) * 2,
    ],
)
def test_choices_of_a_criterion_are_renamed(before: str, after: str) -> None:
    assert_rewrites("sklearn-search-grid-values", before, after)


def test_the_number_of_old_folds_is_asked_for_in_the_new_manner() -> None:
    old = f"{FOLDS}kf = KFold(len(X), n_folds=5)\nprint(len(kf), kf.n_folds, len(X))"
    assert cells(old, rules=(OLD,)) == [
        f"{FOLDS}kf = KFold(n_splits=5)\nprint(kf.get_n_splits(X), kf.get_n_splits(X), len(X))"
    ]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "def f(m, s='log_loss'):\n    return GridSearchCV(m, p, scoring=s)\n"
            "f(m, 'mean_squared_error')\nf(m, s='r2')",
            "def f(m, s='neg_log_loss'):\n    return GridSearchCV(m, p, scoring=s)\n"
            "f(m, 'neg_mean_squared_error')\nf(m, s='r2')",
        ),
        (
            "scoring = 'log_loss'\nGridSearchCV(m, p, scoring=scoring)",
            "scoring = 'neg_log_loss'\nGridSearchCV(m, p, scoring=scoring)",
        ),
        ("s = 'log_loss'\nGridSearchCV(m, p, scoring=s)\nprint(s)",) * 2,
        ("s = 'log_loss'\nOther(m, p, scoring=s)",) * 2,
    ],
)
def test_names_of_scorers_that_are_passed_on(before: str, after: str) -> None:
    assert_rewrites("sklearn-scorer-names", before, after, SEARCH)


@pytest.mark.parametrize(
    "use",
    [
        "m = RandomForestClassifier()\nfor i in k:\n    m.set_params(n_estimators=i).fit(X, y)",
        "given = {'n_estimators': 9}\nm = RandomForestClassifier().set_params(**given)",
        "p = Pipeline([('clf', RandomForestClassifier())])\n"
        "g = GridSearchCV(p, {'clf__n_estimators': [1, 2]})",
    ],
)
def test_default_that_is_set_before_the_use_is_not_written(use: str) -> None:
    setup = "from sklearn.ensemble import RandomForestClassifier\n"
    setup += "from sklearn.pipeline import Pipeline\n"
    assert_stays("sklearn-pin-forest-size", use, setup)


@pytest.mark.parametrize(
    "use",
    [
        "m = RandomForestClassifier()\nm.fit(X, y)\nm.set_params(n_estimators=9)",
        "m = RandomForestClassifier()\nm.set_params(**given)\nm.fit(X, y)",
        "p = Pipeline([('clf', RandomForestClassifier())])\np.fit(X, y)\n"
        "g = GridSearchCV(p, {'clf__n_estimators': [1, 2]})",
    ],
)
def test_a_default_that_may_be_used_first_is_written_out(use: str) -> None:
    setup = "from sklearn.ensemble import RandomForestClassifier\n"
    setup += "from sklearn.pipeline import Pipeline\n"
    assert_rewrites(
        "sklearn-pin-forest-size",
        use,
        use.replace("Classifier()", "Classifier(n_estimators=10)"),
        setup,
    )
