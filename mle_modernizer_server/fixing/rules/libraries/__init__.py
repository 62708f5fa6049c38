"""Codemods written by hand: one change of a library, one small file."""
