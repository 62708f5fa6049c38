"""paused."""
