"""Execution and Grade to Diagnosis: what went wrong and which kind of fix is due."""

from mle_modernizer_server.diagnosis.diagnose import diagnose
from mle_modernizer_server.diagnosis.way import code_on_the_way, failing_on_the_way

__all__ = ["code_on_the_way", "diagnose", "failing_on_the_way"]
