"""The study of a batch: tables and figures over all results, as a page, CSV, JSON and SQLite.

In: the results of a folder. Out: `report.html`, `tables/*.csv`, `summary.json`, `study.sqlite`.

- `write.py`: the files, from a folder. `report.html.j2`: the self-contained page.
- `tables.py`: the tables, pure. `flow.py`: the geometry of the flow from outcome to outcome.
- `database.py`: one row a notebook, run and fix, for questions of one's own.
"""
