"""An `Experiment` → a notebook with fixed sections that runs unchanged, to be filled in.

No cell contains a claimed number: the code must not be written towards it. The caller that writes
the file stores the claims in the notebook's metadata.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from mle_modernizer_server.domain.notebook import Cell, CellType, Notebook
from mle_modernizer_server.domain.paper import Statement, Topic
from mle_modernizer_server.domain.reproduction import ExpectedClaim, Experiment, Parameter
from mle_modernizer_server.reproducing.claims.vocabulary import metrics_in
from mle_modernizer_server.reproducing.hidden import HiddenNumbers, as_markdown

RESULTS = "results"
"""The variable that holds the results, and the prefix of their printed line."""
_FILE = Path(__file__).with_name("datasets.yaml")
_SHARES = frozenset(["accuracy", "error", "F1", "precision", "recall", "specificity", "AUC", "mAP"])
_STATED = {
    Statement.STATED: "stated",
    Statement.CITED: "from a cited work; this value is an assumption",
    Statement.NOT_STATED: "not stated: an assumption",
}
_DATA_HEAD = """\
import random

import numpy as np

random.seed(SEED)
np.random.seed(SEED)
"""
_NO_DATA = """\
# Load the paper's data: rows (or batches) in X, what is to be predicted in y.
X = y = None"""
_METHOD = '''\
def make_model():
    """Return an untrained model as the paper describes it; None until that is written."""
    return None'''
_SHAPES = """\
def take(values, rows):
    return values.iloc[rows] if hasattr(values, "iloc") else values[rows]


for name, values in (("X", X), ("y", y)):
    print(name, "is not there yet" if values is None else f"has the shape {np.shape(values)}")
if X is not None and y is not None:
    assert len(X) == len(y), f"{len(X)} rows, but {len(y)} targets"
model = make_model()
if X is None or y is None or not hasattr(model, "fit"):
    print("The method was not tried on a sampled batch: there is no data, or no model with `fit`.")
else:
    rows = np.random.default_rng(SEED).permutation(len(X))[:64]
    answers = model.fit(take(X, rows), take(y, rows)).predict(take(X, rows))
    assert len(answers) == len(rows), f"{len(rows)} rows in, {len(answers)} predictions out"
    print(f"On a batch of {len(rows)} rows: predictions {np.shape(answers)}")"""
_TRAINING = """\
# Train here, with the parameters of the first cell.
fitted = None"""
_CLAIMS = f"""\
import json

for name, value in {RESULTS}.items():
    print(f"{{name:>14}}  {{'not computed' if value is None else value}}")
