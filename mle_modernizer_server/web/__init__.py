"""The REST interface: each handler turns one request into one call of `Modernizer`.

In: JSON, validated against a message. Out: domain values as JSON, or an error with its code.

- `handlers.py`: the table of routes, and the handlers of sessions. `papers.py`, `batches.py`,
  `agents.py`: further handlers, by topic. `calls.py`: handlers that are one call.
- `endpoint.py`: authentication, body limits, and the only place where an error becomes a status.
- `late_routes.py`: routes that wait until the handlers are loaded.
- `messages.py`: requests and small answers. `schema.py`: writes their JSON schema.
- `info.py`: capabilities of this server. `contents.py`: files of the file browser.
- `hints.py`: the event on Jupyter's bus that a session changed.
"""
