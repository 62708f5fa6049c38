"""The parts of a notebook and what they do; nothing runs."""

from __future__ import annotations

from mle_modernizer_server.code.pipeline.blocks import block_at, blocks, chosen_roles, corrected
from mle_modernizer_server.code.pipeline.pipeline import Pipeline
from mle_modernizer_server.domain.improvement import BlockRole, RoleChoice
from mle_modernizer_server.domain.notebook import Notebook
from tests.improving.sources import LOAD, SUBMIT, notebook


def roles(source: Notebook) -> list[tuple[int, str]]:
    """Cell and role of each block, imports aside."""
    found = blocks(Pipeline(source))
    return [(one.cell, one.role.value) for one in found if one.role is not BlockRole.IMPORTS]


def test_every_part_of_a_plain_notebook_has_its_role() -> None:
    source = notebook(
        LOAD,
        "train.head()\nprint(train.shape)",
        "train['a'] = train['a'].fillna(0)\ntest['a'] = test['a'].fillna(0)\n"
        "train['c'] = train['c'].map({'x': 0, 'y': 1})",
        "train['ab'] = train['a'] * train['b']\ntest['ab'] = test['a'] * test['b']\n"
        "features = ['a', 'b', 'ab']",
        "from sklearn.preprocessing import StandardScaler\nfrom sklearn.linear_model import Ridge\n"
        "from sklearn.svm import SVR\nscaler = StandardScaler()\n"
        "X = scaler.fit_transform(train[features])\nZ = scaler.transform(test[features])\n"
        "one, two = Ridge(), SVR()\none.fit(X, train['y'])\ntwo.fit(X, train['y'])",
        "p1 = one.predict(Z)\np2 = two.predict(Z)\npred = 0.7 * p1 + 0.3 * p2",
        "sub = pd.read_csv('../input/shop/sample_submission.csv')\nsub['y'] = pred\n"
        "sub.to_csv('submission.csv', index=False)",
    )
    assert roles(source) == [
        (1, "loading"),
        (2, "looking"),
        (3, "cleaning"),
        (3, "encoding"),
        (4, "features"),
        (4, "other"),
        (5, "features"),
        (5, "model"),
        (5, "training"),
        (6, "prediction"),
        (6, "blending"),
        (7, "submission"),
    ]


def test_corrected_role_applies_to_a_changed_notebook() -> None:
    source = notebook(LOAD, "train['c'] = train['c'].map({'x': 0})\ntrain.head()")
    found = blocks(Pipeline(source))
    shown = next(one for one in found if one.role is BlockRole.ENCODING)
    given = [
        RoleChoice(cell_id=shown.cell_id, text=shown.text, role=BlockRole.CLEANING),
        RoleChoice(cell_id="nowhere", text=shown.text, role=BlockRole.MODEL),
    ]
    mended = corrected(found, given)
    assert [one.role for one in mended if one.corrected] == [BlockRole.CLEANING]
    assert len(mended) == len(found)
    later = notebook(LOAD, "train['d'] = 1\ntrain['c'] = train['c'].map({'x': 0})\ntrain.head()")
    again = corrected(blocks(Pipeline(later)), chosen_roles(mended))
    assert [one.role.value for one in again if one.cell == 2] == ["features", "cleaning", "looking"]


def test_block_has_lines_and_its_relevance_to_the_submission() -> None:
    source = notebook(
        LOAD,
        "# shown\ntrain.describe()\n\ntest['y'] = (\n    train['y']\n    .mean()\n)",
        SUBMIT,
    )
    found = blocks(Pipeline(source))
    look, make = (one for one in found if one.cell == 2)
    assert (look.role, look.first, look.last, look.submitted) == (BlockRole.LOOKING, 2, 2, False)
    assert (make.role, make.first, make.last, make.submitted) == (BlockRole.FEATURES, 4, 7, True)
    assert make.text == "test['y'] = ("
    assert block_at(found, "c2", 6) == make
    assert block_at(found, "c2", 3) is None


def test_a_loop_is_one_block_with_the_strongest_role_in_it() -> None:
    loop = (
        "from sklearn.tree import DecisionTreeRegressor\n"
        "from sklearn.model_selection import KFold\n"
        "for a, b in KFold(5).split(train):\n    model = DecisionTreeRegressor()\n"
        "    model.fit(train.iloc[a][['a']], train.iloc[a]['y'])\n    print(a.shape)"
    )
    assert roles(notebook(LOAD, loop, SUBMIT))[1:] == [(2, "training"), (3, "submission")]


def test_what_is_no_python_is_left_out() -> None:
    assert roles(notebook("print 'old'", LOAD)) == [(2, "loading")]
    assert blocks(Pipeline(notebook(""))) == []
