"""Claims of a paper: its results, found by rules, and a model's additions.

- `numbers.py`: a cell's or sentence's text → values with digits, percent signs and spreads.
- `vocabulary.py`, `vocabulary.yaml`: names of metrics (with their direction) and data sets.
- `tables.py`: result tables → claims. `prose.py`: sentences → claims.
- `names.py`: the paper's names for its own method.
- `completed.py`: claims that a model named, if the paper's text confirms their quotes.
- `find.py`: the entry point: all claims of a paper; a number in a table and a sentence counts once.
"""
