"""Reads files and texts that a stranger may have written: within limits, and never a pipe.

- `private_folders.py`: which folders no run may be shown.
- `programs.py`: finds and starts programs, never by way of the current folder.
"""
