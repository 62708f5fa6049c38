"""Reads files and texts that a stranger may have written: within limits, and never a pipe.

- `archives.py`: the errors of unpacking.
- `files.py`: opens regular files only; checks of paths that no path can break.
- `guard.py`: the audit hook of processes that only read.
- `packed.py`: text files, compressed or not.
- `parsing.py`: JSON, YAML and TOML of others, with limits on nesting and numbers.
- `private_folders.py`: folders that no run may read.
- `programs.py`: finds and starts programs, never by way of the current folder.
"""
