"""Run by other Pythons, 3.6 and newer, isolated and from its own text: prints their packages.

Nothing is imported but the standard library: a name is looked up, and versions are read from the
metadata of installed packages. Arguments: a JSON list of import names, and the folder of the user's
packages, if they count. Prints one line of JSON behind a mark.
"""

import json
import os
import re
import stat
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

MARK = "mle-modernizer-environment:"
MOST_ENTRIES = 100000
MOST_DISTRIBUTIONS = 5000
"""Of one folder. A folder of a stranger's may hold any number."""


def _find(name: str) -> bool:
    # The finders are queried for a top-level name, which imports nothing.
    from importlib.machinery import BuiltinImporter, FrozenImporter, PathFinder

    for finder in (BuiltinImporter, FrozenImporter):
        if finder.find_spec(name) is not None:
            return True
    try:
        return PathFinder.find_spec(name) is not None or _by_hook(name)
    except (ImportError, ValueError, OSError):
        return False


def _by_hook(name: str) -> bool:
    # Editable installs bring finders of their own.
    for finder in sys.meta_path:
        find = getattr(finder, "find_spec", None)
        if find is None or getattr(finder, "__module__", "").startswith("_frozen_importlib"):
            continue
        try:
            if find(name, None, None) is not None:
                return True
        except (ImportError, AttributeError, TypeError, ValueError, OSError):
            continue  # a finder of somebody else's that does not work
    return False


def read_text(path: Path, most: int = 200000) -> str:
    """Return the beginning of a regular file; "" if there is none or it cannot be read.

    Opening a pipe that nobody writes to would wait for ever.
    """
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        descriptor = os.open(str(path), flags)
    except (OSError, ValueError):
        return ""
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        return ""
    with os.fdopen(descriptor, "rb") as stream:
        try:
            return stream.read(most).decode("utf-8", "replace")
        except OSError:
            return ""


def described(folder: str) -> "Iterator[tuple[str, str, list[str]]]":
    """Yield (name, version, top-level names) of each distribution installed in one folder."""
    try:
        entries = sorted(islice(Path(folder).iterdir(), MOST_ENTRIES))
    except OSError:
        return
    entries = [entry for entry in entries if entry.suffix in (".dist-info", ".egg-info")]
    for entry in entries[:MOST_DISTRIBUTIONS]:
        if entry.suffix == ".dist-info":
            metadata = read_text(entry / "METADATA")
        else:
            metadata = read_text(entry / "PKG-INFO") or read_text(entry)
        head = metadata.split("\n\n", 1)[0]
        name = re.search(r"^Name: *(.+?)\s*$", head, re.M)
        version = re.search(r"^Version: *(.+?)\s*$", head, re.M)
        if name and version:
            yield name.group(1), version.group(1), _tops(entry, name.group(1))


def _tops(path: Path, name: str) -> "list[str]":
    listed = read_text(path / "top_level.txt").split()
    if listed:
        return listed
    found = set()  # type: set[str]
    for row in read_text(path / "RECORD").splitlines():
        first = row.split(",", 1)[0].strip('"').split("/", 1)
        if len(first) == 2 and not first[0].endswith((".dist-info", ".data")):
            found.add(first[0])
        elif len(first) == 1 and first[0].endswith(".py"):
            found.add(first[0][:-3])
    return sorted(found) or [re.sub(r"[-.]+", "_", name)]


def describe(names: "list[str]", user_site: str) -> "dict[str, object]":
    """Return the answer as plain data."""
    if user_site:
        import site

        site.addsitedir(user_site)
    versions = {}  # type: dict[str, str]
    kernel = ""
    for folder in sys.path:
        for name, version, tops in described(folder):
            if re.sub(r"[-_.]+", "-", name).lower() == "ipykernel":
                kernel = kernel or version
            for top in tops:
                versions.setdefault(top, version)
    present = [name for name in names if _find(name)]
    return {
        "executable": sys.executable,
        "version": list(sys.version_info[:3]),
        "directories": sorted({sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix}),
        "path": [entry for entry in sys.path if entry],
        "ipykernel": kernel if _find("ipykernel") else "",
        "packages": {name: versions.get(name, "") for name in present},
    }


if __name__ == "__main__":
    answer = describe(json.loads(sys.argv[1]), sys.argv[2])
    sys.stdout.write("\n" + MARK + json.dumps(answer) + "\n")
