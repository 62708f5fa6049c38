from __future__ import annotations

from tests.fixing.rules.executed.case import LGB, PLOTS, Case

LOUD: list[Case] = [
    Case(
        "lightgbm-callbacks",
        LGB,
        "ev = {}\nb = lgb.train(p, d, 30, valid_sets=[v], early_stopping_rounds=3, "
        "verbose_eval=False, evals_result=ev)",
        "b.best_iteration >= 1 and 'valid_0' in ev",
        line=2,
    ),
    Case(
        "lightgbm-callbacks",
        LGB,
        "m = lgb.LGBMClassifier(n_estimators=9, verbose=-1)\n"
        "m.fit(X, y, eval_set=[(X, y)], early_stopping_rounds=3, verbose=False)",
        "m.evals_result_",
        line=2,
    ),
    Case(
        "lightgbm-callbacks",
        LGB,
        "from sklearn.model_selection import GridSearchCV\n"
        "more = dict(early_stopping_rounds=3, verbose=False, eval_set=[(X[::2], y[::2])])\n"
        "m = GridSearchCV(lgb.LGBMClassifier(n_estimators=9, verbose=-1), {'max_depth': [1, 2]})\n"
        "m.fit(X, y, **more)",
        "m.best_estimator_.best_iteration_ > 0",
    ),
    Case("lightgbm-dataset-silent", LGB, "lgb.Dataset(X, y, silent=True)"),
    Case(
        "lightgbm-cv-keys",
        LGB + "r = lgb.cv(p, d, 3, nfold=2)\n",
        "result = r['auc-mean']",
        "len(result) == 3",
    ),
    Case(
        "lightgbm-learning-rates",
        LGB + "X2, y2 = X, y % 2\n",
        "m = lgb.train(p, d, 3, learning_rates=lambda i: 0.1 / (i + 1))",
        "m.num_trees() == 3",
    ),
    Case(
        "lightgbm-fobj",
        LGB + "X2, y2 = X, y % 2\n",
        "def loss(predicted, data):\n"
        "    return predicted - data.get_label(), np.ones_like(predicted)\n"
        "m = lgb.train({'verbose': -1}, d, 3, fobj=loss)",
        "m.num_trees() == 3",
    ),
    Case(
        "lightgbm-dataset-arguments",
        LGB + "X2, y2 = X, y % 2\n",
        "c = lgb.Dataset(np.abs(X).round(), y % 2)\n"
        "m = lgb.train(p, c, 3, categorical_feature=[0], feature_name=list('abcdef'))",
        "m.feature_name() == list('abcdef') and c.categorical_feature == [0]",
    ),
    Case(
        "lightgbm-show-stdv",
        LGB + "X2, y2 = X, y % 2\n",
        "result = lgb.cv(p, d, 3, nfold=2, show_stdv=False)",
        "len(result) == 2",
    ),
    Case(
        "lightgbm-print-evaluation",
        LGB + "X2, y2 = X, y % 2\n",
        "m = lgb.train(p, d, 3, valid_sets=[v], callbacks=[lgb.print_evaluation(2)])",
        "m.num_trees() == 3",
    ),
    Case(
        "lightgbm-booster-silent",
        LGB + "X2, y2 = X, y % 2\nlgb.train(p, d, 2).save_model('m.txt')\n",
        "m = lgb.Booster(model_file='m.txt', silent=True)",
        "m.num_trees() == 2",
    ),
    Case(
        "lightgbm-dataset-max-bin",
        LGB + "X2, y2 = X, y % 2\n",
        "c = lgb.Dataset(X, y % 2, max_bin=16)\nm = lgb.train(p, c, 2)",
        "c.params['max_bin'] == 16",
    ),
    Case(
        "lightgbm-booster-method",
        LGB + "X2, y2 = X, y % 2\nm = lgb.LGBMClassifier(n_estimators=2, verbose=-1).fit(X, y)\n",
        "result = m.feature_importance()",
        "len(result) == 6",
    ),
    Case(
        "lightgbm-booster-method",
        LGB + "X2, y2 = X, y % 2\nm = lgb.LGBMClassifier(n_estimators=2, verbose=-1).fit(X, y)\n",
        "result = m.booster()",
        "result.num_trees() == 6",
    ),
    Case(
        "lightgbm-whole-numbers",
        LGB + "X2, y2 = X, y % 2\n",
        "p = {'objective': 'binary', 'num_leaves': 8.0, 'verbose': -1}\nm = lgb.train(p, d, 2)",
        "p['num_leaves'] == 8",
    ),
    Case(
        "lightgbm-whole-numbers",
        LGB + "X2, y2 = X, y % 2\nleaves = 8.7\n",
        "m = lgb.LGBMClassifier(n_estimators=2, num_leaves=leaves, verbose=-1).fit(X, y)",
        "m.num_leaves == 8",
    ),
    Case(
        "lightgbm-feature-names",
        LGB + "X2, y2 = X, y % 2\nimport pandas as pd\n",
        "lgb.LGBMClassifier(verbose=-1).fit(pd.DataFrame(X[:, :2], columns=['a[1]', 'b:2']), y)",
        fix=False,
    ),
    Case(
        "lightgbm-set-attr",
        LGB + "X2, y2 = X, y % 2\nm = lgb.train(p, d, 2)\n",
        "m.set_attr(a='1')",
        fix=False,
    ),
    Case(
        "lightgbm-callbacks",
        LGB + "X2, y2 = X, y % 2\n",
        "m = lgb.train(\n"
        "    dict(p, metric=['auc', 'binary_logloss']), d, 30,\n"
        "    valid_sets=[v],\n"
        "    early_stopping_rounds=3,  # patience\n"
        "    verbose_eval=10,\n"
        ")",
        "m.best_iteration >= 1",
    ),
]

SILENT: list[Case] = [
    Case(
        "lightgbm-model-silent",
        LGB,
        "m = lgb.LGBMClassifier(n_estimators=2, silent=True).fit(X, y)",
        "'silent' not in m.get_params() and m.get_params()['verbose'] == -1",
    ),
    Case(
        "lightgbm-importance-plot",
        PLOTS + "import lightgbm as lgb\n"
        "from sklearn.datasets import make_classification\n"
        "X, y = make_classification(random_state=0)\n"
        "m = lgb.LGBMClassifier(n_estimators=3, importance_type='gain', "
        "verbose=-1).fit(X, y)\n",
        "a = lgb.plot_importance(m)\nresult = [p.get_width() for p in a.patches]",
        "all(w == int(w) for w in result)",
    ),
]
