"""Rules for Python 2, with the codemods they need."""
