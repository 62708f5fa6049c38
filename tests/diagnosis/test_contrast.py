"""What a run of today gives otherwise than one in the libraries of the notebook's time."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
import pandas as pd
import pytest

from mle_modernizer_server.code.slices import changed_names
from mle_modernizer_server.diagnosis.contrast import (
    RunLeft,
    contrast,
    same_value,
    unsteady_values,
)
from mle_modernizer_server.domain.era import ContrastKind, OwnTimeContrast
from mle_modernizer_server.domain.execution import CellError, CellStatus, Execution
from mle_modernizer_server.domain.notebook import with_ids_of
from mle_modernizer_server.execution.kernel.inside.digest import values_of_names
from tests import values

Space = Mapping[str, object]


def left(*cells: Space, printed: tuple[str, ...] = ()) -> RunLeft:
    """What cells leave that bind these variables."""
    facts = {
        f"c{place}": values_of_names(dict(cell), list(cell), 400, 60)
        for place, cell in enumerate(cells)
    }
    outputs = {
        f"c{place}": ({"output_type": "stream", "name": "stdout", "text": text},)
        for place, text in enumerate(printed)
    }
    return RunLeft(facts, outputs)


def ran(count: int, *failed: int) -> Execution:
    statuses = [CellStatus.ERROR if place in failed else CellStatus.OK for place in range(count)]
    errors = [
        CellError(
            cell_id=f"c{place}",
            index=place,
            ename="TypeError",
            evalue="no",
            traceback=(),
            raised=True,
        )
        for place in failed
    ]
    return values.execution(*statuses).model_copy(update={"errors": tuple(errors)})


def compared(then: RunLeft, now: RunLeft, *failed: int) -> OwnTimeContrast:
    notebook = values.notebook(*("x" for _ in then.values))
    return contrast(notebook, ran(len(then.values), *failed), then, now)


def frame(**columns: object) -> pd.DataFrame:
    return pd.DataFrame(columns)


def test_the_first_cell_with_other_values_is_told_with_both() -> None:
    table = frame(age=[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0], name=list("abcdefg"))
    other = table.assign(age=table["age"].where(table["age"] < 7, math.nan))
    found = compared(
        left({"t": table}, {"u": table}, {"n": 3}), left({"t": table}, {"u": other}, {"n": 4})
    )
    assert (found.compared, found.agreeing) == (3, 1)
    first = found.first
    assert first is not None and (first.ordinal, first.kind) == (2, ContrastKind.VALUES)
    said = {one.name: (one.then, one.now) for one in first.values}
    assert said["u['age'] NaN"] == ("0", "1")
    assert "u['age'] fingerprint" not in said, "what can be read tells it better"


def test_fingerprint_detects_a_value_behind_the_first_ones() -> None:
    numbers = np.arange(100.0)
    swapped = numbers.copy()
    swapped[[50, 60]] = swapped[[60, 50]]
    found = compared(left({"x": numbers}), left({"x": swapped}))
    assert found.first is not None
    assert [one.name for one in found.first.values] == ["x fingerprint"]
    words = pd.Series(["a"] * 10 + ["b"])
    changed = pd.Series(["a"] * 10 + ["c"])
    assert compared(left({"s": words}), left({"s": changed})).first is not None


def test_last_digits_and_storage_of_text_and_times_are_ignored() -> None:
    numbers = np.arange(1.0, 9.0)
    assert compared(left({"x": numbers}), left({"x": numbers * (1 + 1e-12)})).cells == ()
    assert same_value("s dtype", "object", "str")
    assert same_value("s dtype", "object", "string[python]")
    assert same_value("s dtype", "datetime64[ns]", "datetime64[us]")
    assert not same_value("s dtype", "datetime64[ns]", "datetime64[ns, UTC]")
    assert not same_value("s dtype", "uint8", "bool")
    assert not same_value("s mean", "1.5", "1.51")
    assert not same_value("s length", "10", "11")


class Forest:
    """Looks like an estimator of scikit-learn."""

    def __init__(self, trees: object, learned: float = 0.5) -> None:
        self.trees = trees
        self.score_ = learned
        self.fit_time_ = id(self)

    def get_params(self, deep: bool) -> dict[str, object]:
        return {"trees": self.trees}


def test_other_settings_alone_are_no_other_result() -> None:
    found = compared(left({"f": Forest(10)}), left({"f": Forest(100)}))
    assert found.first is not None and found.first.kind is ContrastKind.SETTINGS
    assert found.agreeing == 1
    learned = compared(left({"f": Forest(10)}), left({"f": Forest(100, 0.7)})).first
    assert learned is not None and learned.kind is ContrastKind.VALUES
    assert [one.name for one in learned.values] == ["f learned score_", "f.trees"]
    assert compared(left({"f": Forest("deprecated")}), left({"f": Forest(1)})).cells == ()
    later = compared(left({"f": Forest(10)}, {"n": 1}), left({"f": Forest(100)}, {"n": 2}))
    assert later.first is not None and later.first.ordinal == 2, "a result goes before settings"


def test_what_is_printed_counts_where_values_are_the_same() -> None:
    found = compared(left({"n": 1}, printed=("0.81\n",)), left({"n": 1}, printed=("0.79\n",)))
    assert found.first is not None and found.first.kind is ContrastKind.PRINTED
    assert found.first.output is not None
    assert (found.first.output.saved, found.first.output.fresh) == ("0.81", "0.79")


def test_cell_failing_today_is_named_one_failing_then_is_skipped() -> None:
    then = left({"n": 1}, {"m": 1})
    found = compared(then, RunLeft({"c0": then.values["c0"]}, {}), 1)
    assert found.first is not None
    assert (found.first.kind, found.first.error) == (ContrastKind.FAILS, "TypeError: no")
    assert compared(RunLeft({}, {}), then).compared == 0


def test_what_differs_from_run_to_run_today_is_not_compared() -> None:
    before, notebook = values.notebook("a", "b"), values.notebook("a", "c")
    one, other = left({"r": 0.1, "n": 1}, {"m": 1}), left({"r": 0.2, "n": 1}, {"m": 2})
    moving = unsteady_values(before, notebook, one.values, other.values)
    assert moving == {"c0": ("r",)}, "the second cell is another one, so it may differ"
    now = RunLeft(other.values, {}, moving)
    found = contrast(notebook, ran(2), left({"r": 0.3, "n": 1}, {"m": 2}), now)
    assert (found.cells, found.unsteady) == ((), 1)


def test_hostile_values_and_bounds() -> None:
    class Bad:
        def get_params(self, deep: bool) -> dict[str, object]:
            raise RuntimeError

        @property
        def shape(self) -> tuple[int, ...]:
            raise ValueError

    space = {"bad": Bad(), "wide": pd.DataFrame(np.zeros((2, 500))), "deep": [[[1]]] * 10}
    facts = values_of_names(space, ["gone", *space], 50, 60)
    assert len(facts) == 50
    assert facts[0] == ("bad", "not told (RuntimeError)")
    assert values_of_names(space, list(space), 50, -1) == [], "the time is over"


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("x = 1\ny, z = 2, 3", {"x", "y", "z"}),
        ("df['a'] = 1\nmodel.fit(x)\nprint(q)", {"df", "model"}),
        ("for t in [train, test]:\n    t['a'] = 1", {"train", "test", "t"}),
        ("print 'Python 2'", set()),
    ],
)
def test_the_names_a_cell_binds_or_changes(source: str, names: set[str]) -> None:
    assert names <= set(changed_names(source))
    assert "q" not in changed_names(source)


def test_cells_of_files_without_ids_are_told_by_source_and_place() -> None:
    original = values.notebook("import a", "x = 1", "y = 2", "print(x)")
    changed = values.notebook("import a", "x = 10", "y = 2", "new = 3", "print(x)")
    named = (cell.model_copy(update={"id": f"other{n}"}) for n, cell in enumerate(changed.cells))
    found = with_ids_of(original, changed.model_copy(update={"cells": tuple(named)}))
    assert [cell.id for cell in found.cells] == ["c0", "c1", "c2", "other3", "c3"]
