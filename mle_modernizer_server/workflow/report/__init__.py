"""What came of sessions, for people and programs: read from the log, never written to it.

- `finish.py`: what a finished notebook takes from its best run.
- `html_report.py`, `report.html.j2`: one session as a page that needs nothing beside it.
- `report.py`, `measurements_text.py`: one session as JSON or Markdown.
- `history.py`: the facts of all sessions, read so that thousands are no burden.
- `session_facts.py`: one session's facts.
- `statistics.py`: figures over many sessions.
- `estimate.py`: what an auto run will probably cost.
"""
