"""One bad edit is left out with what needs it; the others stand."""

from __future__ import annotations

from mle_modernizer_server.domain.message import coded, verbatim
from mle_modernizer_server.domain.proposal import (
    CellEdit,
    EditKind,
    EditPart,
    FixerName,
    Meaning,
    apply_edits,
)
from mle_modernizer_server.fixing.integrity import judge_edits, sound_part, without
from mle_modernizer_server.words import text
from tests.values import modification, notebook, proposal

LOAD = "import pandas as pd\nd = pd.read_csv('train.csv')\nt = pd.read_csv('test.csv')"
FIT = "m = SVC()\nm.fit(d[['a']], d['y'])"
WRITE = "t['y'] = m.predict(t[['a']])\nt.to_csv('submission.csv')"
BOOK = notebook(LOAD, FIT, WRITE)


def insertion(cell_id: str, after: str | None, source: str) -> CellEdit:
    return CellEdit(
        id=f"edit-{cell_id}",
        kind=EditKind.INSERT,
        cell_id=cell_id,
        after=after,
        new_source=source,
    )


def test_one_bad_edit_does_not_take_the_good_ones_with_it() -> None:
    good = modification("c1", FIT, FIT.replace("SVC()", "SVC(gamma='auto')"))
    bad = modification("c2", WRITE, WRITE.replace("m.predict(t[['a']])", "0"))
    judgement = judge_edits(BOOK, [good, bad])
    assert judgement.edits == (good,)
    (left_out,) = judgement.left_out
    assert left_out.edit == bad
    assert {(note.code, note.cell_id, note.line) for note in left_out.notes} >= {
        ("submission-without-model", "c2", 2)
    }


def test_moving_mean_in_its_new_form_is_no_new_computation() -> None:
    shown = "pd.rolling_mean(t['y'], 30).plot()"
    book = notebook(LOAD, FIT, WRITE, shown)
    same = modification("c3", shown, "t['y'].rolling(30).mean().plot()")
    (judged,) = judge_edits(book, [same]).edits
    assert judged.meaning is not Meaning.EXPERIMENT
    other = modification("c3", shown, "t['y'].rolling(30).max().plot()")
    (judged,) = judge_edits(book, [other]).edits
    assert judged.meaning is Meaning.EXPERIMENT


def test_dependents_of_a_bad_edit_are_left_out_with_it() -> None:
    bad = insertion("n1", "c0", "import requests\ndef get(x):\n    return requests.get(x)")
    needs = modification("c1", FIT, FIT + "\nmore = get('a')")
    chained = modification("c2", WRITE, WRITE + "\nprint(more)")
    judgement = judge_edits(BOOK, [bad, needs, chained])
    assert judgement.edits == ()
    assert [(one.edit.cell_id, one.needs) for one in judgement.left_out] == [
        ("n1", ()),
        ("c1", ("n1",)),
        ("c2", ("c1",)),
    ]


def test_cell_after_a_left_out_new_cell_is_attached_again() -> None:
    bad = insertion("n1", "c0", "import os\nos.system('ls')")
    good = insertion("n2", "n1", "d = d.copy()")
    judgement = judge_edits(BOOK, [bad, good])
    after = apply_edits(BOOK, judgement.edits)
    assert [cell.id for cell in after.cells] == ["c0", "n2", "c1", "c2"]


def test_cheat_over_several_cells_is_traced_to_its_edit() -> None:
    changed = modification("c1", FIT, FIT + "\nguess = d['y'].mode()[0]")
    used = modification("c2", WRITE, WRITE.replace("m.predict(t[['a']])", "guess"))
    judgement = judge_edits(BOOK, [changed, used])
    assert "c2" in {one.edit.cell_id for one in judgement.left_out}
    assert "c2" not in {edit.cell_id for edit in judgement.edits}


def test_proposal_has_a_remark_for_each_left_out_edit() -> None:
    good = modification("c1", FIT, FIT.replace("SVC()", "SVC(gamma='auto')"))
    bad = modification("c2", WRITE, WRITE + "\n!rm -rf .")
    sound = sound_part(proposal(good, bad), BOOK)
    assert sound.edits == (good,)
    assert text(sound.remarks) == (
        "The edit of cell c2 was left out, line 3: It deletes files (rm -rf .)."
    )


def test_proposal_without_a_good_edit_returns_with_blockers() -> None:
    bad = modification("c2", WRITE, WRITE + "\n!rm -rf .")
    sound = sound_part(proposal(bad), BOOK)
    assert sound.edits == (bad,)
    assert [note.code for note in sound.notes] == ["deletion"]


def test_notes_of_several_proposals_are_counted_once() -> None:
    bad = modification("c2", WRITE, WRITE + "\n!rm -rf .")
    notes = sound_part(proposal(bad), BOOK).notes
    assert tuple(dict.fromkeys((*notes, *notes))) == notes


