"""REST handlers and event hints."""
