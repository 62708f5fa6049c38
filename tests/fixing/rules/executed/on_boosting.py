from __future__ import annotations

from tests.fixing.rules.executed.case import LGB, XGB, Case

LOUD: list[Case] = [
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
    Case("lightgbm-dataset-silent", LGB, "lgb.Dataset(X, y, silent=True)"),
    Case(
        "xgboost-show-progress",
        XGB + "d = xgb.DMatrix(Xr, yr)\n",
        "xgb.cv({}, d, 2, nfold=2, show_progress=False)",
    ),
    Case(
        "lightgbm-cv-keys",
        LGB + "r = lgb.cv(p, d, 3, nfold=2)\n",
        "result = r['auc-mean']",
        "len(result) == 3",
    ),
]

SILENT: list[Case] = [
    Case(
        "xgboost-pin-defaults",
        "from xgboost import XGBRegressor",
        "result = XGBRegressor(n_estimators=50).max_depth",
        "result == 3",
    ),
]
