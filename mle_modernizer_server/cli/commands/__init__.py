"""The commands: each parses its arguments, calls the workflow or reads data, prints, and exits."""
