"""Judge a patch: forbidden changes, and the meaning of each edit for the experiment.

In: a notebook and a patch. Out: the accepted edits, notes for the reviewer, and for each other
edit its cell, its line, the problem and a form that would be allowed.

Only additions and removals of an edit are judged, never the author's own code. The checks protect
against a model that takes short cuts; they are no sandbox. A run with shuffled labels can find
cheats that they miss.

- `judge.py`: judges edit by edit, with the edits that depend on a bad one.
- `checks.py`: the notes on a patch, from added or removed (`changes.py`) facts of its code
  (`code/experiment/`), and from the data flow (`lineage.py`, `code/data_flow/`). `notes.py`: which
  notes block.
- `experiment_changes.py`: changes that only the whole notebook shows: computations with predictions
  and scores, names with another meaning, other rows.
- `classify_edit.py`: the meaning of an edit, from the differences of both versions
  (`code/differences.py`). `constants.py`: the role of a changed literal. `settings_changed.py`:
  changed parameters.
- `comparison.py`: the one form that both sides of a comparison get, from `code/canonical/` and
  `missing_names.py` (names that a run did not find).
- `equivalences.py`: names, values and defaults that known breaking changes make equal.
"""

from __future__ import annotations

from mle_modernizer_server.fixing.integrity.checks import check_patch
from mle_modernizer_server.fixing.integrity.classify_edit import classify
from mle_modernizer_server.fixing.integrity.judge import (
    Judgement,
    LeftOut,
    dependents,
    judge_edits,
    remarks,
    sound_part,
    with_meanings,
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
    "remarks",
    "sound_part",
    "with_meanings",
    "without",
]
