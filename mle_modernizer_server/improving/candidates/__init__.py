"""Versions of a notebook that may score better, written by codemods; no model is asked.

In: a notebook and what is known of its task. Out: named versions with what each changes, as
a code. A version is offered only where the code shows that it applies.

    variant.py       what a codemod sees and what it answers
    offers.py        all codemods over a notebook, and several versions in one
    the others       a codemod each
"""
