"""MLE Modernizer: makes old machine-learning notebooks reproducible again."""

from __future__ import annotations

from mle_modernizer_server._version import __version__

__all__ = ["__version__"]


def _jupyter_labextension_paths() -> list[dict[str, str]]:
    """Return the folder of the prebuilt front end, for JupyterLab."""
    return [{"src": "labextension", "dest": "mle-modernizer"}]


def _jupyter_server_extension_points() -> list[dict[str, object]]:
    """Return the module of the server extension, for Jupyter Server."""
    from mle_modernizer_server.extension import ModernizerExtension

    return [{"module": "mle_modernizer_server", "app": ModernizerExtension}]
