"""Offline fixes: knowledge of breaking changes and the codemods that mend them.

In come a notebook, what is installed and what a run raised; out go a proposal, or what will break.

    rule.py      the schema: one rule a breaking change, its fix mostly as data
    libraries/   the rules, a folder a library; fixes that need code are codemods beside them
    knowledge.py all rules, and which of them concern what is installed
    relevance.py which of them a notebook meets in its code
    compiled.py  the rules' YAML, kept in a form that is read faster
    analysis.py  what can be asked of all this, here or in a process of its own
    analysis_process.py  that process, as who asks sees it
    fixer.py     which rules take part after a run, and the proposal
    preflight.py before a run: what will break, and one patch for it
    probe.py     which silent changes are worth a differential run, and what it says
    engine/      from cells to edits: sources, scopes, nodes, rounds, staging
    types/       what an expression is: DataFrame, Series, estimator, …
    generic/     the codemods that are told what to do by the rules' data
    era/         when a notebook was written, and for which versions
    python2/     cells that only Python 2 can parse
"""
