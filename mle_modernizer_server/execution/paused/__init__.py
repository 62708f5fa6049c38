"""A run that stopped at a failing cell, with its kernel alive.

In: a stopped `NotebookRun`. Out: whether it may resume with an edited notebook, and why not.

paused_run.py  the run, and the refusal
"""
