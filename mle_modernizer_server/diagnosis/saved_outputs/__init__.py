"""Compare a run with the outputs saved in the notebook's file.

In: the outputs saved in the file and those of a run, as nbformat 4 has them, by code cell. Out:
an `OutputAgreement`, and printed scores, which are offered as targets. All input is untrusted, and
its size is limited.

    texts.py      a text as words and numbers, without addresses, times and progress
    shortened.py  of long printed tables the rows that both texts show
    wrapped.py    of wide printed tables each row in one line
    tables.py     an HTML table as rows of cells
    compare.py    two cells' outputs (pictures by their likeness), and two runs
    unrun.py      cells that had not been run when the outputs were saved
    scores.py     lines such as `Validation AUC: 0.8123`
"""

from mle_modernizer_server.diagnosis.saved_outputs.compare import compare_outputs, is_saved_error
from mle_modernizer_server.diagnosis.saved_outputs.scores import printed_scores
from mle_modernizer_server.diagnosis.saved_outputs.unrun import with_unrun_cells

__all__ = ["compare_outputs", "is_saved_error", "printed_scores", "with_unrun_cells"]
