"""A notebook's code as one program, and the rounds of codemods over it.

In: a notebook's cells. Out: rewritten cells, with what was changed and what was uncertain.

    source.py     a cell's text, with IPython syntax masked and restored
    cell_code.py  one parsed cell: scopes, bindings, positions
    flow.py       which bindings may reach a statement
    program.py    all cells, with names resolved across them
    registry.py   which codemod handles which node
    naming.py     names and imports for new code
    context.py    what a codemod gets, and what it may return
    time_limit.py the processor time for one question
    engine.py     rounds over all nodes until nothing changes
    staging.py    from changes to plan, edits and reasons
    matches.py    which rules apply to a notebook, without rewriting it
    own_classes.py  the notebook's own classes, and the methods their objects may have
    settings.py   parameters that models get by grids and by `set_params`
    imports.py, removal.py, tree.py  inserting imports, removing statements, libcst helpers
"""
