"""Cells that only Python 2 can parse, converted before all other rules run.

- `conversion.py`: converts cells, by fissix; comments out text.
- `own_modules.py`: modules next to a notebook that were written for Python 2, as converted copies.
"""
