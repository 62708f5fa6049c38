"""The REST interface: each handler turns one request into one call of `Modernizer`.

In: JSON, validated against a message. Out: domain values as JSON, or an error with its code.

- `handlers.py`: the routes, and the handlers of sessions. `measurements.py`, `papers.py`,
  `prompts.py`, `batches.py`, `agents.py`: further handlers, by topic.
- `endpoint.py`: authentication, body limits, and the only place where an error becomes a status.
- `late_routes.py`: routes that wait until the handlers are loaded.
- `messages.py`: requests and small answers. `schema.py`: writes their JSON schema.
- `info.py`: capabilities of this server. `contents.py`: files of the file browser.
- `hints.py`: the event on Jupyter's bus that a session changed.
"""
