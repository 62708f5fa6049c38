"""What is sent into kernels as text: syntax of Python 3.6, the standard library, nothing of ours.

digest.py    what values are, as texts that can be compared
facts.py     about the error that was raised last
names.py     which names hold what can be read only once, and what the notebook defines itself
packages.py  which packages the Python has
profile.py   where a cell is, fifty times a second
setup.py     bounds what a cell can print
"""
