"""A paper → what it claims, what it requires, and a notebook to fill in. No session, no model.

In: `Paper`. Out: `Claim`s, a checklist of `Requirement`s, a skeleton notebook.

- `claims/`: numbers with data set, method, metric, spread and place, from tables and sentences;
  what a model adds, as far as the paper confirms it.
- `checklist.py`: which requirements of a method are stated, where, and with what value;
  `requirements.yaml` is what it looks for.
- `lineage.py`: the cited works that it builds on, by its own words about them.
- `cited_works.py`: where those are at hand, and what they state in the paper's place;
  `cited_code.py`: code that names them, installed or in a folder.
- `experiment.py`: the claims that a person picked and the checklist → an `Experiment`;
  `stated_values.py`: what a paper states → a Python literal.
- `skeleton.py`: an `Experiment` → a notebook to be filled in; `datasets.yaml`: data that libraries
  bring with them.
- `hidden.py`: takes the claimed numbers out of what code is written by.
- `stages.py`: the stages in which a model fills it in, and the copy that each is tried with.
- `alignment.py`: the notebook's code against the checklist, by static facts.
- `judging.py`: the numbers that a run printed against the claimed ones.
- `sentences.py`: the sentences of a section with their places.
"""
