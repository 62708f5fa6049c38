"""Runs cells as a plain script in another Python, so that two Pythons can be compared.

In: cells, a sandbox, an interpreter. Out: `Observed`: variables and output of each cell.

isolated_script.py  runs them, isolated
driver.py           the script that runs there (Python 3.6, without this package)
data_head.py        the first rows of a competition's tables
"""
