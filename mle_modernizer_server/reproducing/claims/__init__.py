"""Claims of a paper: its results, found by rules, and what a model adds to them.

- `numbers.py`: a cell's or sentence's text → values with digits, percent signs and spreads.
- `vocabulary.py`, `vocabulary.yaml`: names of metrics (with their direction) and data sets.
- `tables.py`: result tables → claims. `prose.py`: sentences → claims.
- `completed.py`: what a model named → claims, as far as the paper has them letter by letter.
- `find.py`: the door: all claims of a paper, the same number in a table and a sentence once.
"""
