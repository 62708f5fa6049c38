"""Folders of this machine that no run may read."""

from __future__ import annotations

from pathlib import Path

_SYSTEM = ("/etc", "/proc", "/sys", "/dev", "/run", "/boot")
_OF_PEOPLE = ("/home", "/Users", "/root", "/var", "/tmp", "/mnt", "/media", "/srv")


def exposes_private_files(directory: Path) -> bool:
    """Return whether a sandbox that mounts a directory exposes private files.

    Private are a home directory, the settings of the system, and any directory around them.
    """
    place = directory.resolve()
    home = Path.home().resolve()
    if place in (home, *home.parents, home / ".local", Path(place.anchor)):
        return True
    return (
        str(place) in _OF_PEOPLE
        or str(place.parent) in ("/home", "/Users")
        or any(Path(folder) in (place, *place.parents) for folder in _SYSTEM)
    )
