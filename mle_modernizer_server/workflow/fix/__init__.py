"""Fixes: the results of a run in, a proposal with its integrity notes out, or why there is none.

- `propose.py`: asks the fixers in order; what they get, and which of their edits are kept.
- `by_hand.py`: a fix that the user requests, and a preview of a model's prompt.
- `before_run.py`: what will break, and a fix for it, before the first run.
- `listening.py`: records what a fixer does: its growing plan, its model calls.
- `findings.py`: the results of studies, for a fixer.
- `restoring.py`: what restores saved outputs that differ without an error.
- `difference.py`: two notebooks as edits; several edits of a cell as one.
- `files.py`: looks up the files that a notebook does not find.
- `beyond_edits.py`: errors that no edit can fix.
"""
