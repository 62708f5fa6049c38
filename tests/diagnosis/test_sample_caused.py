"""Which errors of a rehearsal may come from the sample: by the words of real libraries."""

from __future__ import annotations

import pytest

from mle_modernizer_server.diagnosis.sample_caused import sample_caused
from mle_modernizer_server.domain.diagnosis import ErrorKind, Finding
from mle_modernizer_server.domain.execution import CellError
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


def doubts(ename: str, evalue: str, source: str = "f(x)") -> dict[str, str]:
    error = CellError(cell_id="c1", index=1, ename=ename, evalue=evalue, traceback=(), raised=True)
    found = [Finding(kind=ErrorKind.ROOT, error=error)]
    notebook = values.notebook("import os", source, "last = 5")
    return sample_caused(found, notebook, SAMPLE, lambda path: path == PICTURE)


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
