"""Runs: a notebook in, a `Run` out. The caller records it in a session if needed.

- `run_once.py`: run, grade, diagnose. Depends on no session, writes nothing; the only place that
  starts a notebook.
- `record.py`: a run as the session's next iteration.
- `environment.py`: the Python and packages of a notebook, chosen before the first run.
- `on_sample.py`: a sample of the data to run on, and the errors it may have caused.
- `rehearse.py`: a recorded run on a sample, if the settings ask for one.
- `resume.py`: the scope of one cell: stop at the failing cell, resume there after the fix.
- `resources.py`: fetches the web files that the user permitted; records the missing ones.
"""
