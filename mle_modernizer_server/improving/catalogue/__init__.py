"""Models and recipes, each with a runnable example.

In: words, a task, the installed packages. Out: the matching entries, the best first. Entries are
data: they are quoted to a model, never followed as instructions.

- `entries/`: the entries in YAML, one file per type of task
- `entry.py`: an entry, and how a file is read
- `shelf.py`: all entries in use, built-in and the user's own, and BM25 over their words
- `endpoint.py`: the optional web search, which sends the query and nothing else
"""
