"""Rules for spaCy, with the codemods they need."""
