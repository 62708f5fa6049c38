"""The rounds of codemods over a notebook's program (`code.program`).

In: a notebook's cells. Out: rewritten cells, with what was changed and what was uncertain.

    registry.py   the codemods of each node
    naming.py     names and imports for new code
    written_names.py  addresses that a fix writes
    context.py argument and results of a codemod
    engine.py     rounds over all nodes until nothing changes
    staging.py    from changes to plan, edits and reasons; brief.py: reasons in short
    matches.py    which rules apply to a notebook, without rewriting it
    columns.py    a column of a DataFrame as people write it
    shapes.py, lines.py  parts of common expressions, and lines inserted next to one
    imports.py, removal.py  inserting imports, removing statements
"""
