"""Files of the network that a person agreed to: fetched once, outside of any sandbox, and kept.

In: an address that a person named or agreed to. Out: a file, which runs are shown read-only.

- `download.py`: fetches one address within bounds of size, time and redirects.
- `connecting.py`: opens connections to public addresses only, checked when they are opened.
- `kept.py`: the folder of what was fetched, listed and removable.
"""
