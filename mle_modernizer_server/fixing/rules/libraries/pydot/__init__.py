"""Rules for pydot, with the codemods they need."""
