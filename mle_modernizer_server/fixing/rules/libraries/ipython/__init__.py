"""Rules for IPython, with the codemods they need."""
