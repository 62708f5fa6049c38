"""A notebook's file: read as it is, written with only the code of changed cells replaced.

In: a path, and later the new sources. Out: a `NotebookFile`; the file's bytes with new sources.

- `notebook_file.py`: reads and writes files. `rewriting.py`: replaces sources in the JSON text.
- `json_spans.py`: the positions of values in a JSON text.
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
