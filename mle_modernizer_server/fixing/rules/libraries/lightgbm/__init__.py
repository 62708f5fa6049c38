"""Rules for LightGBM, with the codemods they need."""
