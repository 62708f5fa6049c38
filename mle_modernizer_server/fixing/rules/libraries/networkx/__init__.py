"""Rules for NetworkX, with the codemods they need."""
