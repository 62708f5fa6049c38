"""Rules for Python 3 and its standard library, with the codemods they need."""
