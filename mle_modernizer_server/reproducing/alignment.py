"""A notebook's code against the requirements of the paper's method: static facts, no model.

A requirement that became a constant is met if code uses the constant, and it still has the
stated value; else the parameters that calls set are compared with the stated value.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from mle_modernizer_server.code.cell_syntax import parse_what_can_be_read
from mle_modernizer_server.code.experiment.parameters import parameters
from mle_modernizer_server.code.expressions import called_names, import_aliases, names_read
from mle_modernizer_server.code.ipython import literal_value
from mle_modernizer_server.code.written_values import assigned_texts, written_entries
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.paper import Statement
from mle_modernizer_server.domain.reproduction import (
    Alignment,
    AlignmentCode,
    Experiment,
    Parameter,
)
from mle_modernizer_server.fixing.integrity.equivalences import same_value
from mle_modernizer_server.reproducing.skeleton import RESULTS

_PARAMETERS: Mapping[str, tuple[str, ...]] = {
    "learning_rate": ("learning_rate",),
    "batch_size": ("batch_size",),
    "epochs": ("epochs", "n_estimators", "max_iter"),
    "hidden_size": ("units", "hidden_layer_sizes"),
    "activation": ("activation",),
    "optimiser": ("optimizer", "solver"),
    "dropout": ("dropout", "rate"),
    "loss": ("loss", "criterion", "objective"),
    "split": ("test_size", "train_size", "n_splits", "cv", "validation_split"),
    "weight_decay": ("alpha", "decay"),
    "seed": ("random_state",),
}
"""By requirement: the parameters of libraries that set it, by one name for all libraries."""
_NAMES: Mapping[str, tuple[tuple[str, str], ...]] = {
    "split": (
        (r"leave[- ]one[- ]out", r"LeaveOneOut"),
        (r"fold|cross[- ]valid", r"KFold|cross_val|GridSearchCV"),
        (r"", r"train_test_split|random_split|ShuffleSplit"),
    ),
    "preprocessing": (
        (r"standardi|z-score|normali|scaled|centered|whiten", r"Scaler|scale$|normali[sz]e|whiten"),
        (r"one-hot", r"OneHot|get_dummies|to_categorical"),
        (r"token|BPE|byte|wordpiece", r"[Tt]okeni[sz]er|tokeni[sz]e"),
        (r"resize|crop", r"[Rr]esize|[Cc]rop"),
    ),
    "architecture": (
        (r"stump|decision tree|CART", r"DecisionTree|AdaBoost"),
        (r"random forest", r"RandomForest"),
        (r"linear r", r"LinearRegression|Linear$"),
        (r"logistic", r"LogisticRegression"),
        (r"discriminant", r"DiscriminantAnalysis"),
        (r"nearest neighbou?r|k-?NN", r"KNeighbors|NearestNeighbors"),
        (r"SVM|support vector", r"SVC|SVR"),
        (r"MLP|perceptron|network", r"MLP|Linear$|Dense|Sequential"),
    ),
    "metric": (
        (r"accuracy", r"accuracy|score$"),
        (r"error|misclassif", r"error|zero_one_loss|accuracy|score$|mean$"),
        (r"F1", r"f1_score"),
        (r"AUC", r"auc"),
        (r"MSE|squared", r"mean_squared_error|mse_loss"),
        (r"MAE|absolute", r"mean_absolute_error|l1_loss"),
        (r"precision", r"precision"),
        (r"recall", r"recall"),
    ),
    "optimiser": ((r"(?P<name>AdamW|Adam|SGD|RMSprop|Adagrad|Adadelta|NAdam)", r"{name}"),),
    "activation": ((r"(?P<name>ReLU|GELU|ELU|tanh|sigmoid|SiLU|softplus)", r"(?i:{name})"),),
}
"""By requirement: patterns of a stated value and of the code names that implement it."""


@dataclass
class _Code:
    """Facts about a notebook's code.

    Attributes:
        constants: Values assigned to names at the top level of a cell, as Python writes them.
        uses: Code cells that read a name.
        set: Parameters that calls set: name, value, cell.
        called: Names that are called or imported, with their cell.
    """

    constants: dict[str, str] = field(default_factory=dict)
    uses: dict[str, set[int]] = field(default_factory=dict)
    set: list[tuple[str, str, int]] = field(default_factory=list)
    called: list[tuple[str, int]] = field(default_factory=list)


def align(experiment: Experiment, notebook: Notebook) -> tuple[Alignment, ...]:
    """Compare each requirement of an experiment with the notebook's code."""
    code = _read(notebook)
    return tuple(_aligned(one, code) for one in experiment.parameters)


