"""What to look at before a score is believed: leaks in the code, and data that nobody opened.

rows.py     which tables' rows and columns an expression holds
leakage.py  the rules
files.py    public files that the code names nowhere
"""
