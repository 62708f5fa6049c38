from __future__ import annotations

from tests.fixing.rules.executed.case import XGB, Case

LOUD: list[Case] = [
    Case(
        "xgboost-last-iteration",
        "import numpy as np\nimport xgboost as xgb\n"
        "d = xgb.DMatrix(np.arange(8).reshape(4, 2), label=[1, 2, 3, 4])\n"
        "b = xgb.train({}, d, 5)\n",
        "result = b.best_iteration",
        "result == 4",
    ),
    Case(
        "xgboost-feature-names",
        "import numpy as np\nimport xgboost as xgb\nnames = np.array(['a', 'b'])\n",
        "result = xgb.DMatrix(np.ones((3, 2)), feature_names=names).feature_names",
        "result == ['a', 'b']",
    ),
    Case(
        "xgboost-labels",
        XGB,
        "t = pd.Series(y + 1)\nm = XGBClassifier(n_estimators=2)\n"
        "m.fit(X, t)\nresult = m.predict(X)",
        "sorted(set(result)) == [1, 2, 3]",
        line=3,
    ),
    Case(
        "xgboost-labels",
        XGB + "from sklearn.model_selection import GridSearchCV\n"
        "from sklearn.metrics import accuracy_score\n",
        "t = pd.Series(y).map({0: 'a', 1: 'b', 2: 'c'})\n"
        "m = xgb.XGBClassifier(n_estimators=2)\n"
        "g = GridSearchCV(m, {'max_depth': [2, 3]}, cv=2, scoring='roc_auc_ovr').fit(X, t)\n"
        "result = accuracy_score(t, g.predict(X))",
        "result > 0.6 and list(g.classes_) == ['a', 'b', 'c'] and g.best_score_ > 0.5",
        line=3,
    ),
    Case(
        "xgboost-labels",
        XGB + "from sklearn.model_selection import cross_val_predict\n"
        "from sklearn.pipeline import make_pipeline\n"
        "from sklearn.preprocessing import StandardScaler\n",
        "t = np.array(['a', 'b', 'c'])[y]\n"
        "m = XGBClassifier(n_estimators=9, early_stopping_rounds=3)\n"
        "m.fit(X, t, eval_set=[(X, t)], verbose=False)\n"
        "p = make_pipeline(StandardScaler(), XGBClassifier(n_estimators=2))\n"
        "result = cross_val_predict(p, X, t, cv=2)\n"
        "shares = m.predict_proba(X)",
        "set(result) <= set('abc') and (m.classes_[shares.argmax(1)] == m.predict(X)).all()"
        " and (m.predict(X) == t).mean() > 0.6",
    ),
    Case(
        "xgboost-fit-arguments",
        XGB,
        "m = XGBClassifier(n_estimators=9)\n"
        "m.fit(X, y, early_stopping_rounds=2, eval_metric='mlogloss', eval_set=[(X, y)])",
        "m.best_iteration >= 0",
        line=2,
    ),
    *(
        Case("xgboost-fit-arguments", XGB, code, "result")
        for code in (
            "from sklearn.model_selection import GridSearchCV\n"
            "m = GridSearchCV(XGBClassifier(n_estimators=9), {'max_depth': [1, 2]}, cv=2)\n"
            "m.fit(X, y, early_stopping_rounds=2, eval_metric='mlogloss', eval_set=[(X, y)])\n"
            "result = m.best_estimator_.best_iteration >= 0",
            "more = {'early_stopping_rounds': 2, 'eval_metric': 'mlogloss', 'eval_set': [(X, y)]}\n"
            "m = XGBClassifier(n_estimators=9)\nm.fit(X, y, **more)\n"
            "result = m.best_iteration >= 0",
        )
    ),
    Case(
        "xgboost-gpu-hist", XGB, "XGBClassifier(n_estimators=2, tree_method='gpu_hist').fit(X, y)"
    ),
    Case(
        "xgboost-gpu-hist",
        XGB,
        "p = {'tree_method': 'gpu_hist', 'gpu_id': 0}\nxgb.train(p, xgb.DMatrix(Xr, yr), 2)",
        "p == {'tree_method': 'hist'}",
        line=2,
    ),
    Case(
        "xgboost-ntree-limit",
        XGB + "m = XGBClassifier(n_estimators=5).fit(X, y)\n",
        "result = m.predict(X, ntree_limit=3)",
        "(result == m.predict(X, iteration_range=(0, 3))).all()",
    ),
    Case(
        "xgboost-ntree-limit",
        XGB + "d = xgb.DMatrix(Xr, yr)\n"
        "b = xgb.train({}, d, 9, evals=[(d, 'v')], early_stopping_rounds=2, verbose_eval=False)\n",
        "result = b.best_ntree_limit",
        "result == b.best_iteration + 1",
    ),
    Case(
        "xgboost-feval",
        XGB + "d = xgb.DMatrix(Xr, yr)\n",
        "xgb.train({}, d, 2, evals=[(d, 'v')], feval=lambda p, d: ('m', 0.), verbose_eval=False)",
    ),
    Case(
        "xgboost-show-progress",
        XGB + "d = xgb.DMatrix(Xr, yr)\n",
        "xgb.cv({}, d, 2, nfold=2, show_progress=False)",
    ),
    Case(
        "xgboost-gpu-id",
        XGB + "d = xgb.DMatrix(Xr, yr)\nb = xgb.DMatrix(X, y % 2)\n",
        "p = {'eta': 0.1, 'gpu_id': 0, 'predictor': 'gpu_predictor'}\nxgb.train(p, d, 2)",
        "p['eta'] == 0.1",
    ),
    Case(
        "xgboost-gpu-objectives",
        XGB + "d = xgb.DMatrix(Xr, yr)\nb = xgb.DMatrix(X, y % 2)\n",
        "p = {'objective': 'gpu:reg:linear'}\nm = xgb.train(p, d, 2)",
        "m.predict(d).shape == (60,)",
    ),
    Case(
        "xgboost-gpu-objectives",
        XGB,
        "m = XGBClassifier(n_estimators=2, objective='gpu:binary:logistic').fit(X, y % 2)",
        "m.objective == 'binary:logistic'",
    ),
    Case(
        "xgboost-gpu-updater",
        XGB + "d = xgb.DMatrix(Xr, yr)\nb = xgb.DMatrix(X, y % 2)\n",
        "p = {'updater': 'grow_gpu', 'eta': 0.1}\nm = xgb.train(p, d, 2)",
        "p == {'eta': 0.1}",
    ),
    Case(
        "xgboost-params-items",
        XGB + "d = xgb.DMatrix(Xr, yr)\nb = xgb.DMatrix(X, y % 2)\np = {'eta': 0.1}\n",
        "plst = p.items()\nm = xgb.train(plst, d, 2)",
        "m.predict(d).shape == (60,)",
    ),
    Case(
        "xgboost-dmatrix-positional",
        XGB,
        "M = Xr.copy()\nM[0, 0] = -999.0\nm = xgb.DMatrix(M, yr, -999.0)",
        "m.num_nonmissing() == 239",
    ),
    Case(
        "xgboost-learning-rates",
        XGB + "d = xgb.DMatrix(Xr, yr)\nb = xgb.DMatrix(X, y % 2)\n",
        "m = xgb.train({}, d, 3, learning_rates=[0.3, 0.2, 0.1])",
        "m.num_boosted_rounds() == 3",
    ),
    Case(
        "xgboost-callback-functions",
        XGB + "d = xgb.DMatrix(Xr, yr)\nb = xgb.DMatrix(X, y % 2)\n",
        "m = xgb.train({}, d, 9, evals=[(d, 'v')], verbose_eval=False, "
        "callbacks=[xgb.callback.early_stop(3, verbose=False)])",
        "m.num_boosted_rounds() == 9",
    ),
    Case(
        "xgboost-booster-method",
        XGB + "m = XGBClassifier(n_estimators=2).fit(X, y)\n",
        "result = m.booster().get_fscore()",
        "len(result) > 0",
    ),
    Case(
        "xgboost-predict-data",
        XGB + "m = XGBClassifier(n_estimators=2).fit(X, y)\n",
        "result = m.predict_proba(data=X)",
        "result.shape == (90, 3)",
    ),
    Case(
        "xgboost-whole-numbers",
        XGB + "d = xgb.DMatrix(Xr, yr)\nb = xgb.DMatrix(X, y % 2)\n",
        "p = {'max_depth': 6.0, 'eta': 0.1}\nm = xgb.train(p, d, 2)",
        "p['max_depth'] == 6",
    ),
    Case(
        "xgboost-whole-numbers",
        XGB + "d = xgb.DMatrix(Xr, yr)\nb = xgb.DMatrix(X, y % 2)\ndepth = 4.8\n",
        "m = xgb.train({'max_depth': depth}, d, 2)",
        "m.num_boosted_rounds() == 2",
    ),
    Case(
        "xgboost-label-encoder",
        XGB,
        "from xgboost.sklearn import XGBLabelEncoder\n"
        "result = XGBLabelEncoder().fit_transform(['b', 'a'])",
        "result.tolist() == [1, 0]",
    ),
    Case(
        "xgboost-apply-ntree-limit",
        XGB + "m = XGBClassifier(n_estimators=2).fit(X, y)\n",
        "m.apply(X, ntree_limit=1)",
        fix=False,
    ),
    Case(
        "xgboost-train-positional",
        XGB + "d = xgb.DMatrix(Xr, yr)\nb = xgb.DMatrix(X, y % 2)\n",
        "ev = {}\nm = xgb.train({}, d, 5, [(d, 'v')], None, None, False, 3, ev, False)",
        "'v' in ev",
        also=("xgboost-feval",),
    ),
    Case(
        "xgboost-rabit",
        XGB,
        "xgb.rabit",
        fix=False,
    ),
    Case(
        "xgboost-feval",
        XGB + "d = xgb.DMatrix(Xr, yr)\nb = xgb.DMatrix(X, y % 2)\n",
        "result = xgb.cv({}, d, 2, nfold=2, feval=lambda p, t: ('m', 1.0))",
        "result['test-m-mean'].iloc[0] == 1",
    ),
]

