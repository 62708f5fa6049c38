"""Offline fixes: knowledge of breaking changes and the codemods that mend them.

`data/` holds the knowledge, one YAML file a library, one entry a breaking change (`entry.py` is
its schema). Most fixes are data for the codemods in `generic/`; those that need code of their own
are one small file each in `codemods/`. From a notebook to a patch:

    source.py    a cell's text, IPython's own syntax set aside
    cellcode.py  one parsed cell, its scopes and bindings
    program.py   all cells, names resolved across them
    kinds.py     what an expression is: DataFrame, Series, estimator, …
    registry.py  which codemod wants to see which node
    scene.py     what a codemod sees, and what it may answer: a fix, a doubt, nothing
    engine.py    rounds over all nodes until nothing more is to be done
    fixer.py     which entries take part for a run, and the proposal
    staging.py   from what was done to plan, edits and reasons

And before a run:

    releases.py  when versions came out, and what came with them (`releases.yaml`)
    sightings.py which entries a notebook has to do with, as it stands
    evidence.py  what in a notebook tells of its era
    era.py       the era that evidence speaks for
    preflight.py what will break, and one patch for it
"""
