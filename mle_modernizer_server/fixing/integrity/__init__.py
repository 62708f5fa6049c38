"""What a patch must not do, and what each of its edits means for the experiment.

In: a notebook and a patch. Out: the edits that are kept, notes for the reviewer, and for each edit
that is left out its cell, its line, what is wrong and a form that would be allowed.

Only what an edit *adds or removes* is judged, never the author's own code. The checks protect
against a model that takes short cuts; they are no sandbox. Cheats that they miss can be found by a
run with shuffled labels.

- `judge.py`: judges edit by edit, with the edits that depend on a bad one.
- `checks.py`: the notes on a patch, from facts (`code_facts.py`, `shortcuts.py`, `predictions.py`,
  `parameters.py`) that were added or removed (`changes.py`), and from the data flow (`lineage.py`,
  `code/data_flow/`).
- `experiment_changes.py`: what only the whole notebook shows: computations with predictions and
  scores, names that get another meaning, data that is bound anew.
- `normalize_names.py`: a patch without its renamed names, for comparison; `label_codes.py`: without
  an encoder of labels; `missing_names.py`: with the near names of those that a run did not find.
- `classify_edit.py`: the meaning of an edit. `contexts.py`: computations with scores, rows,
  columns.
  `constants.py`: the role of a changed literal. `settings_changed.py`: settings that really change.
  `renames.py`: renamed names. `canonical.py`: one form for equivalent code.
- `equivalences.py`, `equal_forms.py`: what the known breaking changes prove to be equivalent;
  `equal_scales.py`: models that scaled their columns themselves.
- `notes.py`: the notes, and which of them block.
"""

from __future__ import annotations

from mle_modernizer_server.fixing.integrity.checks import check_patch
from mle_modernizer_server.fixing.integrity.classify_edit import classify
from mle_modernizer_server.fixing.integrity.judge import (
    Judgement,
    LeftOut,
    dependents,
    judge_edits,
    meant,
    remarks,
    sound_part,
    without,
)
from mle_modernizer_server.fixing.integrity.lineage import learns

__all__ = [
    "Judgement",
    "LeftOut",
    "check_patch",
    "classify",
    "dependents",
    "judge_edits",
    "learns",
    "meant",
    "remarks",
    "sound_part",
    "without",
]