SILENT: list[Case] = [
    Case(
        "xgboost-pin-depth",
        XGB,
        "m = xgb.XGBRegressor(n_estimators=5).fit(Xr, yr)\ntrees = m.get_booster().get_dump()\n"
        "deepest = max(row.count('\\t') for tree in trees for row in tree.splitlines())",
        "deepest == 3 and m.get_params()['learning_rate'] == 0.1",
    ),
    Case(
        "xgboost-pin-defaults",
        XGB,
        "m = xgb.XGBRegressor(n_estimators=5, max_depth=3).fit(Xr, yr)\nresult = m.get_params()",
        "result['tree_method'] == 'exact' and result['base_score'] == 0.5",
    ),
    Case(
        "xgboost-positional",
        XGB,
        "m = XGBClassifier(3, 0.1, 10).fit(X, y)",
        "m.max_depth == 3 and m.learning_rate == 0.1 and m.n_estimators == 10",
    ),
    Case(
        "xgboost-default-metric",
        XGB + "d = xgb.DMatrix(Xr, yr)\nb = xgb.DMatrix(X, y % 2)\n",
        "p = {'objective': 'binary:logistic', 'eta': 0.1}\n"
        "ev = {}\n"
        "m = xgb.train(p, b, 5, evals=[(b, 'v')], early_stopping_rounds=3, "
        "evals_result=ev, verbose_eval=False)",
        "list(ev['v']) == ['error']",
    ),
    Case(
        "xgboost-rank-objective",
        XGB,
        "result = xgb.XGBRanker().objective",
        "result == 'rank:pairwise'",
    ),
    Case(
        "xgboost-pin-train-defaults",
        XGB + "d = xgb.DMatrix(Xr, yr)\nb = xgb.DMatrix(X, y % 2)\n",
        "p = {\n"
        "    'eta': 0.1,\n"
        "    'max_depth': 3  # shallow\n"
        "}\n"
        "m = xgb.train(p, d, 1)\n"
        "result = m.predict(d)",
        "p.get('base_score') == 0.5 and p['tree_method'] == 'exact' and "
        "abs(result.mean() - 0.5) < abs(yr.mean())",
    ),
]
