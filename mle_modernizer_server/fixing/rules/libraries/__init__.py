"""The rules for breaking changes: one folder per library, rules in YAML (see `rule.py`).

Most fixes are data for the codemods in `generic/`. Fixes that need their own code are codemods next
to the YAML: one small module for each change of the library. Their longer tables, and the code that
they write into notebooks, are data under `tables` in the YAML (see `tables.py`).
"""
