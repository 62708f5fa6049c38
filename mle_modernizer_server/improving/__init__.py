"""A better score beyond chance: compares versions of a notebook on validation folds.

In: a competition's public training data, a notebook, candidates. Out: for each candidate *better*,
*cannot be told apart* or *worse*, with the interval of its gain. Printed scores are not used: the
notebook runs unchanged on each fold, its answers are hidden, and its submission is graded.

- `folds.py`: cuts the public training data into validation competitions
- `fold_split.py`: which rows a fold holds out: random, stratified, grouped or by time
- `edits.py`: a changed version of the notebook
- `ablation.py`: versions without one part, which show how much the part contributes
- `candidates/`: versions that may score better, one codemod each
- `catalogue/`: models and recipes with runnable examples, full-text search
- `unopened.py`: public data files that the code does not name
- `blending.py`: the weights of a blend from predictions on the folds, and its notebook
- `draft/`: a first notebook from a competition's public files
- `compare.py`: the corrected paired t-test over folds
"""
