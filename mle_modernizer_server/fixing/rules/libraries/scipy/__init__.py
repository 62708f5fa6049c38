"""Rules for SciPy, with the codemods they need."""
