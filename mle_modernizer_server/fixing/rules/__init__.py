"""The offline fixer: known breaking changes, and the codemods that fix them.

In: a notebook, the installed versions, and the errors of a run. Out: a proposal, or a prediction of
the failures.

    rule.py      the schema: one rule per breaking change, its fix mostly as data
    code_checks.py  the pieces of Python in a rule: addresses, literals, templates
    libraries/   the rules, a folder per library; fixes that need code are codemods next to them
    user_rules.py  rules from a user's folder and from installed packages
    learning/    rules learned from a model's fixes
    knowledge.py all rules, and which of them apply to the installed versions
    relevance.py which of them apply to a notebook's code; `uses.py`: the calls in that code
    compiled.py  the rules' YAML in a form that loads faster; tables.py: tables of codemods in it
    analysis.py  every question about rules, in this process or another
    analysis_process.py  the other process, as seen by its caller
    fixer.py     selects the rules after a run, and makes the proposal
    preflight.py before a run: expected failures, and one patch for them
    absent_names.py  names of packages that the code uses and that are not there
    probe.py     the silent changes to test by a differential run, and its result
    engine/      from cells to edits: sources, scopes, nodes, rounds, staging
    generic/     codemods that are configured by the rules' data
    paths/       files that are not found, and edits of their paths
    era/         when a notebook was written, and for which versions
    python2/     cells that only Python 2 can parse
"""
