"""Rules for TensorFlow, with the codemods they need."""
