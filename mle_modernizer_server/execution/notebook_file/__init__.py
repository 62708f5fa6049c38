"""A notebook's file: read as it is, written with only the changed cells' code replaced.

In: a path, and later the sources wanted. Out: `NotebookFile`; the file's bytes with other sources.

- `notebook_file.py`: reading and writing files. `rewriting.py`: other sources in the JSON text.
- `json_spans.py`: where the values of a JSON text lie in it.
"""

from __future__ import annotations

from mle_modernizer_server.execution.notebook_file.notebook_file import (
    Defaults,
    NotebookFile,
    check_output,
    open_notebook,
    write_file,
)

__all__ = ["Defaults", "NotebookFile", "check_output", "open_notebook", "write_file"]
