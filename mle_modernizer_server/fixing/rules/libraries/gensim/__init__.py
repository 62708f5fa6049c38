"""Rules for gensim, with the codemods they need."""
