"""Turns a model's fix that worked into a rule, so that the same change is paid for only once.

In: a `Lesson`: the notebook before and after a fix that ended its errors. Out: rules as data that
turn the old notebook into the code that ran: the same syntax, under any import name.

    changes.py     the calls that a fix rewrote
    generalise.py  the common fix of several such calls, as data
    meaning.py     the behaviour of a cell, independent of import names
    learn.py       the rule, and the check that it does the same
"""
