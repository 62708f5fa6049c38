"""A paper → its claims, its method's requirements, and a notebook to fill in. No session, no model.

In: a `Paper`. Out: `Claim`s, a checklist of `Requirement`s, a notebook.

- `claims/`: numbers with data set, method, metric, spread and place, from tables and sentences;
  claims that a model adds, if the paper confirms them.
- `checklist.py`: the requirements of a method that the paper states, with places and values;
  `requirements.yaml` lists them.
- `lineage.py`: the cited works that the paper builds on, by its own sentences.
- `cited_works.py`: the available ones of them, and the values they state for the paper;
  `cited_code.py`: installed libraries and repositories that name them.
- `experiment.py`: chosen claims and the checklist → an `Experiment`;
  `stated_values.py`: a stated value → a Python literal.
- `skeleton.py`: an `Experiment` → a notebook to fill in; `datasets.yaml`: data sets that come with
  libraries.
- `hidden.py`: removes the claimed numbers from the inputs of models and from notebooks.
- `stages.py`: the stages in which a model writes the notebook, and the copy each is tried with.
- `alignment.py`: compares the notebook's code with the checklist, without running it.
- `judging.py`: compares printed results with claimed ones.
- `sentences.py`: the sentences of a section with their places.
"""
