"""Models and recipes that are worth knowing, each with an example that runs.

In: words, a task, what is installed. Out: the entries that fit, the best first. What an entry says
is data: it is quoted to a model, never followed.

- `entries/`: the entries, a file a kind of task, in YAML
- `entry.py`: an entry, and how a file is read
- `shelf.py`: all entries in use, the built-in ones and the user's own, and BM25 over their words
- `endpoint.py`: the optional search on the web, which gets a query and nothing else
"""