def test_inner_names_of_a_refused_edit_take_no_other_with_them() -> None:
    functions = "def clean(row):\n    kept = row\n    return kept"
    book = notebook(LOAD, FIT, WRITE, functions, "rows = ['a']\nkept = 'b'")
    inner = "print([a for a in [1] for kept in [a]], (lambda rows: rows)(1))"
    bad = modification("c2", WRITE, f"{WRITE}\n{inner}\n!rm -rf .")
    good = modification("c1", FIT, f"{FIT}\nprint([a for a in d.columns], rows, kept)")
    judgement = judge_edits(book, [good, bad])
    assert [one.cell_id for one in judgement.edits] == ["c1"]
    defined = modification("c2", WRITE, f"{WRITE}\nglue = 1\n!rm -rf .")
    needs = modification("c1", FIT, f"{FIT}\nprint([glue for a in d.columns])")
    assert judge_edits(book, [needs, defined]).edits == ()


def test_edits_of_one_group_stand_or_fall_together() -> None:
    bad = modification("c2", WRITE, WRITE + "\n!rm -rf .").model_copy(update={"group": "g"})
    mate = modification("c1", FIT, FIT.replace("SVC()", "SVC(gamma='auto')"))
    alone = modification("c0", LOAD, LOAD + "\nd = d.copy()")
    grouped = mate.model_copy(update={"group": "g"})
    judgement = judge_edits(BOOK, [alone, grouped, bad])
    assert judgement.edits == (alone,)
    assert [(one.edit.cell_id, one.needs) for one in judgement.left_out] == [
        ("c2", ()),
        ("c1", ("c2",)),
    ]


def test_postponed_edit_takes_only_its_dependents_along() -> None:
    bold = modification("c1", FIT, FIT + "\nextra = 1")
    needs = modification("c2", WRITE, WRITE + "\nprint(extra)")
    good = modification("c0", LOAD, LOAD + "\nd = d.copy()")
    whole = proposal(good, bold, needs).model_copy(update={"remarks": verbatim("Known.")})
    rest = without(whole, [bold], verbatim("It waits for your yes."))
    assert rest.edits == (good,)
    assert text(rest.remarks) == "Known. It waits for your yes."


def test_plan_loses_the_paths_of_an_edit_that_is_taken_out() -> None:
    part = EditPart(rule="files-elsewhere", what="Paths are corrected.", reason="")
    moved = modification("c0", LOAD, LOAD.replace("train", "data/train"))
    moved = moved.model_copy(update={"parts": (part,)})
    other = modification("c1", FIT, FIT.replace("SVC()", "SVC(gamma='auto')"))
    steps = coded("plan.step", count=1, cells="1", what="Paths are corrected. train → data/train")
    steps += coded("plan.step", count=1, cells="2", what="gamma was scale.")
    whole = proposal(moved, other).model_copy(update={"plan": steps})
    assert without(whole, [moved], ()).plan == steps[1:]
    assert without(whole, [other], ()).plan == steps


def test_edit_of_a_learned_rule_is_judged_like_a_models() -> None:
    edit = modification("c1", FIT, FIT.replace("SVC()", "SVC(gamma='auto', C=9)"))
    edit = edit.model_copy(update={"meaning": Meaning.OTHER})
    built_in = edit.model_copy(update={"rules": ("sklearn-svc-gamma",)})
    learned = edit.model_copy(update={"rules": ("learned-sklearn-SVC-0123abcd",)})
    assert judge_edits(BOOK, [built_in]).edits[0].meaning is Meaning.OTHER
    assert judge_edits(BOOK, [learned]).edits[0].meaning is Meaning.EXPERIMENT
    by_rules = proposal(learned).model_copy(update={"fixer": FixerName.RULES})
    assert by_rules.by_model
    assert not by_rules.model_copy(update={"edits": (built_in,)}).by_model


def test_where_the_score_counts_one_model_may_stand_for_two() -> None:
    two = "a = Ridge().fit(d[['a']], d['y'])\nb = SVR().fit(d[['a']], d['y'])"
    both = "t['y'] = (a.predict(t[['a']]) + b.predict(t[['a']])) / 2\nt.to_csv('submission.csv')"
    book = notebook(LOAD, two, both)
    fit = modification("c1", two, "a = Ridge().fit(d[['a']], d['y'])")
    predict = modification("c2", both, "t['y'] = a.predict(t[['a']])\nt.to_csv('submission.csv')")
    constant = modification("c2", both, "t['y'] = 1\nt.to_csv('submission.csv')")
    edits = [fit, predict]
    assert len(judge_edits(book, edits, fewer_models=True).edits) == 2
    assert {note.code for one in judge_edits(book, edits).left_out for note in one.notes} == {
        "training-dropped",
        "model-dropped",
    }
    assert judge_edits(book, [fit, constant], fewer_models=True).edits == ()
