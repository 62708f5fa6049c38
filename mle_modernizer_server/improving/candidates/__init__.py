"""Versions of a notebook that may score better, written by codemods; no model is called.

In: a notebook and facts about its task. Out: named versions, each with its change as a message
code. A version is offered only if the code shows that it applies.

    variant.py       input and result of a codemod
    offers.py        all codemods over a notebook, and several versions in one
    the others       a codemod each
"""
