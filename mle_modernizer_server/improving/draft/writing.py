"""Writes the notebook of a task: short cells, each with its purpose."""

from __future__ import annotations

from mle_modernizer_server.domain.competition import Metric, Task
from mle_modernizer_server.domain.notebook import Cell, CellType, Notebook
from mle_modernizer_server.grading.metric_facts import FACTS
from mle_modernizer_server.improving.draft.task import ColumnType, DraftTask

_SCORERS = {
    Metric.ACCURACY: "accuracy",
    Metric.BALANCED_ACCURACY: "balanced_accuracy",
    Metric.MACRO_F1: "f1_macro",
    Metric.MICRO_F1: "f1_micro",
    Metric.WEIGHTED_F1: "f1_weighted",
    Metric.MCC: "matthews_corrcoef",
    Metric.ROC_AUC: "roc_auc",
    Metric.GINI: "roc_auc",
    Metric.AVERAGE_PRECISION: "average_precision",
    Metric.LOG_LOSS: "neg_log_loss",
    Metric.BRIER: "neg_brier_score",
    Metric.RMSE: "neg_root_mean_squared_error",
    Metric.MSE: "neg_mean_squared_error",
    Metric.RMSLE: "neg_root_mean_squared_log_error",
    Metric.MAE: "neg_mean_absolute_error",
    Metric.MEDIAN_ABSOLUTE_ERROR: "neg_median_absolute_error",
    Metric.MAPE: "neg_mean_absolute_percentage_error",
    Metric.R2: "r2",
}
"""scikit-learn's scorer of a metric; the nearest one if it has none."""
_RATIOS = frozenset({Metric.RMSLE, Metric.RMSPE, Metric.MAPE, Metric.SMAPE})
_ABSOLUTE = frozenset({Metric.MAE, Metric.MEDIAN_ABSOLUTE_ERROR})
FOLDS = 5


def write_draft(task: DraftTask) -> Notebook:
    """Return the notebook; it reads `../input/<slug>` and writes `submission.csv`."""
    cells = (
        (CellType.MARKDOWN, _title(task)),
        (CellType.CODE, _loading(task)),
        (CellType.MARKDOWN, "## A look at the data"),
        (CellType.CODE, "train.head()"),
        (CellType.CODE, _looking(task)),
        (CellType.MARKDOWN, "## Features"),
        (CellType.CODE, _features(task)),
        (CellType.MARKDOWN, _model_text(task)),
        (CellType.CODE, _model(task)),
        (CellType.CODE, _validation(task)),
        (CellType.MARKDOWN, "## Submission"),
        (CellType.CODE, _submission(task)),
    )
    return Notebook(
        cells=tuple(
            Cell(id=f"draft-{number}", type=kind, source=source)
            for number, (kind, source) in enumerate(cells, start=1)
        )
    )


def _title(task: DraftTask) -> str:
    better = "higher" if FACTS[task.metric].higher_is_better else "lower"
    truths = ", ".join(f"`{name}`" for name in task.truths)
    name = " ".join(task.title.split())[:200]
    return (
        f"# {name}\n\nPredicts {truths} ({task.kind.value}); scored by "
        f"{FACTS[task.metric].title}, {better} is better."
    )


def _read(task: DraftTask, name: str, more: str = "") -> str:
    separator = task.separators.get(name)
    sep = "" if separator is None else f", sep={separator!r}"
    return f"pd.read_csv(DATA / {name!r}{sep}{more})"


def _loading(task: DraftTask) -> str:
    ids = "" if task.same_order else f", dtype={{{task.ids[0]!r}: str}}"
    return (
        "from pathlib import Path\n\nimport pandas as pd\n\n"
        f"DATA = Path({f'../input/{task.competition}'!r})\n"
        f"train = {_read(task, task.train)}\ntest = {_read(task, task.test, ids)}\n"
        "# As text, so that the ids are written as they stand there.\n"
        f"sample = {_read(task, task.sample, ', dtype=str')}\n"
        "print(train.shape, test.shape, sample.shape)"
    )


def _looking(task: DraftTask) -> str:
    target = f"train[{task.truths[0]!r}]"
    shown = ".describe()" if task.kind is Task.REGRESSION else ".value_counts(normalize=True)"
    return (
        "overview = pd.DataFrame({\n    'type': train.dtypes.astype(str),\n"
        "    'missing': train.isna().mean(),\n    'different': train.nunique(),\n})\n"
        f"print({target}{shown})\noverview"
    )


