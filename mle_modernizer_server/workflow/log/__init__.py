"""The event log: the truth about a session.

In: events, one after the other. Out: the `Session` they make, and what of it changed since one.

- `events.py`: what can happen; stored as it is, so a field once written stays readable.
- `state.py`: the session after an event: pure, the only place where a session changes.
- `store.py`: the log in SQLite, the notebooks it names, and a thread that writes steps of work.
- `event_log.py`: the store with a listener: stored first, then told.
- `exchanges.py`: what was sent to models, in the same file.
- `owner.py`: the process that works on a session.
"""
