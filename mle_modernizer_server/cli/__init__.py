"""The command line: `jupyter modernize`.

In: arguments and a notebook's file. Out: text on the terminal, files, an exit code.

- `command.py`: the entry point: early starts, and a fast exit.
- `reading_ahead.py`: a process that reads the notebook while the command loads.
- `main.py`: selects the command. `commands/`: one file per command.
- `setting_options.py`: the options made from the model of a session's settings.
- `arguments.py`, `options.py`, `notebook_options.py`, `option_types.py`, `choices.py`: the others.
- `work.py`: runs the asynchronous workflow from synchronous code, with signals.
- `terminal/`: output. `exit_codes.py`: exit codes.
"""
