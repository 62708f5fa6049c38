"""Decisions between two runs: by the user (`step.py`) or by a loop (`auto.py`).

In: a notebook. Out: iterations in the log, and a proposal for review at the end.

- `step.py`: one run and a proposal for it.
- `auto.py`: runs and fixes a scratch copy, first on a sample, then on the full data; one review.
- `keep_helpful_edits.py`: the edits of a fix that remain although the run got no further.
- `unverified_edits.py`: the edits of a review whose effect no run has shown.
- `alternatives.py`: several fixes for one run, tried in parallel.
"""
