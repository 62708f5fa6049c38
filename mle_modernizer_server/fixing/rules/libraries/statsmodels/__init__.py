"""Rules for statsmodels, with the codemods they need."""
