"""Fixes: a diagnosis and a notebook in, a `Proposal` out.

- `fixer.py`: the interface of every fixer.
- `rules/`: the offline fixer: known breaking changes and codemods.
- `llm/`: the fixer that asks a language model, and other requests to models.
- `integrity/`: checks of a patch, and the meaning of each edit for the experiment.
- `reseeding.py`: a notebook with other seeds.
"""
