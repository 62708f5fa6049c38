"""Runs: a notebook in, a `Run` out; whoever wants it in a session records it.

- `run_once.py`: run, grade, diagnose. Knows no session, writes nothing; the one place that starts
  a notebook.
- `record.py`: a run as the session's next iteration.
- `environment.py`: which Python and packages it runs with, settled before the first run.
- `on_sample.py`: a sample of the data to run on, and what errors on it are worth.
- `rehearse.py`: a recorded run on a sample, where the settings ask for one.
- `resume.py`: cell scope: stop at the failing cell, resume there after the fix.
"""
