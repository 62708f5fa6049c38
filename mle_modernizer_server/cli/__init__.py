"""The command line: `jupyter modernize`.

In: arguments and a notebook's file. Out: text on the terminal, files, an exit code.

- `command.py`: the process around it: what starts first, and leaving at once.
- `reading_ahead.py`: the process that looks into the notebook while the command loads.
- `schema_formats.py`: what that and the command leave out of a library.
- `main.py`: which command; `commands/`: one file each.
- `options.py`, `option_types.py`, `budget_options.py`, `choices.py`: arguments and what they mean.
- `work.py`: the workflow driven from synchronous code, with signals.
- `terminal/`: what is shown. `exit_codes.py`: what programs are told.
"""
