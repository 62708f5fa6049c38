"""Cheats are refused or held, faithful edits pass: what the data say, one by one."""

from __future__ import annotations

import pytest

from mle_modernizer_server.domain.competition import Competition
from mle_modernizer_server.domain.proposal import IntegritySeverity, Meaning
from mle_modernizer_server.fixing.integrity import check_patch, judge_edits, with_meanings
from mle_modernizer_server.fixing.integrity.experiment_changes import changes_over_cells
from mle_modernizer_server.words import text
from tests.fixing.integrity.corpus import (
    HELD_OUT,
    ONLY_RUNS,
    Example,
    cheats,
    edit,
    faithful,
    held_out_cheats,
    held_out_faithful,
    names_of_cheats,
    notebook_of,
    targets_of,
)
from tests.fixing.llm.material import COMPETITION

FALSE_ALARMS = 0.02


def competition(example: Example) -> Competition:
    return COMPETITION.model_copy(update={"target_columns": tuple(targets_of(example))})


def is_held(example: Example) -> bool:
    judged = with_meanings(example.notebook, example.edits)
    return any(edit.meaning is Meaning.EXPERIMENT for edit in judged)


def test_the_corpus_is_large_enough_to_say_something() -> None:
    assert len(cheats()) >= 200
    assert len(faithful()) >= 170
    assert len(set(names_of_cheats())) == len(cheats())
    for part in HELD_OUT:
        assert len(held_out_cheats(part)) >= 30 and len(held_out_faithful(part)) >= 30
        assert all(one.edits for one in (*held_out_cheats(part), *held_out_faithful(part)))


@pytest.mark.parametrize("name", names_of_cheats())
def test_cheat_is_refused_or_classified_as_experiment(name: str) -> None:
    (cheat,) = (one for one in cheats() if one.name == name)
    notes = check_patch(cheat.notebook, cheat.edits, competition=competition(cheat))
    refused = any(note.severity is IntegritySeverity.BLOCKER for note in notes)
    held = is_held(cheat)
    if cheat.name in ONLY_RUNS:
        assert not refused, "then it is no longer the runs alone that see it"
    else:
        assert refused or held
    for left_out in judge_edits(cheat.notebook, cheat.edits).left_out:
        for note in left_out.notes:
            assert note.allowed, "every refusal says what would be allowed"
            assert note.line is None or 1 <= note.line <= 40
            assert text(note.message).endswith(".")


def test_faithful_edits_pass() -> None:
    every = [*faithful(), *(one for part in HELD_OUT for one in held_out_faithful(part))]
    alarms = [
        (example.edits[0].base_source, notes)
        for example in every
        for notes in (check_patch(example.notebook, example.edits),)
        if notes or is_held(example)
    ]
    assert len(alarms) <= FALSE_ALARMS * len(every), alarms


@pytest.mark.parametrize(
    ("cell", "after", "faithful"),
    [
        ("load", "train = pd.read_csv('train.csv', sep=',')\ny = train['y']", True),
        ("load", "train = pd.read_csv('train.csv')\ny = train['y']\ntrain.head(3)", True),
        (
            "load",
            "train = pd.read_csv('train.csv')\ntrain.dropna(inplace=True)\ny = train['y']",
            False,
        ),
        ("load", "train = pd.read_csv('train.csv').dropna()\ny = train['y']", False),
        (
            "load",
            "train = pd.read_csv('train.csv')\ntrain = train[train.a < 9]\ny = train['y']",
            False,
        ),
        ("blend", "p = 0.7 * one.predict(X) + 0.3 * two.predict(X)", True),
        ("blend", "p = one.predict(X)", False),
    ],
)
def test_rows_and_parts_of_a_blend_are_not_lost(cell: str, after: str, faithful: bool) -> None:
    sources = {
        "load": "train = pd.read_csv('train.csv')\ny = train['y']",
        "fit": "one = Ridge().fit(train[['a']], y)\ntwo = SVR().fit(train[['a']], y)\n"
        "X = pd.read_csv('test.csv')[['a']]",
        "blend": "p = 0.7 * one.predict(X) + 0.3*two.predict(X)",
        "write": "pd.DataFrame({'y': p}).to_csv('submission.csv')",
    }
    found = changes_over_cells(notebook_of(sources), [edit(cell, sources[cell], after)])
    assert found == (frozenset() if faithful else {cell})


@pytest.mark.parametrize(
    ("after", "faithful"),
    [
        ("y = y[order].astype(float)", True),
        ("y = y[other].astype(float)", False),
        ("y = y[order][half].astype(float)", False),
        ("y = y[order].astype(float)\ny = y[order]", False),
    ],
)
def test_rows_that_were_chosen_before_are_no_new_choice(after: str, faithful: bool) -> None:
    sources = {
        "data": "y = load()",
        "order": "y = y[order].astype(np.float)",
        "fit": "m.fit(X, y)",
    }
    found = changes_over_cells(notebook_of(sources), [edit("order", sources["order"], after)])
    assert found == (frozenset() if faithful else {"order"})


def test_change_over_cells_is_held_when_the_patch_is_judged() -> None:
    (cheat,) = (one for one in cheats() if one.name == "another metric imported under the name")
    assert [edit.meaning for edit in cheat.edits] == [Meaning.RENAME]
    (edit,) = judge_edits(cheat.notebook, cheat.edits).edits
    assert edit.meaning is Meaning.EXPERIMENT
    by_rule = tuple(one.model_copy(update={"rules": ("known",)}) for one in cheat.edits)
    (edit,) = judge_edits(cheat.notebook, by_rule).edits
    assert edit.meaning is Meaning.RENAME, "what a rule does is known"
