"""Runs of a notebook, as values."""

from tests.runs import ran as ran
