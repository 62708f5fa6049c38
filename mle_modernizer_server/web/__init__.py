"""The REST interface: each handler turns one request into one call of `Modernizer`.

In: JSON that is checked against a message. Out: domain values as JSON, or an error with its code.

- `handlers.py`: sessions and routes; `measurements.py`, `statistics.py`, `prompts.py`: theirs.
- `endpoint.py`: authentication, the body's check, the one place where an error becomes a status.
- `messages.py`: requests and small answers; `schema.py` writes their JSON schema for the front end.
- `info.py`: what this server can do. `contents.py`: files of the file browser.
- `batches.py`: a batch's folder, looked at and reviewed.
- `papers.py`: what a paper says.
- `hints.py`: the event on Jupyter's bus that a session changed.
"""
