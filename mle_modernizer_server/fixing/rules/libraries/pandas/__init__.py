"""Rules for pandas, with the codemods they need."""
