"""Submission CSV to Grade: competitions, metrics and validation."""
