"""Rules for bayes_opt, with the codemods they need."""
