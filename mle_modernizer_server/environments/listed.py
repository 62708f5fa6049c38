"""The Pythons that this machine lists, and which interpreters may be started.

An interpreter is a program, and a folder that was downloaded can contain one under any name, or a
link to one. So it is started only if this machine lists it outside of such a folder or root owns
it, and never if the way to it leads through such a folder. Of all others only files are read.
"""

from __future__ import annotations

import os
import re
import stat
import sys
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

from jupyter_client.kernelspec import KernelSpec, KernelSpecManager, NoSuchKernel
from jupyter_core.paths import jupyter_path

from mle_modernizer_server.domain.environment import EnvironmentOrigin
from mle_modernizer_server.environments.inspect_python import read_text
from mle_modernizer_server.untrusted.files import exists
from mle_modernizer_server.untrusted.programs import program_on_path

_NEWEST_MINOR = 20
_CONDA_ROOTS = (
    "miniconda3",
    "anaconda3",
    "miniforge3",
    "mambaforge",
    "micromamba",
    ".conda",
    "miniconda",
    "anaconda",
)
_MOST_CONDA = 100
"""Most conda environments that are queried."""
_PYTHON = re.compile(r"(python|pypy)[\d.]*(\.exe)?")
_MOST_LINKS = 40
_SYSTEM = tuple(map(Path, ("/usr", "/bin", "/opt", "/nix/store", "/Library", "/System")))


class ListedPythons:
    """The environments and interpreters that this machine lists, seen from a notebook.

    `path in pythons` is whether an interpreter may be started.

    Args:
        folder: The notebook's folder; None if it is unsaved.
    """

    def __init__(self, folder: Path | None) -> None:
        self._downloads = _downloads(folder)

    def __contains__(self, interpreter: Path) -> bool:
        place = identity(interpreter)
        if place in (identity(server_python()), server_python().resolve()):
            return True  # it runs already
        way = self._way(interpreter)
        return way is not None and (place in self._startable or _is_roots(way))

    def environments(self) -> Iterator[tuple[str, Path, EnvironmentOrigin]]:
        """Yield name, interpreter and origin of each kernelspec and conda environment."""
        for name in sorted(self._kernelspecs.find_kernel_specs()):
            if (interpreter := self.kernel(name)) is not None:
                yield name, interpreter, EnvironmentOrigin.KERNEL
        for name, interpreter in conda_environments():
            yield name, interpreter, EnvironmentOrigin.CONDA

    def kernel(self, name: str) -> Path | None:
        """Return the interpreter of a kernelspec; None if there is none that starts an ipykernel.

        A kernelspec in a download counts as none.
        """
        folder = self._kernelspecs.find_kernel_specs().get(name.lower())
        if folder is not None and self._way(Path(folder) / "kernel.json") is None:
            return None
        try:
            return _interpreter_of(_kernelspec(self._kernelspecs, name, folder))
        except (NoSuchKernel, OSError, ValueError):
            return None  # Jupyter cannot start it either

    def is_in_download(self, path: Path) -> bool:
        """Return whether a file, or a link that leads to it, is in a download or is missing."""
        return self._way(path) is None

    def _way(self, path: Path) -> list[Path] | None:
        """Return each link that leads to a file, and the file; None if one is in a download."""
        try:
            way = _links(path)
        except (OSError, ValueError):
            return None
        places = {root for place in way for root in (place, *place.parents)}
        return None if places & self._downloads else way

    @cached_property
    def _startable(self) -> frozenset[Path]:
        """Return the listed interpreters, and the files that links lead to from them."""
        found: set[Path] = set()
        for path in (*(item[1] for item in self.environments()), *base_pythons()):
            if (way := self._way(path)) is not None:
                found |= {identity(path), way[-1]}
        return frozenset(found)

    @cached_property
    def _kernelspecs(self) -> KernelSpecManager:
        """Jupyter's, with its folders named: it would load IPython to ask for the last of them."""
        ipython = Path(os.environ.get("IPYTHONDIR") or Path.home() / ".ipython")
        folders = [*map(Path, jupyter_path("kernels")), ipython / "kernels"]
        return KernelSpecManager(kernel_dirs=[str(one) for one in folders if one.is_absolute()])


def server_python() -> Path:
    """Return the Python of this server."""
    return Path(sys.executable)


def identity(interpreter: Path) -> Path:
    """Return one path for all names of an environment's interpreter (`python`, `python3`)."""
    folder = Path(os.path.realpath(interpreter.parent))  # `resolve` raises for a loop of links
    name = interpreter.name
    for _ in range(5):
        if not (folder / name).is_symlink():
            break
        target = (folder / name).readlink()
        if target.name != str(target) and target.parent != folder:
            break
        name = target.name
    return folder / name


