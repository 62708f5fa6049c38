"""differential."""
