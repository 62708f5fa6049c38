"""Rules for transformers, with the codemods they need."""
