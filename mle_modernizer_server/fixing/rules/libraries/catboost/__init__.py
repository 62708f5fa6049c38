"""Rules for CatBoost, with the codemods they need."""
