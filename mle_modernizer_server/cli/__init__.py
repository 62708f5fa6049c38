"""The command line: `jupyter modernize`.

In: arguments and a notebook's file. Out: text on the terminal, files, an exit code.

- `command.py`: the entry point: early starts, and a fast exit.
- `reading_ahead.py`: a process that reads the notebook while the command loads.
- `main.py`: selects the command. `commands/`: one file per command.
- `arguments.py`, `flags.py`, `option_types.py`: the parser, made from models of options.
- `options.py`, `notebook_options.py`, `paper_options.py`: models; the others are in `commands/`.
- `choices.py`: the settings of a run, from options, metadata and defaults.
- `work.py`: runs the asynchronous workflow from synchronous code, with signals.
- `terminal/`: output. `exit_codes.py`: exit codes.
"""
