"""Rules for PyTorch, with the codemods they need."""
