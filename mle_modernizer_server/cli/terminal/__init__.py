"""Terminal output: progress, tables, diffs, questions, without escape sequences of others."""
