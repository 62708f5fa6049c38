"""The event log, from which every session is derived.

In: events, one after the other. Out: the `Session` they add up to, and the changes since an event.

- `events.py`: the events, and what each changes: the only place where a session changes. They are
  stored as they are, so a field must stay readable.
- `state.py`: the session after all events, and the changes since one: pure.
- `store.py`: the log in SQLite, its notebooks, and the thread that writes. Events are stored first,
  then a listener hears of them.
- `exchanges.py`: model requests and replies, in the same file.
- `owner.py`: the process that works on a session.
"""
