"""A run that stopped at a failing cell, with its kernel alive.

In: a stopped `NotebookRun`. Out: whether it may resume with an edited notebook, and why not.

paused_run.py    the run, and the refusal
side_effects.py  what the failing cell had done before it failed
call_effects.py  what a call does to its arguments and its object
liveness.py      which names the cells after it read before they bind them
"""
