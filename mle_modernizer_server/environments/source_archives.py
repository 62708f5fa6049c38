"""Source archive → wheel, for a package that is Python alone and was never published as a wheel.

Nothing of the archive is run: no `setup.py`, no build backend. The package's own files are taken as
they are, and their requirements from the archive's metadata. An archive with anything to compile,
or whose files are not Python 3, is left alone.

Source: the layout of source distributions,
https://packaging.python.org/en/latest/specifications/source-distribution-format/
"""

from __future__ import annotations

import base64
import hashlib
import io
import re
import tarfile
import zipfile
from collections.abc import Iterator, Mapping
from email.parser import BytesHeaderParser
from pathlib import Path, PurePosixPath

from packaging.requirements import InvalidRequirement, Requirement

from mle_modernizer_server.code.ipython import parse_python
from mle_modernizer_server.untrusted.archives import UNREADABLE

MOST_PACKED = 20_000_000
"""Bytes of an archive."""
_MOST_BYTES = 100_000_000
_MOST_FILES = 5_000
_MOST_CODE = 5_000_000
_COMPILED = frozenset(
    {
        *(".c", ".cc", ".cpp", ".cxx", ".pyx", ".pxd", ".f", ".f90", ".rs", ".go", ".m", ".cu"),
        *(".so", ".pyd", ".dll", ".dylib", ".a", ".o"),
    }
)
_OF_SETUP = re.compile(
    rb"\bext_modules\b|\bcffi_modules\b|\bExtension\s*\(|\buse_2to3\b|\bcythonize"
)
_ASIDE = frozenset({"test", "tests", "testing", "doc", "docs", "example", "examples", "benchmarks"})
"""Folders next to the package's own."""
_DEEPEST = 3
"""Folders above a package within its archive: `lib/pydotplus`."""
_SECTION = re.compile(r"\[(?P<extra>[^:\]]*)(?::(?P<marker>[^\]]*))?\]$")
_STAMP = (2020, 1, 1, 0, 0, 0)

Files = Mapping[PurePosixPath, bytes]


def wheel_of(archive: bytes, name: str, version: str, folder: Path) -> Path | None:
    """Write the wheel of a source archive.

    Args:
        archive: A `.tar.gz`, `.tar.bz2` or `.zip`.
        name: The distribution's name, normalized.
        version: Its version.
        folder: Target folder of the wheel.

    Returns:
        The wheel; None if the archive is not one of pure Python, or cannot be read.
    """
    try:
        files = _read(archive)
    except (OSError, tarfile.TarError, *UNREADABLE):
        return None
    if files is None or _is_compiled(files):
        return None
    own = _own_files(files, name)
    requires = _requires(files)
    if not own or requires is None or not _is_python3(own):
        return None
    if any(b"pkg_resources" in code for path, code in own.items() if path.suffix == ".py"):
        requires = (*requires, "setuptools<81")  # which the setup had, and later ones have not
    folder.mkdir(parents=True, exist_ok=True)
    wheel = folder / wheel_name(name, version)
    making = wheel.with_suffix(".making")
    making.write_bytes(_packed(own, name, version, requires))
    making.replace(wheel)
    return wheel


def wheel_name(name: str, version: str) -> str:
    """Return the file name of the wheel made from a distribution's source archive."""
    return f"{name.replace('-', '_')}-{version}-py3-none-any.whl"


def _read(archive: bytes) -> Files | None:
    """Return the regular files by path, without the one folder around them; None if too many."""
    found: dict[PurePosixPath, bytes] = {}
    left = _MOST_BYTES
    for text, content in _members(archive):
        path = PurePosixPath(text.replace("\\", "/"))
        if path.is_absolute() or ".." in path.parts or len(path.parts) < 2:
            continue
        if not text.isprintable() or set(text) & set(',"'):
            continue  # no name in the list of a wheel's files, which is a CSV
        left -= len(content)
        if left < 0 or len(found) >= _MOST_FILES:
            return None
        found[PurePosixPath(*path.parts[1:])] = content
    return found


def _members(archive: bytes) -> Iterator[tuple[str, bytes]]:
    stream = io.BytesIO(archive)
    if zipfile.is_zipfile(stream):
        with zipfile.ZipFile(stream) as packed:
            for item in packed.infolist()[: _MOST_FILES * 2]:
                if not item.is_dir():
                    with packed.open(item) as file:
                        yield item.filename, file.read(_MOST_BYTES + 1)
        return
    stream.seek(0)
    with tarfile.open(fileobj=stream, mode="r:*") as tape:
        for number, entry in enumerate(tape):
            if number > _MOST_FILES * 2:
                return
            if entry.isreg() and entry.size <= _MOST_BYTES:
                content = tape.extractfile(entry)
                if content is not None:
                    yield entry.name, content.read(_MOST_BYTES + 1)


