"""Rules for scikit-learn, with the codemods they need."""
