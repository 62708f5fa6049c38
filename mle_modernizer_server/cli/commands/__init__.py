"""The commands: each parses its arguments, asks the workflow (or data), prints, and exits."""
