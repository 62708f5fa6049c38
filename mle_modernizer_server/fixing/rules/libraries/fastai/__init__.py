"""Rules for fastai, with the codemods they need."""
