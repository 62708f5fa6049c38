"""Execution and Grade to Diagnosis: what went wrong and which kind of fix is due."""

from mle_modernizer_server.diagnosis.contrast import RunLeft, contrast, unsteady_values
from mle_modernizer_server.diagnosis.diagnose import diagnose
from mle_modernizer_server.diagnosis.way import changed_names, code_on_the_way, failing_on_the_way

__all__ = [
    "RunLeft",
    "changed_names",
    "code_on_the_way",
    "contrast",
    "diagnose",
    "failing_on_the_way",
    "unsteady_values",
]
