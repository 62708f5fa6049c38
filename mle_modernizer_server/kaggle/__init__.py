"""Kaggle's own site, by the `kaggle` package and the user's token: data, notebooks, scores.

Optional: nothing of this is imported before a person asks for it, and nothing else needs it.
"""
