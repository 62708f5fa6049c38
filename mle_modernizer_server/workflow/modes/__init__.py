"""Who decides between two runs: the user (`step.py`) or a loop (`auto.py`).

In: a notebook. Out: iterations in the log, and a proposal for review at the end.

- `step.py`: one run and a proposal for it.
- `auto.py`: runs and fixes a scratch copy, first on a sample, then on the full data; one review.
- `carry.py`: which edits of a fix are kept although the run got no further.
- `unseen.py`: which edits are put up for review although no run has shown their effect.
- `alternatives.py`: several fixes for one run, tried in parallel.
"""
