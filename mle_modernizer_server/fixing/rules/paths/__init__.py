"""Paths that a run does not find, and the edits that redirect them to existing files.

In: the notebook, candidates for the paths it names, and the errors of a run if there was one. Out:
a finding for each missing path, and the notebook with corrected paths if only one file matches.
Pure.

candidates.py  which of the candidates match
relocate.py    the entry point: `relocate`
proposed.py    their part of a proposal
"""
