"""A small, consistent sample of a competition's public data."""
