"""Who decides between two runs: the user (`step.py`) or a loop (`auto.py`).

In: a notebook. Out: iterations in the log, and a proposal for review at the end.

- `step.py`: one run and a proposal for it.
- `auto.py`: run and fix on a scratch copy, first on a sample and then on all data; one review.
- `carry.py`: what of a fix is carried forward, though its run came no further.
- `alternatives.py`: several fixes for one run, tried at the same time.
"""
