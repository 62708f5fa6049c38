"""The knowledge of breaking changes: a folder a library, its rules in YAML (see `rule.py`).

Most fixes are data for the codemods in `generic/`. Those that need code of their own are codemods
beside the YAML: one change of the library, one small module.
"""
