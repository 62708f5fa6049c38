"""A fix that held becomes a rule, so that the same change is paid for once.

In: a `Lesson`, the notebook before and after a fix that ended its errors. Out: rules as data, each
of which makes of the old notebook, by itself or with the others, the very code that ran.

    changes.py     the calls that a fix wrote anew
    generalise.py  what several such calls have in common: one fix as data
    learn.py       the rule around it, and the proof that it does the same
"""
