"""The files of the file browser, as far as its user may see them."""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import Any

from jupyter_core.utils import ensure_async
from jupyter_server.base.handlers import APIHandler
from jupyter_server.services.contents.filemanager import FileContentsManager
from tornado.web import HTTPError

from mle_modernizer_server.domain.errors import BadCompetition
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.untrusted.files import is_file, is_folder, is_within, resolved

_MOST_BYTES = 100_000
_LARGEST_NOTEBOOK = 50_000_000
_RESOURCE = "contents"
"""Jupyter Server's name for the right to its files."""


async def may(handler: APIHandler, action: str) -> None:
    """Make sure that the user has a right to the server's files.

    Raises:
        HTTPError: 403, with Jupyter Server's own message.
    """
    if not await _is_allowed(handler, action):
        raise HTTPError(403)


def server_root(handler: APIHandler) -> Path:
    """Return the directory of the file browser.

    Raises:
        BadCompetition: The server keeps its files elsewhere than in a directory.
    """
    manager = handler.contents_manager
    if not isinstance(manager, FileContentsManager):
        raise BadCompetition(coded("request.files-elsewhere"))
    return Path(manager.root_dir)


async def notebook_folder(handler: APIHandler, path: str) -> Path | None:
    """Return a notebook's directory; None if its user may not read it, or it is no directory.

    Args:
        handler: The handler of the user's request.
        path: The notebook, as the contents API names it.
    """
    manager = handler.contents_manager
    if not isinstance(manager, FileContentsManager) or not await _is_allowed(handler, "read"):
        return None
    return folder_below(Path(manager.root_dir), str(PurePosixPath(path.lstrip("/")).parent))


def folder_below(root: Path, path: str) -> Path | None:
    """Return a folder of the file browser; None if there is none, or it leads out of the root.

    Args:
        root: The directory the file browser shows.
        path: The folder, as the contents API names it.
    """
    place = _place(root, path)
    return place if place is not None and is_folder(place) else None


def file_below(root: Path, path: str) -> Path | None:
    """Return a file of the file browser; None if there is none, or it leads out of the root.

    Args:
        root: The directory the file browser shows.
        path: The file, as the contents API names it.
    """
    place = _place(root, path)
    return place if place is not None and is_file(place) else None


def _place(root: Path, path: str) -> Path | None:
    place = resolved(root / PurePosixPath(path.lstrip("/")))
    return place if place is not None and is_within(place, root) else None


async def beside(handler: APIHandler, path: str, name: str) -> bytes | None:
    """Return the content of a small text file in the same directory as another; None if absent.

    Args:
        handler: The handler of the user's request.
        path: The other file, as the contents API names it.
        name: The file's name.
    """
    content = await _text(handler, str(PurePosixPath(path).parent / name), _MOST_BYTES)
    return None if content is None else content.encode()


async def saved_document(handler: APIHandler, path: str) -> str | None:
    """Return the text of a notebook as it is saved; None if it is not there or very large.

    Args:
        handler: Whose user asks.
        path: The notebook, as the contents API names it.
    """
    return await _text(handler, path, _LARGEST_NOTEBOOK)


async def _text(handler: APIHandler, path: str, most: int) -> str | None:
    """Return the text of a file of at most so many bytes that the user may read; else None."""
    if not await _is_allowed(handler, "read"):
        return None
    manager: Any = handler.contents_manager  # it is not typed
    try:
        facts = await ensure_async(manager.get(path, content=False, type="file"))
        if (facts.get("size") or 0) > most:
            return None
        model = await ensure_async(manager.get(path, type="file", format="text"))
    except (HTTPError, OSError, ValueError):
        return None  # it is not there, hidden, or no text: nothing depends on it
    return str(model["content"])


async def _is_allowed(handler: APIHandler, action: str) -> bool:
    is_authorized = handler.authorizer.is_authorized(
        handler, handler.current_user, action, _RESOURCE
    )
    return bool(await ensure_async(is_authorized))
