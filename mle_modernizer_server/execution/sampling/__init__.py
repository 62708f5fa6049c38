"""A small copy of a competition's public files, for a rehearsal.

In: a public directory, or the visible files of a notebook. Out: one with the same layout, with a
consistent part of its rows and files.

making.py   makes it
survey.py   one pass over a table: its number of rows, and rows spread over it
tables.py   tables as text, cut byte for byte
columns.py  how the columns of tables relate to each other
roles.py    tables by role: sample submission, train, test
plan.py     related rows of all tables; `choose.py` for one table
folders.py  the files that are no tables
notebook_files.py  the same for the files in a notebook's folder
permuted.py a copy with permuted training labels or test rows, for a proof
cache.py    stores samples between runs
watch.py    limits: time, and the user's cancel
"""
