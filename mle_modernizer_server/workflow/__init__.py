"""A session: from a notebook to one that runs and scores as it once did, with the user's review.

In: a notebook and settings, and what the user decides. Out: a `Session`, made by its event log.

From top to bottom; each file or folder imports only what stands below it:

- `service.py`: `Modernizer`, all that a client may ask. Web and command line import nothing else.
- `modes/`: step mode and the loop of auto mode.
- `study/`: repeated runs that decide no fix: verification, seed variance, cause, old libraries.
- `run/`: `run_once`, where every run starts; recording it; rehearsals, resuming, its environment.
- `decisions.py`: what the user decides between two runs.
- `verdict/`: which of two runs is better, how the work ends, and why.
- `fix/`: asks the fixers, and makes of their answers what a session can keep.
- `report/`: reports, statistics and estimates, from what the log keeps.
- `era.py`, `work.py`: the context of work (`Work`), the jobs in the background, recovery.
- `services.py`, `paused_runs.py`: what a process has once: sandboxes, fixers, paused kernels.
- `environments.py`: which Python and packages a notebook runs with.
- `competition.py`: the competition a notebook belongs to, or one made of the user's data.
- `log/`: events, the session they make, and the file they are in.
"""
