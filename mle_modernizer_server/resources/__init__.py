"""Files from the network, fetched once with the user's consent, outside of any sandbox, and stored.

In: an address that the user entered or agreed to. Out: a file, which runs can read.

- `download.py`: downloads one address within limits of size, time and redirects.
- `connecting.py`: connects to public addresses only, checked when the connection is opened.
- `body.py`: reads a response within limits; other rooms with requests to web servers use it, too.
- `store.py`: the folder of fetched files: list, remove.
"""
