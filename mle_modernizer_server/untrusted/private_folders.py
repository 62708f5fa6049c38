"""Which folders of this machine no run may be shown."""

from __future__ import annotations

from pathlib import Path

_SYSTEM = ("/etc", "/proc", "/sys", "/dev", "/run", "/boot")
_OF_PEOPLE = ("/home", "/Users", "/root", "/var", "/tmp", "/mnt", "/media", "/srv")


def exposes_private_files(directory: Path) -> bool:
    """Return whether a directory holds files that no run may see, so that none may be shown it.

    These are a home directory, settings of the system, and whatever contains them.
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
