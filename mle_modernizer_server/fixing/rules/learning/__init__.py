"""A fix that held becomes a rule, so that the same change is paid for once.

In: a `Lesson`, the notebook before and after a fix that ended its errors. Out: rules as data, which
make of the old notebook the code that ran: the same syntax, by whatever name it imports things.

    changes.py     the calls that a fix wrote anew
    generalise.py  what several such calls have in common: one fix as data
    meaning.py     what a cell does, whatever it calls the things it has imported
    learn.py       the rule around it, and the proof that it does the same
"""
