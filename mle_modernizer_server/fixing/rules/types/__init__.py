"""What an expression is: DataFrame, Series, array, estimator, text, or not known.

In: a node of a program. Out: a `Type` that all ways to it agree on, or None.

    type.py           the types there are
    inference.py      from a node to its type, certain or guessed
    returns.py        what calls give, from the libraries' own stubs and docs (`returns.json`)
    observed.py       what the kernel said after each cell
    columns.py, selection.py, pandas.py, deep_learning.py    parts of tables and libraries
"""
