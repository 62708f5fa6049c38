"""Sent into kernels as text: syntax of Python 3.6 and the standard library only.

digest.py    values as texts that can be compared
installed_names.py  which names the installed packages have
facts.py     facts about the error that was raised last
names.py     which names can be read only once, and what the notebook defines itself
packages.py  which packages the Python has
profile.py   the current line, fifty times a second
setup.py     limits what a cell can print
types.py     the type of each global name
"""
