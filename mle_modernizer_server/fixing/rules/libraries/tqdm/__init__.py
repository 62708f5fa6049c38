"""Rules for tqdm, with the codemods they need."""
