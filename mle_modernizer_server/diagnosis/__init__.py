"""Execution and Grade to Diagnosis: what went wrong and which kind of fix is due."""
