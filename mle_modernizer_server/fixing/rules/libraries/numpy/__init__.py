"""Rules for NumPy, with the codemods they need."""
