"""Paths that a run does not find, and the edits that redirect them to existing files.

In: the notebook, candidates for the paths it names, and the errors of a run if there was one. Out:
a finding for each missing path, and the notebook with corrected paths if only one file matches.
Pure.

uses.py the code's reads, listings, writes and changes of directories
candidates.py  which of the candidates match
colab.py statements that only work on Google Colab
literals.py    changes the text of string literals and nothing else in a cell
relocate.py    the entry point: `relocate`
proposed.py    their part of a proposal
"""