def _features(task: DraftTask) -> str:
    numbers, categories = task.of(ColumnType.NUMBER), task.of(ColumnType.CATEGORY)
    dates, texts = task.of(ColumnType.DATE), task.of(ColumnType.TEXT)
    lines = [f"NUMBERS = {numbers!r}", f"CATEGORIES = {categories!r}"]
    body = ["    found = frame[NUMBERS].copy()"]
    if categories:
        body.append("    found[CATEGORIES] = frame[CATEGORIES].astype(str)")
    if dates:
        lines.append(f"DATES = {dates!r}")
        body += [
            "    for name in DATES:",
            "        # In UTC: clocks of several zones are not compared as they stand.",
            "        date = pd.to_datetime(frame[name], errors='coerce', utc=True)",
            "        found[f'{name}_year'] = date.dt.year",
            "        found[f'{name}_month'] = date.dt.month",
            "        found[f'{name}_weekday'] = date.dt.dayofweek",
            "        found[f'{name}_hour'] = date.dt.hour",
            "        found[f'{name}_days'] = (date - pd.Timestamp('2000-01-01', tz='UTC')).dt.days",
        ]
    if texts:
        lines.append(f"TEXTS = {texts!r}")
        body += [
            "    found[TEXTS] = frame[TEXTS].fillna('').astype(str)",
            "    for name in TEXTS:",
            "        found[f'{name}_length'] = found[name].str.len()",
        ]
    body.append("    return found")
    left = [*task.of(ColumnType.NAME), *task.of(ColumnType.EMPTY)]
    if left:
        names = ", ".join(map(repr, left))
        lines.append(f"# Left out, because nothing can be learned of them as they are: {names}.")
    return (
        "\n".join(lines)
        + '\n\n\ndef features(frame):\n    """The columns that the model sees."""\n'
        + "\n".join(body)
        + "\n\n\nX, X_test = features(train), features(test)\nX.shape"
    )


def _is_of_text(task: DraftTask) -> bool:
    """Return whether text is the only feature."""
    others = (ColumnType.NUMBER, ColumnType.CATEGORY, ColumnType.DATE)
    return not any(task.of(kind) for kind in others)


def _model_text(task: DraftTask) -> str:
    if _is_of_text(task):
        return "## Model\n\nA linear model on TF-IDF: quick, and hard to beat on short texts."
    text = (
        "## Model\n\nGradient boosting on histograms takes numbers as they are, missing ones too, "
        "and categories by their number."
    )
    if task.of(ColumnType.TEXT):
        text += " Of the texts it gets the leading components of TF-IDF."
    if _has_log_target(task):
        text += " It learns the logarithm of the target, because the metric looks at ratios."
    return text


def _has_log_target(task: DraftTask) -> bool:
    return task.kind is Task.REGRESSION and task.metric in _RATIOS


def _model(task: DraftTask) -> str:
    regression = task.kind is Task.REGRESSION
    texts, categories = task.of(ColumnType.TEXT), task.of(ColumnType.CATEGORY)
    imports = ["from sklearn.compose import make_column_transformer"]
    steps: list[str] = []
    if categories:
        imports.append("from sklearn.preprocessing import OrdinalEncoder")
        steps.append(
            "    (\n        OrdinalEncoder(\n            handle_unknown='use_encoded_value',\n"
            "            unknown_value=-1,\n            max_categories=200,\n        ),\n"
            "        CATEGORIES,\n    ),"
        )
    if texts:
        imports.append("from sklearn.feature_extraction.text import TfidfVectorizer")
    if _is_of_text(task):
        steps += [
            f"    (TfidfVectorizer(min_df=2, ngram_range=(1, 2), sublinear_tf=True), {name!r}),"
            for name in texts
        ]
        rest = ", remainder='drop'"
        name = "Ridge" if regression else "LogisticRegression"
        imports.append(f"from sklearn.linear_model import {name}")
        estimator = "Ridge()" if regression else "LogisticRegression(C=10, max_iter=1000)"
    else:
        if texts:
            imports.append("from sklearn.decomposition import TruncatedSVD")
            steps += [
                "    (\n        make_pipeline(\n"
                "            TfidfVectorizer(min_df=2, max_features=20_000),\n"
                f"            TruncatedSVD(20, random_state=0),\n        ),\n        {name!r},\n"
                "    ),"
                for name in texts
            ]
        rest = ", remainder='passthrough'"
        name = f"HistGradientBoosting{'Regressor' if regression else 'Classifier'}"
        imports.append(f"from sklearn.ensemble import {name}")
        given = ["random_state=0"]
        if regression and task.metric in _ABSOLUTE:
            given.insert(0, "loss='absolute_error'")
        if categories:
            given.insert(0, "categorical_features=list(range(len(CATEGORIES)))")
        estimator = f"{name}({', '.join(given)})"
    imports.append("from sklearn.pipeline import make_pipeline")
    parts = f"[\n{chr(10).join(steps)}\n]" if steps else "[]"
    columns = f"COLUMNS = {parts}\n" if steps else ""
    inside = f"make_column_transformer(*COLUMNS{rest}), " if steps else ""
    if not steps:
        imports = [line for line in imports if "compose" not in line]
    pipeline = f"make_pipeline({inside}{estimator})"
    if _has_log_target(task):
        imports += ["import numpy as np", "from sklearn.compose import TransformedTargetRegressor"]
        pipeline = (
            f"TransformedTargetRegressor(\n    {pipeline},\n    func=np.log1p,\n"
            "    inverse_func=np.expm1,\n)"
        )
    imports.sort()
    return "\n".join(imports) + f"\n\n{columns}model = {pipeline}\nmodel"


