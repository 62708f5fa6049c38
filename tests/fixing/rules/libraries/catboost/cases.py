from __future__ import annotations

from tests.fixing.rules.executed.case import DATA, Case

LOUD: list[Case] = [
    Case(
        "catboost-calc-feature-importance",
        DATA + "from catboost import CatBoostClassifier, Pool\n"
        "b = y % 2\n"
        "q = {'iterations': 2, 'allow_writing_files': False, 'thread_count': 1}\n"
        "m = CatBoostClassifier(logging_level='Silent', **q).fit(X, b)\n",
        "m = CatBoostClassifier(iterations=2, calc_feature_importance=True)",
        "m.get_params()['iterations'] == 2",
    ),
    Case(
        "catboost-verbose-twice",
        DATA + "from catboost import CatBoostClassifier, Pool\n"
        "b = y % 2\n"
        "q = {'iterations': 2, 'allow_writing_files': False, 'thread_count': 1}\n"
        "m = CatBoostClassifier(logging_level='Silent', **q).fit(X, b)\n",
        "m = CatBoostClassifier(iterations=2, verbose=False, logging_level='Silent', "
        "allow_writing_files=False).fit(X, b)",
        "m.tree_count_ == 2",
    ),
    Case(
        "catboost-importance-pool",
        DATA + "from catboost import CatBoostClassifier, Pool\n"
        "b = y % 2\n"
        "q = {'iterations': 2, 'allow_writing_files': False, 'thread_count': 1}\n"
        "m = CatBoostClassifier(logging_level='Silent', **q).fit(X, b)\n",
        "result = m.get_feature_importance(X, b)",
        "len(result) == 6",
    ),
    Case(
        "catboost-predict-data",
        DATA + "from catboost import CatBoostClassifier, Pool\n"
        "b = y % 2\n"
        "q = {'iterations': 2, 'allow_writing_files': False, 'thread_count': 1}\n"
        "m = CatBoostClassifier(logging_level='Silent', **q).fit(X, b)\n",
        "result = m.predict_proba(data=X)",
        "result.shape == (90, 2)",
    ),
    Case(
        "catboost-is-fitted",
        DATA + "from catboost import CatBoostClassifier, Pool\n"
        "b = y % 2\n"
        "q = {'iterations': 2, 'allow_writing_files': False, 'thread_count': 1}\n"
        "m = CatBoostClassifier(logging_level='Silent', **q).fit(X, b)\n",
        "result = m.is_fitted_",
        "result is True",
    ),
    Case(
        "catboost-metadata",
        DATA + "from catboost import CatBoostClassifier, Pool\n"
        "b = y % 2\n"
        "q = {'iterations': 2, 'allow_writing_files': False, 'thread_count': 1}\n"
        "m = CatBoostClassifier(logging_level='Silent', **q).fit(X, b)\n",
        "result = m.metadata_",
        "'params' in list(result.keys())",
    ),
    Case(
        "catboost-fold-block",
        DATA + "from catboost import CatBoostClassifier, Pool\n"
        "b = y % 2\n"
        "q = {'iterations': 2, 'allow_writing_files': False, 'thread_count': 1}\n"
        "m = CatBoostClassifier(logging_level='Silent', **q).fit(X, b)\n",
        "m = CatBoostClassifier(fold_permutation_block_size=1)",
        "m.get_params()['fold_permutation_block'] == 1",
    ),
    Case(
        "catboost-old-parameters",
        DATA + "from catboost import CatBoostClassifier, Pool\n"
        "b = y % 2\n"
        "q = {'iterations': 2, 'allow_writing_files': False, 'thread_count': 1}\n"
        "m = CatBoostClassifier(logging_level='Silent', **q).fit(X, b)\n",
        "CatBoostClassifier(priors=[1])",
        fix=False,
    ),
    Case(
        "catboost-border",
        DATA + "from catboost import CatBoostClassifier, Pool\n"
        "b = y % 2\n"
        "q = {'iterations': 2, 'allow_writing_files': False, 'thread_count': 1}\n"
        "m = CatBoostClassifier(logging_level='Silent', **q).fit(X, b)\n",
        "m = CatBoostClassifier(border=0.5)",
        "m.get_params()['target_border'] == 0.5",
    ),
    Case(
        "catboost-float-categories",
        DATA + "from catboost import CatBoostClassifier, Pool\n"
        "b = y % 2\n"
        "q = {'iterations': 2, 'allow_writing_files': False, 'thread_count': 1}\n"
        "m = CatBoostClassifier(logging_level='Silent', **q).fit(X, b)\n",
        "import pandas as pd\n"
        "CatBoostClassifier(cat_features=[0], **q).fit(pd.DataFrame({'a': X[:, 0]}), b)",
        fix=False,
    ),
]

SILENT: list[Case] = []
