"""Paths that a run does not find, and the edits that lead them to the files that are meant.

In: the notebook, what was looked up for the paths it names, the errors of a run if there was one.
Out: a finding for each path that leads nowhere, and the notebook with the paths changed where one
file only can be meant. Pure.

uses.py        where code reads, lists, writes and changes the folder
candidates.py  which of the files that were found may be meant
literals.py    changes the text of string literals and nothing else of a cell
relocate.py    puts them together: `relocate`
proposed.py    their part of a proposal
"""
