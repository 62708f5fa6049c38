"""What a notebook's code does with data and models, as far as the code shows it; nothing runs.

estimators.py scikit-learn's estimators by family and task
families.py   which families of models it constructs
slices.py     which statements take part in what a notebook submits
pipeline.py   its models, tables and target
edits.py      a changed version of the notebook
"""