def conda_environments() -> Iterator[tuple[str, Path]]:
    """Yield name and interpreter of the conda environments that conda lists or keeps."""
    home = Path.home()
    rows = read_text(home / ".conda" / "environments.txt").splitlines()
    folders = [Path(row.strip()) for row in rows if row.strip()]
    program = os.environ.get("CONDA_EXE")
    roots = [Path(program).parent.parent] if program else []
    roots += [
        Path(value) for key in ("CONDA_ROOT", "MAMBA_ROOT_PREFIX") if (value := os.environ.get(key))
    ]
    roots += [home / name for name in _CONDA_ROOTS] + [Path("/opt/conda")]
    for root in roots:
        folders.append(root)
        try:
            folders += sorted(entry for entry in (root / "envs").iterdir())
        except OSError:
            continue
    for folder in list(dict.fromkeys(folders))[:_MOST_CONDA]:
        interpreter = folder / ("python.exe" if os.name == "nt" else "bin/python")
        if folder.is_absolute() and (folder / "conda-meta").is_dir() and interpreter.is_file():
            yield folder.name if folder.parent.name == "envs" else "base", interpreter


def base_pythons() -> Iterator[Path]:
    """Yield the interpreters of pyenv, of uv, of this server's base, and those on PATH."""
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    managed = os.environ.get("UV_PYTHON_INSTALL_DIR")
    for folder in (pyenv, Path(managed or Path.home() / ".local" / "share" / "uv" / "python")):
        if folder.is_absolute():
            yield from pythons_in(folder)
    yield Path(sys.base_prefix) / _PROGRAM
    for name in ("python3", "python", *(f"python3.{minor}" for minor in range(_NEWEST_MINOR))):
        program = program_on_path(name)
        if program is not None and "shims" not in Path(program).parts:
            yield Path(program)


def pythons_in(folder: Path) -> Iterator[Path]:
    """Yield the interpreters of the Pythons that are installed in a folder, one each."""
    try:
        entries = sorted(folder.iterdir())
    except OSError:
        return
    yield from (entry / _PROGRAM for entry in entries)


_PROGRAM = "python.exe" if os.name == "nt" else "bin/python3"


def _downloads(folder: Path | None) -> frozenset[Path]:
    """Return the folders that may have come with the notebook's download.

    The notebook's folder, the repository around it, and the current folder if the notebook is below
    it; none of them if it holds the user's home.
    """
    home = Path.home().resolve()
    try:
        roots = [Path.cwd().resolve()]
    except FileNotFoundError:
        roots = []  # the current folder was removed
    if folder is not None:
        folder = folder.resolve()
        above = (folder, *folder.parents)
        roots = [root for root in roots if root in above]
        repository = (place for place in above if exists(place / ".git"))
        roots += [folder, next(repository, folder)]
    return frozenset(root for root in roots if root not in (home, *home.parents))


def _links(path: Path) -> list[Path]:
    """Return each symbolic link that leads to a file, in order, and the file itself.

    The folders of each of these paths are real ones.

    Raises:
        OSError: There is no such file, or there are too many links.
    """
    path = Path.cwd() / path
    here, rest = Path(path.anchor), [*reversed(path.parts[1:])]
    links: list[Path] = []
    while rest:
        part = rest.pop()
        if part == "..":
            here = here.parent
            continue
        if not (here / part).is_symlink():
            here = here / part
            continue
        links.append(here / part)
        if len(links) > _MOST_LINKS:
            raise OSError(f"too many links: {path}")
        target = links[-1].readlink()
        if target.is_absolute():
            here = Path(target.anchor)
        rest += reversed(target.parts[1:] if target.is_absolute() else target.parts)
    here.stat()
    return [*links, here]


def _is_roots(way: list[Path]) -> bool:
    """Return whether nobody but root can have put a Python and the links to it there.

    Only in the folders of a system's programs: root may unpack a download elsewhere. If the server
    runs as root this is no evidence, for then each download is root's.
    """
    if os.name != "posix" or os.geteuid() == 0 or not _PYTHON.fullmatch(way[-1].name):
        return False
    if not all(set(_SYSTEM).intersection((place, *place.parents)) for place in way):
        return False
    for place in {path for end in way for path in (end, *end.parents)}:
        status = place.lstat()
        writable = stat.S_IWOTH | (stat.S_IWGRP if status.st_gid != 0 else 0)
        if status.st_uid != 0 or (status.st_mode & writable and not place.is_symlink()):
            return False
    return True


def _interpreter_of(spec: KernelSpec) -> Path | None:
    """Return the Python that a kernelspec starts; None if it starts no ipykernel."""
    argv = [str(word) for word in spec.argv]
    if not argv or spec.language.lower() != "python" or "ipykernel" not in " ".join(argv):
        return None
    path = Path(argv[0])
    return path if path.is_absolute() else None


def _kernelspec(manager: KernelSpecManager, name: str, folder: str | None) -> KernelSpec:
    """Return a kernelspec as Jupyter reads it.

    One without a provisioner of its own is read here: Jupyter would look through all packages that
    are installed for the provisioners they bring. That in ipykernel's own folder names no Python:
    Jupyter puts its own in.

    Raises:
        NoSuchKernel: There is none, or none that Jupyter can start.
        OSError: It cannot be read.
        ValueError: It is not JSON.
    """
    if folder is not None and Path(folder).parts[-2:] != ("ipykernel", "resources"):
        spec = KernelSpec.from_resource_dir(folder)
        if "kernel_provisioner" not in spec.metadata:
            return spec
    return manager.get_kernel_spec(name)
