"""Rules for shap, with the codemods they need."""
