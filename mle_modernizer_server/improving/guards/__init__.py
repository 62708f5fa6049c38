"""Checks before a score is trusted: leaks in the code, and data files that are not opened.

rows.py     which tables' rows and columns an expression holds
leakage.py  the rules
files.py    public files that the code does not name
"""
