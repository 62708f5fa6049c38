"""A notebook's models, tables and target, as far as its code shows them; nothing runs.

estimators.py  estimators by family and task
families.py    the families of models that a notebook constructs
origins.py     the expressions that names, elements, arguments and results stand for
statements.py  the statements that take part in a submission
pipeline.py    its models, tables and target
blocks.py      runs of statements with one role
rows.py        the tables whose rows an expression contains
leaks.py       places that use information they must not have
"""