def _is_compiled(files: Files) -> bool:
    inner = [path for path in files if not _ASIDE & set(path.parts[:-1])]
    setup = files.get(PurePosixPath("setup.py"), b"")
    return any(path.suffix.lower() in _COMPILED for path in inner) or bool(_OF_SETUP.search(setup))


def _own_files(files: Files, name: str) -> dict[PurePosixPath, bytes]:
    """Return the files of the packages and modules that are installed, by their place there."""
    own: dict[PurePosixPath, bytes] = {}
    for top in _top_levels(files, name):
        places = [path for path in files if path.name == "__init__.py" and path.parent.name == top]
        places += [path for path in files if path.name == f"{top}.py"]
        near = [path for path in places if len(path.parts) <= _DEEPEST + 1]
        if not near:
            continue
        place = min(near, key=lambda path: (len(path.parts), path.name != "__init__.py"))
        if place.name != "__init__.py":
            own[PurePosixPath(place.name)] = files[place]
            continue
        for path, content in files.items():
            if place.parent in path.parents and path.suffix != ".pyc":
                own[path.relative_to(place.parent.parent)] = content
    return own


def _top_levels(files: Files, name: str) -> list[str]:
    told = _metadata(files, "top_level.txt")
    if told is not None:
        names = [line.strip() for line in told.decode("utf-8", "replace").splitlines()]
        names = [one for one in names if one.isidentifier() and one not in _ASIDE]
        if names:
            return names
    module = re.sub(r"[-.]", "_", name).lower()
    around = {path.parent.name for path in files if path.name == "__init__.py"}
    around |= {path.stem for path in files if path.suffix == ".py"}
    return [one for one in sorted(around) if one.lower() == module]


def _requires(files: Files) -> tuple[str, ...] | None:
    """Return the distribution's requirements; None if one is more than a name and versions."""
    info = BytesHeaderParser().parsebytes(files.get(PurePosixPath("PKG-INFO"), b""))
    rows = [str(row) for row in info.get_all("Requires-Dist") or ()]
    told = _metadata(files, "requires.txt")
    if not rows and told is not None:
        rows = list(_rows_of(told.decode("utf-8", "replace")))
    found = []
    for row in rows:
        try:
            requirement = Requirement(row)
        except InvalidRequirement:
            return None
        if requirement.url:
            return None
        if requirement.marker is None or "extra" not in str(requirement.marker):
            found.append(str(requirement))
    return tuple(found)


def _rows_of(text: str) -> Iterator[str]:
    """Yield the rows of setuptools' `requires.txt` that hold without an extra."""
    marker, counts = "", True
    for line in map(str.strip, text.splitlines()):
        if section := _SECTION.fullmatch(line):
            counts, marker = not section["extra"], section["marker"] or ""
        elif line and counts:
            yield f"{line}; {marker}" if marker else line


def _metadata(files: Files, name: str) -> bytes | None:
    """Return a file of the archive's own `*.egg-info`."""
    places = [path for path in files if path.name == name and path.parent.suffix == ".egg-info"]
    return files[min(places, key=lambda path: len(path.parts))] if places else None


def _is_python3(own: Files) -> bool:
    left = _MOST_CODE
    for path, content in own.items():
        if path.suffix != ".py" or _ASIDE & set(path.parts):
            continue
        left -= len(content)
        if left < 0:
            return False
        try:
            parse_python(content.decode("utf-8-sig"))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return False
    return True


def _packed(own: Files, name: str, version: str, requires: tuple[str, ...]) -> bytes:
    info = f"{name.replace('-', '_')}-{version}.dist-info"
    rows = "".join(f"Requires-Dist: {row}\n" for row in requires)
    content = {str(path): data for path, data in own.items()}
    content[f"{info}/METADATA"] = (
        f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{rows}\n".encode()
    )
    content[f"{info}/WHEEL"] = (
        b"Wheel-Version: 1.0\nGenerator: mle-modernizer\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    )
    record = "".join(
        f"{path},sha256={_digest(data)},{len(data)}\n" for path, data in content.items()
    )
    content[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in content.items():
            wheel.writestr(zipfile.ZipInfo(path, _STAMP), data, zipfile.ZIP_DEFLATED)
    return stream.getvalue()


def _digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
