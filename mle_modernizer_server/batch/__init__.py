"""Many notebooks: the same workflow on a Dask cluster, and a report over all of them.

In: a folder, a glob or a manifest, and settings for all notebooks. Out: a folder with one result
per notebook, the modernized notebooks, and a report.

- `engine.py`: runs a batch: when each job starts, and what happens if a worker dies.
- `cluster.py`: the Dask cluster, its workers' resources, and the code that runs on them.
- `worker.py`: one job on one worker: claim, run, write. `job.py`: the work on one notebook,
  through `Modernizer`.
- `preload.py`: the imports of the process that local workers are forked from.
- `rate_limits.py`: limits on the cost and rate of model requests over all workers.
- `folder.py`: the batch's folder, which records finished jobs. `claim.py`: which worker has a job.
- `manifest.py`: the lines of a batch. `plan.py`: writes a manifest from the notebooks.
- `report/`: tables and figures over all results, as HTML, CSV, JSON and SQLite.
- `overview.py`: the folder as JupyterLab shows it, and the changes proposed for a notebook.
- `apply.py`: writes the modernized notebooks over the originals, on request.
- `result.py`, `study.py`: the values.
"""
