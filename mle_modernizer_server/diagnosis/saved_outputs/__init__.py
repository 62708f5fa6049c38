"""Saved outputs as witnesses: what a notebook's file kept of its last run, against a fresh run.

In: the outputs saved in the file and those of a run, as nbformat 4 has them, by code cell. Out:
an `OutputAgreement`, and scores that were printed, to be offered as targets. Everything read here
is of strangers and bounded.

    texts.py    a text as words and numbers, without addresses, times and progress
    tables.py   an HTML table as rows of cells
    compare.py  two cells' outputs (of pictures a hint how alike they look), and two runs
    scores.py   lines such as `Validation AUC: 0.8123`
"""

from mle_modernizer_server.diagnosis.saved_outputs.compare import compare_outputs
from mle_modernizer_server.diagnosis.saved_outputs.scores import printed_scores

__all__ = ["compare_outputs", "printed_scores"]