computed = {{
    name: None if value is None else float(value) for name, value in {RESULTS}.items()
}}
print("{RESULTS} =", json.dumps(computed))"""


def skeleton(experiment: Experiment) -> Notebook:
    """Return the notebook of an experiment; it runs without errors, but computes nothing yet."""
    hide = HiddenNumbers(one.claim for one in experiment.claims)
    of_model = (Topic.MODEL,)
    parts: list[tuple[str, str, str]] = [
        ("assumptions", _assumptions_text(), _assumptions(experiment, hide)),
        ("data", _section("Data", experiment, (Topic.DATA,), hide), _data(experiment)),
        ("method", _section("Method", experiment, of_model, hide), _METHOD),
        ("shape-checks", "## Shape checks\n\nOn a sampled batch, before the whole.", _SHAPES),
        ("training", _section("Training", experiment, (Topic.TRAINING,), hide), _TRAINING),
        (
            "evaluation",
            _section("Evaluation", experiment, (Topic.EVALUATION,), hide),
            _evaluation(experiment, hide),
        ),
        ("claims", _claims_text(experiment, hide), _CLAIMS),
    ]
    cells = [Cell(id="title", type=CellType.MARKDOWN, source=_title(experiment, hide))]
    for name, text, code in parts:
        cells.append(Cell(id=f"{name}-text", type=CellType.MARKDOWN, source=text))
        cells.append(Cell(id=name, type=CellType.CODE, source=code))
    return Notebook(cells=tuple(cells))


def _title(experiment: Experiment, hide: HiddenNumbers) -> str:
    title = hide.markdown(experiment.title) or "a paper"
    return (
        f"# Reproducing: {title}\n\n"
        f"Source: {hide.markdown(experiment.source)} (SHA-256 {experiment.checksum[:12]}), read by "
        "rules. Each section is to be filled in; the notebook runs as it is.\n\n"
        "The numbers that the paper claims are in none of these cells, so that no code is written "
        "towards them: they are in the notebook's metadata, where "
        "`jupyter modernize paper --check` compares them with what is computed."
    )


def _assumptions_text() -> str:
    return (
        "## Assumptions\n\n"
        "All parameters stand here, and nowhere else: what the paper states with its place, and "
        "what it does not state as an assumption with a name. Use the names in the cells below."
    )


def _assumptions(experiment: Experiment, hide: HiddenNumbers) -> str:
    return "\n".join(
        f"{one.name} = {one.value}  # {_note(one, hide)}" for one in experiment.parameters
    )


def _note(one: Parameter, hide: HiddenNumbers) -> str:
    note = _STATED[one.statement]
    if one.statement is Statement.STATED and one.value == "None":
        note = "stated, but not as a value that rules read: look there"
    elif one.statement is Statement.CITED and one.stated:
        note = "from a cited work"
    elif one.value == "None" and one.statement is Statement.NOT_STATED:
        note = "not stated: none is assumed"
    return f"{note} ({hide.plain(one.where)})" if one.where else note


def _section(
    title: str, experiment: Experiment, topics: tuple[Topic, ...], hide: HiddenNumbers
) -> str:
    """Return a heading, and the paper's requirements for that section."""
    lines = [f"## {title}"]
    items = []
    for one in experiment.parameters:
        if one.topic in topics:
            name = one.requirement.replace("_", " ")
            stated = f" {hide.markdown(one.stated)}" if one.stated else ""
            items.append(f"- **{name}**:{stated} ({_markdown_note(one, hide)}) `{one.name}`")
    return "\n".join([*lines, "", *items] if items else lines)


def _markdown_note(one: Parameter, hide: HiddenNumbers) -> str:
    word = {Statement.STATED: "stated", Statement.CITED: "from a cited work"}
    note = word.get(one.statement, "not stated")
    return f"{note}, {hide.markdown(one.where)}" if one.where else note


@cache
def _datasets() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = yaml.safe_load(_FILE.read_text("utf-8"))
    return found


def _data(experiment: Experiment) -> str:
    """Return the cell that loads the data, if an installed library includes them."""
    named = [expected.claim.dataset for expected in experiment.claims]
    named.append(experiment.title)
    for one in experiment.parameters:
        if one.requirement == "data_set":
            named += [one.stated, one.quote]
    for text in named:
        for entry in _datasets().values():
            if any(re.search(pattern, text, re.IGNORECASE) for pattern in entry["names"]):
                return f"{_DATA_HEAD}\n# {entry['note']}: an assumption\n{entry['code']}"
    return f"{_DATA_HEAD}\n{_NO_DATA}"


def _label(expected: ExpectedClaim, hide: HiddenNumbers) -> list[str]:
    claim = expected.claim
    kinds = {metric.kind for metric in metrics_in(claim.metric)}
    percent = claim.percent or (bool(kinds & _SHARES) and 1 < claim.value <= 100)
    metric = f"{claim.metric or 'metric?'}{' in percent' if percent else ''}"
    texts = [claim.dataset or "data set?", claim.method or "method?", metric, expected.where]
    return [hide.plain(text, 100) for text in texts]


def _evaluation(experiment: Experiment, hide: HiddenNumbers) -> str:
    lines = [
        "# One entry a claim, as the paper counts it; None: not computed.",
        f"{RESULTS} = {{",
    ]
    for expected in experiment.claims:
        lines.append(f"    # {' | '.join(_label(expected, hide))}")
        lines.append(f"    {expected.claim.id!r}: None,".replace("'", '"'))
    return "\n".join([*lines, "}"])


def _claims_text(experiment: Experiment, hide: HiddenNumbers) -> str:
    lines = [
        "## Claims",
        "",
        "The cell hands the results over: its last line is what the check reads.",
        "",
        "| claim | data set | method | metric | place |",
        "|---|---|---|---|---|",
    ]
    for expected in experiment.claims:
        cells = [as_markdown(text) for text in _label(expected, hide)]
        lines.append(f"| {expected.claim.id} | {' | '.join(cells)} |")
    return "\n".join(lines)
