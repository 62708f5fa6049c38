"""Rules for Matplotlib, with the codemods they need."""
