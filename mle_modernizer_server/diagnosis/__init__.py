"""Diagnosis of a run: its errors, and the type of fix it needs.

In: an `Execution` and its `Grade`. Out: a `Diagnosis`.

- `diagnose.py`: the outcome, the findings, and the fix type by the paper's rule.
- `causes.py`: root errors, and errors that follow from them.
- `contrast.py`: today's results against those in the libraries of the notebook's time.
- `saved_outputs/`: a run against the outputs saved in the file.
- `sample_caused.py`: errors of a rehearsal that the sample may have caused.
- `summary.py`: the summary for the status line.
"""

from mle_modernizer_server.diagnosis.contrast import RunLeft, contrast, unsteady_values
from mle_modernizer_server.diagnosis.diagnose import diagnose

__all__ = [
    "RunLeft",
    "contrast",
    "diagnose",
    "unsteady_values",
]
