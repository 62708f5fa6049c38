"""Rules for seaborn, with the codemods they need."""
