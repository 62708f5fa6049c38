"""Reads files and texts that a stranger may have written: within limits, and never a pipe.

- `private_folders.py`: folders that no run may read.
- `programs.py`: finds and starts programs, never by way of the current folder.
"""
