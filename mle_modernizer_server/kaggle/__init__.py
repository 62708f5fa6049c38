"""Kaggle's site, through the `kaggle` package and the user's token: data, notebooks, scores.

Optional: loaded only when a command needs it.

- `account.py`: signs in; why Kaggle does not answer. `archive.py`: unpacks hostile archives.
- `data.py`, `notebooks.py`: downloads. `submission.py`: late submissions.
"""
