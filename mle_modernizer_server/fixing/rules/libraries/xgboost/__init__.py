"""Rules for XGBoost, with the codemods they need."""
