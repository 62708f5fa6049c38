"""Fixes: from the results of a run to a proposal with integrity notes, or the reason for none.

- `propose.py`: asks the fixers in order; their input, and the filter of their edits.
- `manual_fix.py`: a fix that the user requests, and a preview of a model's prompt.
- `before_run.py`: predicted failures and their fix, before the first run.
- `model_progress.py`: records a fixer's growing plan and its model calls.
- `experiment_facts.py`: the results of studies, for a fixer.
- `absent_names.py`: names in the notebook that the packages do not have.
- `restoring.py`: edits that restore saved outputs which differ without an error.
- `difference.py`: two notebooks as edits; several edits of a cell as one.
- `files.py`: looks up the files that a notebook does not find.
- `beyond_edits.py`: errors that no edit can fix.
"""
