"""A paper → what it claims, what it requires, and a notebook to fill in. No session, no model.

In: `Paper`. Out: `Claim`s, a checklist of `Requirement`s, a skeleton notebook.

- `claims/`: numbers with data set, method, metric, spread and place, from tables and sentences.
- `checklist.py`: which requirements of a method are stated, where, and with what value;
  `requirements.yaml` is what it looks for.
- `sentences.py`: the sentences of a section with their places.
"""
