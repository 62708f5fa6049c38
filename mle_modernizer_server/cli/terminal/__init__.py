"""What the terminal shows: progress, tables, diffs, questions; hostile text is made harmless."""
