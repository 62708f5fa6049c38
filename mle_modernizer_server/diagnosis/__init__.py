"""Execution and Grade to Diagnosis: what went wrong and which kind of fix is due."""

from mle_modernizer_server.diagnosis.diagnose import diagnose

__all__ = ["diagnose"]
