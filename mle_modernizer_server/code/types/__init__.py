"""Type of an expression: DataFrame, Series, array, estimator, text, or unknown.

In: a node of a program. Out: a `Type` that all ways to it agree on, or None.

    type.py           all types
    inference.py      from a node to its type, certain or guessed
    returns.py        types that calls return, by the libraries' stubs and docs (`returns.json`) and
                      our own table (`returns.yaml`)
    observed.py       the types that the kernel reported after each cell
    selection.py      parts of tables and lists
"""
