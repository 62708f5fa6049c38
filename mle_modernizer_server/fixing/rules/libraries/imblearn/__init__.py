"""Rules for imbalanced-learn, with the codemods they need."""
