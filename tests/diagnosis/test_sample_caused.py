"""Which errors of a rehearsal may come from the sample: by the words of real libraries."""

from __future__ import annotations

import pytest

from mle_modernizer_server.code.training import shorten_training
from mle_modernizer_server.diagnosis.sample_caused import sample_caused
from mle_modernizer_server.domain.diagnosis import ErrorKind, Finding
from mle_modernizer_server.domain.execution import CellError
from mle_modernizer_server.domain.message import Messages
from mle_modernizer_server.domain.verification import Sample, SampledTable
from tests import values

SAMPLE = Sample(
    tables=(
        SampledTable(name="train.csv", rows=2_000, of=891_000),
        SampledTable(name="test.csv", rows=2_000, of=418_000),
    ),
    files_left_out=70,
)
PICTURE = "/kaggle/input/people/train/a.jpg"


def doubts(ename: str, evalue: str, source: str = "f(x)") -> dict[str, Messages]:
    error = CellError(cell_id="c1", index=1, ename=ename, evalue=evalue, traceback=(), raised=True)
    found = [Finding(kind=ErrorKind.ROOT, error=error)]
    notebook = values.notebook("import os", source, "last = 5")
    training = shorten_training([cell.source for cell in notebook.cells])
    return sample_caused(found, notebook, SAMPLE, lambda path: path == PICTURE, training)


@pytest.mark.parametrize(
    ("ename", "evalue", "source"),
    [
        ("ValueError", "n_splits=10 cannot be greater than the number of members", ""),
        ("ValueError", "Cannot have number of splits n_splits=5000 greater than the", ""),
        ("ValueError", "The least populated class in y has only 1 member, which is too few.", ""),
        ("ValueError", "Found array with 0 sample(s) while a minimum of 1 is required.", ""),
        ("ValueError", "With n_samples=0 the resulting train set will be empty.", ""),
        ("ValueError", "n_components=3000 must be between 0 and 2000", ""),
        ("ValueError", "Cannot take a larger sample than population when 'replace=False'", ""),
        ("ValueError", "y contains previously unseen labels: ['x']", ""),
        ("ValueError", "Found unknown categories ['z'] in column 0 during transform", ""),
        ("ValueError", "Only one class present in y_true.", ""),
        ("ZeroDivisionError", "division by zero", "total / len(rare)"),
        ("IndexError", "single positional indexer is out-of-bounds", "train.iloc[500_000]"),
        ("IndexError", "single positional indexer is out-of-bounds", "train.iloc[2000]"),
        ("IndexError", "index 800000 is out of bounds for axis 0 with size 2000", "values[800000]"),
        ("KeyError", "700000", "train.loc[700000]"),
        ("AssertionError", "", "assert len(train) == 891000"),
        ("ValueError", "cannot reshape array of size 2000", "x.reshape(891000, 1)"),
        ("ValueError", "Length of values (418000) does not match", "test['y'] = zeros(418000)"),
        ("ValueError", "operands could not be broadcast together", "x + ones(891000)"),
        ("FileNotFoundError", f"[Errno 2] No such file or directory: '{PICTURE}'", ""),
        ("error", "OpenCV error: (-215:Assertion failed) !_src.empty() in 'cvtColor'", ""),
    ],
)  # fmt: skip
def test_what_the_sample_may_cause(ename: str, evalue: str, source: str) -> None:
    assert list(doubts(ename, evalue, source or "f(x)")) == ["c1"]


@pytest.mark.parametrize(
    ("ename", "evalue", "source"),
    [
        ("AttributeError", "'DataFrame' object has no attribute 'append'", "a.append(b, 900000)"),
        ("TypeError", "f() got an unexpected keyword argument 'n_iter'", "f(n_iter=100000)"),
        ("ImportError", "cannot import name 'Imputer' from 'sklearn.preprocessing'", ""),
        ("ModuleNotFoundError", "No module named 'sklearn.cross_validation'", ""),
        ("NameError", "name 'xrange' is not defined", "xrange(891000)"),
        ("KeyError", "'Survived'", "train['Survived']"),
        ("IndexError", "list index out of range", "names[3]"),
        ("ValueError", "could not convert string to float: 'male'", "model.fit(x)"),
        ("ValueError", "Input X contains NaN.", "model.fit(x)"),
        ("ValueError", "Shape of passed values is (3, 1), indices imply (3, 2)", "f(3)"),
        ("FileNotFoundError", "[Errno 2] No such file or directory: 'mine/a.csv'", ""),
        ("AssertionError", "", "assert train.columns[0] == 'Id'"),
        ("ValueError", "Unable to coerce to Series, length must be 12: given 3", "f(12)"),
    ],
)
def test_what_is_the_notebooks_own(ename: str, evalue: str, source: str) -> None:
    assert doubts(ename, evalue, source or "f(x)") == {}


LOOP = "for epoch in range(40):\n    if epoch == 39:\n        best = 1\n"


@pytest.mark.parametrize(
    ("ename", "evalue", "source"),
    [
        ("NameError", "name 'best' is not defined", f"{LOOP}print(best)"),
        ("IndexError", "list index out of range", "m.fit(epochs=40)\nhistory['loss'][30]"),
        ("FileNotFoundError", "No such file: 'weights.39.h5'", "m.fit(epochs=40)\nload(39)"),
        (
            "ValueError",
            "x and y must have same first dimension, but have shapes (40,) and (2,)",
            "m.fit(epochs=40)\nplt.plot(range(40), losses)",
        ),
        (
            "ValueError",
            "Length of values (64) does not match length of index (900)",
            "for x in train_loader:\n    loss.backward()\ntable['p'] = seen",
        ),
        ("ValueError", "If steps_per_epoch is set, batch_size must be None", "f(x)"),
    ],
)
def test_errors_of_a_short_training_are_doubted(ename: str, evalue: str, source: str) -> None:
    sources = ("import keras\nm.fit(x, epochs=2)", source)
    assert "c1" in training_doubts(ename, evalue, *sources)


@pytest.mark.parametrize(
    ("ename", "evalue", "source"),
    [
        ("NameError", "name 'other' is not defined", f"{LOOP}print(other)"),
        ("KeyError", "'acc'", "m.fit(epochs=40)\nhistory['acc'][30]"),
        ("TypeError", "fit() got an unexpected keyword argument 'nb_epoch'", "m.fit(nb_epoch=40)"),
        ("FileNotFoundError", "[Errno 2] No such file: '/a/3/b.csv'", "m.fit(epochs=40)"),
        ("AttributeError", "no attribute 'predict_classes'", "m.fit(epochs=40)"),
    ],
)
def test_own_errors_beside_a_training_stay(ename: str, evalue: str, source: str) -> None:
    assert training_doubts(ename, evalue, "import keras", source) == {}


def training_doubts(ename: str, evalue: str, *sources: str) -> dict[str, Messages]:
    """Return the doubts about an error in the second cell if all data were used."""
    error = CellError(cell_id="c1", index=1, ename=ename, evalue=evalue, traceback=(), raised=True)
    found = [Finding(kind=ErrorKind.ROOT, error=error)]
    notebook = values.notebook(*sources)
    return sample_caused(found, notebook, Sample(), lambda _: False, shorten_training(sources))
