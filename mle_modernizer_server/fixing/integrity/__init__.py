"""What a patch must not do, and what each of its edits means to the experiment.

In: a notebook and a patch. Out: the edits that stand, what a reviewer must know of them, and for
each that does not stand its cell, its line, what is wrong and a form that would be allowed.

Everything is judged by what an edit *adds or takes away*: what the author had in the notebook is
the author's business. The checks are a guard against a model that takes a short cut, not a
sandbox; the sandbox is where the code runs. What they do not see, a run with shuffled labels does.

- `judge.py`: edit by edit, with what depends on a bad one.
- `checks.py`: the notes on a patch, from facts (`code_facts.py`, `shortcuts.py`, `predictions.py`,
  `parameters.py`) that came or went (`changes.py`), and from the data flow (`lineage.py`, `flow/`).
- `reworked.py`: what only the whole notebook shows: computations with predictions and scores,
  names that stand for something else, data that is bound anew.
- `own_names.py`: a patch without what it only calls otherwise, for comparison.
- `meaning.py`: what an edit means; `contexts.py`: what is computed with scores, rows, columns;
  `constants.py`: what a changed literal is; `renames.py`;
  `canonical.py`: one form for code that means the same.
  `equal_forms.py`: settings that a documented change wrote in another form.
- `wording.py`: the sentences.
"""

from __future__ import annotations

from mle_modernizer_server.fixing.integrity.checks import check_patch
from mle_modernizer_server.fixing.integrity.judge import (
    Judgement,
    LeftOut,
    dependents,
    judge_edits,
    meant,
    remark,
    sound_part,
    without,
)
from mle_modernizer_server.fixing.integrity.lineage import learns
from mle_modernizer_server.fixing.integrity.meaning import classify

__all__ = [
    "Judgement",
    "LeftOut",
    "check_patch",
    "classify",
    "dependents",
    "judge_edits",
    "learns",
    "meant",
    "remark",
    "sound_part",
    "without",
]
