"""A run that stopped at a failing cell, with its kernel alive.

In: a stopped `NotebookRun`. Out: whether it may resume with an edited notebook, and why not.

paused_run.py    the run, and the refusal
side_effects.py  effects of the failing cell before it failed
call_effects.py  effects of a call on its arguments and its object
liveness.py      names that the cells after it read before they bind them
"""
