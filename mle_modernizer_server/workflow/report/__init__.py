"""Reports and statistics of sessions, read from the log.

- `finish.py`: the parts of its best run that a finished notebook includes.
- `html_report.py`, `report.html.j2`: one session as a self-contained page.
- `report.py`, `report.md.j2`: one session as JSON or Markdown. `template.py`: loads templates.
- `history.py`: the facts of all sessions, cached so that thousands are fast.
- `session_facts.py`: one session's facts.
- `statistics.py`: figures over many sessions.
- `estimate.py`: the probable cost of an auto run.
- `stored.py`: reports and statistics of the sessions in a database.
- `reproduction_report.py`: the reproduction of a paper as a self-contained page.
"""
