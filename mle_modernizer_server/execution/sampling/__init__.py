"""A small copy of a competition's public files, for a rehearsal.

In: a public directory. Out: one laid out alike, with a consistent part of its rows and files.

making.py   makes it
survey.py   one pass over a table: how many rows it has, and a spread of them
tables.py   tables as text, cut byte for byte; `packed.py` reads and writes packed ones
columns.py  what a table's columns are to others
roles.py    which table is the sample submission, train, test
plan.py     which rows of all tables still belong together; `choose.py` for one table
folders.py  the files beside the tables
cache.py    keeps samples between runs
watch.py    bounds: time, and the user's cancel
"""
