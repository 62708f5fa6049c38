"""Runs: a notebook in, a `Run` out. The caller records it in a session if needed.

- `run_once.py`: run, grade, diagnose. Depends on no session, writes nothing; the only place that
  starts a notebook.
- `record.py`: a run as the session's next iteration.
- `environment.py`: which Python and packages a notebook runs with, settled before the first run.
- `on_sample.py`: a sample of the data to run on, and which errors it may have caused.
- `rehearse.py`: a recorded run on a sample, if the settings ask for one.
- `resume.py`: the scope of one cell: stop at the failing cell, resume there after the fix.
- `resources.py`: fetches the files from the network that the user agreed to; notes what is missing.
"""