def _validation(task: DraftTask) -> str:
    stratified = task.kind is not Task.REGRESSION and len(task.truths) == 1
    folds = "StratifiedKFold" if stratified else "KFold"
    scorer = _SCORERS.get(task.metric, "r2" if task.kind is Task.REGRESSION else "accuracy")
    if stratified and task.smallest_class < FOLDS and scorer == "neg_log_loss":
        scorer = "accuracy"  # a fold may lack a class
    shown = scorer.removeprefix("neg_").replace("_", " ")
    sign = "-" if scorer.startswith("neg_") else ""
    truth = f"train[{task.truths[0]!r}]" if len(task.truths) == 1 else "train[name]"
    head = (
        f"from sklearn.model_selection import {folds}, cross_val_score\n\n"
        f"folds = {folds}({FOLDS}, shuffle=True, random_state=0)\n"
    )
    score = f"{sign}cross_val_score(model, X, {truth}, cv=folds, scoring={scorer!r})"
    if len(task.truths) == 1:
        return (
            f"{head}scores = {score}\n"
            f"print(f'{shown}: {{scores.mean():.4f}} ± {{scores.std():.4f}} over {FOLDS} folds')"
        )
    return (
        f"{head}for name in {list(task.truths)!r}:\n    scores = {score}\n"
        f"    print(f'{{name}}: {shown} {{scores.mean():.4f}} ± {{scores.std():.4f}}')"
    )


def _submission(task: DraftTask) -> str:
    lines = ["submission = sample.copy()"]
    if len(task.truths) > 1:
        lines.append(f"for target, truth in {list(zip(task.targets, task.truths, strict=True))!r}:")
        lines.append("    model.fit(X, train[truth])")
        lines += [f"    {line}" for line in _predicted(task, "target")]
    else:
        lines.append(f"model.fit(X, train[{task.truths[0]!r}])")
        lines += _predicted(task, repr(task.targets[0]))
    lines += ["submission.to_csv('submission.csv', index=False)", "submission.head()"]
    return "\n".join(lines)


def _predicted(task: DraftTask, target: str) -> list[str]:
    if task.class_columns:
        # A column each, in the order of the sample's columns.
        lines = [
            "predicted = pd.DataFrame(model.predict_proba(X_test))",
            f"predicted.columns = [{_class_name(task)} for name in model.classes_]",
        ]
        if task.class_names:
            lines.insert(0, f"CLASS_COLUMNS = {task.class_names!r}")
        columns = f"{list(task.targets)!r}"
        lines.append(f"predicted = predicted.reindex(columns={columns}, fill_value=0.0)")
        if not task.same_order:
            lines.append(f"predicted.index = test[{task.ids[0]!r}]")
            lines.append(f"predicted = predicted.loc[submission[{task.ids[0]!r}]]")
        lines.append(f"submission[{columns}] = predicted.to_numpy()")
        return lines
    asked = "predict_proba(X_test)[:, 1]" if task.probabilities else "predict(X_test)"
    lines = [f"predicted = model.{asked}"]
    if task.kind is Task.REGRESSION and (task.lowest is not None or task.highest is not None):
        lines.append(f"predicted = predicted.clip({task.lowest!r}, {task.highest!r})")
    elif _has_log_target(task):
        lines.append("predicted = predicted.clip(0, None)")
    if task.same_order:
        return [*lines, f"submission[{target}] = predicted"]
    by_id = f"pd.Series(predicted, index=test[{task.ids[0]!r}])"
    return [*lines, f"submission[{target}] = submission[{task.ids[0]!r}].map({by_id})"]


def _class_name(task: DraftTask) -> str:
    """Return the sample's column of a class, as code."""
    return "CLASS_COLUMNS[str(name)]" if task.class_names else "str(name)"
