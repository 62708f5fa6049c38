"""A better score that can be trusted: validation folds, and what they show of candidates.

In: a competition's public training data, a notebook, candidates. Out: for each candidate *better*,
*cannot be told apart* or *worse*, with the interval of its gain. No printed score is trusted: the
notebook runs unchanged on each fold, whose answers are sealed, and its submission is graded.

- `folds.py`: the public training data cut into validation competitions
- `fold_split.py`: which rows a fold holds out: random, stratified, grouped or by time
- `code/`: what the notebook's code does with data and models
- `blocks.py`: the parts of the notebook and what each does
- `ablation.py`: versions with a part taken out, which show what the part is worth
- `candidates/`: versions of it that may score better, a codemod each
- `catalogue/`: models and recipes with examples that run, searched by words
- `guards/`: leaks in the code, and data that nobody opened
- `blending.py`: weights of a blend from the predictions on the folds, and its notebook
- `draft/`: a first notebook from a competition's public files
- `compare.py`: the corrected paired t-test over folds
"""
