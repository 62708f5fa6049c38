"""The report of a batch: tables and figures over all results, as HTML, CSV, JSON and SQLite.

In: the results of a folder. Out: `report.html`, `tables/*.csv`, `summary.json`, `study.sqlite`.

- `write.py`: writes the files. `report.html.j2`: the self-contained page.
- `tables.py`: the tables, pure. `pictures.py`: the geometry of the flow from outcome to outcome,
  and of the arms' shares with their intervals.
- `database.py`: the SQLite file, one row per notebook, run and fix.
"""
