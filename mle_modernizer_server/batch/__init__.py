"""Many notebooks: the same workflow on a Dask cluster, and a report over all of them.

In: a folder, a glob or a manifest, and what holds for all. Out: a folder with one small result a
notebook, the modernized notebooks, and a report.

- `engine.py`: one start of a batch: what is begun when, and what happens when a worker dies.
- `cluster.py`: the Dask cluster, its workers' resources, and what runs on them.
- `carry_out.py`: one job on one worker, claimed and written; `perform.py`: the work itself, through
  `Modernizer`.
- `forked.py`: what local workers are forked from.
- `ration.py`: what all workers together may spend on a model, and how fast.
- `claim.py`, `folder.py`: who works on a job; the batch's folder, the truth on what is done.
- `manifest.py`: the lines of a batch, from a folder, a glob or a manifest; `plan.py` makes one.
- `report/`: tables and figures over all results, as a page, CSV, JSON and SQLite.
- `overview.py`: the folder as it is looked at from JupyterLab, and what it proposes for a notebook.
- `apply.py`: takes the modernized notebooks into the files, on request.
- `result.py`, `study.py`: the values.
"""
