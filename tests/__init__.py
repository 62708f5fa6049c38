"""Tests of the server package."""

from mle_modernizer_server.execution.schema_formats import leave_out_grammar

leave_out_grammar()  # in every process that imports the tests, before pytest-jupyter loads it
