"""Whether a notebook can be run here at all."""

from __future__ import annotations

from mle_modernizer_server.domain.errors import BadNotebook
from mle_modernizer_server.domain.notebook import Notebook


def check_runnable(notebook: Notebook, *, name: str = "The notebook") -> None:
    """Refuse a notebook that nothing could be learnt from by running it.

    Args:
        notebook: Its sources.
        name: What messages call it.

    Raises:
        BadNotebook: It is in another language, has no code, or two cells of the same id.
    """
    if notebook.language != "python":
        language = notebook.language[:50].capitalize()
        raise BadNotebook(
            f"{name} is a notebook in {language}; only Python notebooks can be modernized."
        )
    if not any(cell.source.strip() for cell in notebook.code_cells()):
        raise BadNotebook(
            f"{name} has no code to run. Open a notebook with at least one code cell."
        )
    ids = [cell.id for cell in notebook.cells]
    if len(set(ids)) != len(ids):
        raise BadNotebook(f"{name} has two cells of the same id; save it again with JupyterLab.")
