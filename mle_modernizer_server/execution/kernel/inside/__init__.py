"""inside."""
