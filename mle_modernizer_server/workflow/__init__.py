"""Sessions: turn a notebook into one that runs and scores as before, reviewed by the user.

In: a notebook, settings, and the user's decisions. Out: a `Session`, derived from its event log.

From top to bottom; each file or folder imports only what is below it:

- `service/`: `Modernizer` and its five services, every public operation. `web/` and `cli/` use
  nothing else.
- `modes/`: step mode, and the loop of auto mode.
- `study/`: repeated runs that answer a question: verification, seed variance, cause, comparisons.
- `run/`: `run_once`, where every run starts; recording, rehearsals, resuming, the environment.
- `decisions.py`: the user's decisions between two runs.
- `verdict/`: comparison of two runs, and the end of the work with its reason.
- `fix/`: asks the fixers and turns their answers into proposals.
- `report/`: reports, statistics and estimates, read from the log.
- `era.py`, `work.py`: the context of work (`Work`), background jobs, recovery.
- `services.py`, `paused_runs.py`: one per process: sandboxes, fixers, paused kernels.
- `environments.py`: the Python and packages of a notebook.
- `competition.py`: the competition of a notebook, or one made from the user's data.
- `log/`: events, the session they add up to, and the database.
"""