def written_results(notebook: Notebook) -> frozenset[str]:
    """Return the claims whose result is a number in the code: nothing computes them."""
    cells = notebook.code_cells()
    return written_entries([parse_what_can_be_read(cell.source) for cell in cells], RESULTS)


def _read(notebook: Notebook) -> _Code:
    code = _Code()
    trees = [parse_what_can_be_read(cell.source) for cell in notebook.code_cells()]
    aliases = import_aliases(trees)
    for number, tree in enumerate(trees, start=1):
        code.constants |= assigned_texts(tree)
        for name in names_read(tree):
            code.uses.setdefault(name, set()).add(number)
        code.called += [(name, number) for name in called_names(tree, aliases)]
        code.set += [(name, value, number) for name, value, _ in parameters(tree, aliases)]
    return code


def _aligned(one: Parameter, code: _Code) -> Alignment:
    used = tuple(sorted(code.uses.get(one.name, ())))
    now = code.constants.get(one.name, "")
    if one.statement is not Statement.STATED:
        return Alignment(parameter=one, code=AlignmentCode.ASSUMED, found=now, cells=used)
    if used and one.value != "None":
        same = bool(now) and _is_same(one, now)
        met = AlignmentCode.MET if same else AlignmentCode.DIFFERS
        return Alignment(parameter=one, code=met, found=now, cells=used)
    return _by_facts(one, code) or Alignment(
        parameter=one,
        code=AlignmentCode.MISSING if _can_tell(one) else AlignmentCode.UNREADABLE,
        found=now if used else "",
        cells=used,
    )


def _is_same(one: Parameter, now: str) -> bool:
    if now.strip() == one.value or same_value(one.requirement, one.value, now):
        return True
    try:
        first, second = literal_value(now), literal_value(one.value)
        if isinstance(first, str) and isinstance(second, str):
            return first.casefold() == second.casefold()  # 'relu' is ReLU
        return bool(first == second)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return False


def _by_facts(one: Parameter, code: _Code) -> Alignment | None:
    """Compare the names and parameters of calls with the requirement; None if they show nothing."""
    named = _named(one, code)
    if named:
        return Alignment(
            parameter=one,
            code=AlignmentCode.MET,
            found=", ".join(dict.fromkeys(name for name, _ in named))[:200],
            cells=tuple(sorted({cell for _, cell in named})),
        )
    names = _PARAMETERS.get(one.requirement, ())
    # The constant of that name itself is no evidence, unless a call takes it.
    given = [(value, cell) for name, value, cell in code.set if name in names and value != "…"]
    given = [(value, cell) for value, cell in given if (one.name, cell) not in _own(one, code)]
    if not given or one.value == "None":
        return None
    same = [(value, cell) for value, cell in given if _is_same(one, value)]
    told = same or given
    return Alignment(
        parameter=one,
        code=AlignmentCode.MET if same else AlignmentCode.DIFFERS,
        found=", ".join(dict.fromkeys(value for value, _ in told))[:200],
        cells=tuple(sorted({cell for _, cell in told})),
    )


def _own(one: Parameter, code: _Code) -> Sequence[tuple[str, int]]:
    """Return the cell that assigns the constant its value, which no call made."""
    return [(one.name, 1)] if one.name in code.constants else []


def _named(one: Parameter, code: _Code) -> list[tuple[str, int]]:
    for stated, pattern in _NAMES.get(one.requirement, ()):
        match = re.search(stated, one.stated, re.IGNORECASE)
        if not one.stated or match is None:
            continue
        names = {key: re.escape(value) for key, value in match.groupdict().items()}
        wanted = re.compile(pattern.format(**names) if names else pattern)
        found = [(name.rpartition(".")[2], cell) for name, cell in code.called]
        return [(name, cell) for name, cell in found if name and wanted.search(name)]
    return []


def _can_tell(one: Parameter) -> bool:
    """Return whether the code patterns can detect the stated value."""
    if not one.stated:
        return False
    if one.value != "None" and one.requirement in _PARAMETERS:
        return True
    return any(
        re.search(stated, one.stated, re.IGNORECASE)
        for stated, _ in _NAMES.get(one.requirement, ())
    )
