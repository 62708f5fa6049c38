"""A notebook's code as one program, and the rounds of codemods over it.

In: a notebook's cells. Out: rewritten cells with what was done and what was doubted.

    source.py     a cell's text, IPython's own syntax set aside and put back
    cell_code.py  one parsed cell: scopes, bindings, places
    flow.py       which bindings may reach a statement
    program.py    all cells, names resolved across them
    registry.py   which codemod wants to see which node
    naming.py     the name of what new code needs, and the import for it
    context.py    what a codemod sees, and what it may answer
    engine.py     rounds over all nodes until nothing more is to be done
    staging.py    from what was done to plan, edits and reasons
"""
