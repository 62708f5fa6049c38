"""Rules for OpenCV, with the codemods they need."""
