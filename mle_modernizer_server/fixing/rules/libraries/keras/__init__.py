"""Rules for Keras, with the codemods they need."""
