"""Finds the environments on this machine that a notebook may run in."""

from __future__ import annotations

import os
import re
import site
from collections.abc import Iterable, Iterator
from pathlib import Path

from jupyter_client.kernelspec import KernelSpec, KernelSpecManager, NoSuchKernel
from jupyter_core.paths import jupyter_path

from mle_modernizer_server.domain.environments import (
    EnvironmentOrigin,
    EnvironmentTrouble,
    FoundEnvironment,
)
from mle_modernizer_server.environments.files import has_module, read_environment
from mle_modernizer_server.environments.interpreter import (
    InterpreterAnswer,
    NoAnswer,
    ask,
    server_python,
)

SERVER = "server"
_BESIDE = (".venv", "venv", "env", ".env", "conda-env")
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
_PYTHON = re.compile(r"python[\d.]*(\.exe)?|pypy[\d.]*")
_MOST_CONDA = 100
"""Conda environments that are asked, of all there are."""


def find_environments(names: tuple[str, ...], folder: Path | None) -> tuple[FoundEnvironment, ...]:
    """All environments, the server's first; each interpreter once.

    Args:
        names: Top-level import names to look for.
        folder: Where the notebook lies; None where it lies nowhere.
    """
    found = [server(names)]
    seen = {_identity(Path(found[0].interpreter))}
    for name, interpreter, origin in _candidates():
        if _identity(interpreter) not in seen:
            seen.add(_identity(interpreter))
            found.append(_asked(name, interpreter, origin, names))
    return (*found, *beside(names, folder))


def server(names: tuple[str, ...]) -> FoundEnvironment:
    """The Python of this server."""
    return _asked(
        SERVER,
        server_python(),
        EnvironmentOrigin.SERVER,
        names,
        user_site=bool(site.ENABLE_USER_SITE),
    )


def kernel(name: str, names: tuple[str, ...]) -> FoundEnvironment | None:
    """The environment of a kernelspec, or None where there is none that is Python."""
    try:
        manager = _kernelspecs()
        spec = _kernelspec(manager, name, manager.find_kernel_specs().get(name.lower()))
    except (NoSuchKernel, OSError, ValueError):
        return None
    interpreter = kernel_interpreter(spec)
    if interpreter is None:
        return None
    if _identity(interpreter) == _identity(server_python()):
        return server(names)
    return _asked(name, interpreter, EnvironmentOrigin.KERNEL, names)


def named(text: str, names: tuple[str, ...], folder: Path | None) -> FoundEnvironment | None:
    """The environment that the person names, or None.

    Args:
        text: `server`, a kernelspec, a conda environment, or the path of an interpreter or of an
            environment's folder.
        names: Top-level import names to look for.
        folder: Where the notebook lies.
    """
    if text == SERVER:
        return server(names)
    if found := kernel(text, names):
        return found
    if os.sep not in text:
        for name, interpreter in _conda():
            if name == text:
                return _asked(name, interpreter, EnvironmentOrigin.CONDA, names)
    path = Path(text).expanduser()
    if not path.is_absolute():
        path = (folder or Path.cwd()) / path
    path = Path(os.path.normpath(path))
    if folder is not None and folder.absolute() in path.parents:
        place = path if path.is_dir() else path.parent.parent
        return from_files(place, text, names)
    if path.is_dir():
        files = read_environment(path)
        if files is None:
            return None
        path = files.interpreter
    if not path.is_file():
        return None
    return _asked(text, path, EnvironmentOrigin.NAMED, names)


def kernel_interpreter(spec: KernelSpec) -> Path | None:
    """The Python that a kernelspec starts, or None where it starts no ipykernel."""
    argv = [str(word) for word in spec.argv]
    if not argv or spec.language.lower() != "python" or "ipykernel" not in " ".join(argv):
        return None
    path = Path(argv[0])
    return path if path.is_absolute() else None


def beside(names: tuple[str, ...], folder: Path | None) -> list[FoundEnvironment]:
    """The environments in a notebook's folder, by their files alone."""
    if folder is None:
        return []
    places = [folder / entry for entry in _BESIDE]
    return [item for place in places if (item := from_files(place, place.name, names))]


def from_files(
    place: Path,
    name: str,
    names: tuple[str, ...],
    origin: EnvironmentOrigin = EnvironmentOrigin.BESIDE,
) -> FoundEnvironment | None:
    """An environment whose interpreter is not started, or None where the folder is none.

    Its configuration is not believed where its base lies: that is asked from the Python that its
    interpreter links to, outside of the folder. One that brings its own Python needs none.
    """
    files = read_environment(place)
    if files is None:
        return None
    packages = {
        item: files.tops.get(item, "")
        for item in names
        if item in files.tops or has_module(place, item)
    }
    directories = [place.resolve()]
    python = files.python
    trouble = None
    base = files.interpreter.resolve()
    if directories[0] not in base.parents:
        answer = ask(base, ()) if _PYTHON.fullmatch(base.name) else None
        if isinstance(answer, InterpreterAnswer):
            directories += [Path(item) for item in answer.directories]
            python = ".".join(map(str, answer.version))
        else:
            trouble = answer.trouble if answer else EnvironmentTrouble.NO_INTERPRETER
    kernel_version = files.versions.get("ipykernel", "")
    return FoundEnvironment(
        name=name,
        origin=origin,
        interpreter=str(files.interpreter.absolute()),
        directories=tuple(dict.fromkeys(str(item) for item in directories)),
        python=python,
        ipykernel=kernel_version,
        packages=packages,
        missing=tuple(item for item in names if item not in packages),
        trouble=trouble or _trouble(kernel_version, directories),
    )


def _asked(
    name: str,
    interpreter: Path,
    origin: EnvironmentOrigin,
    names: tuple[str, ...],
    *,
    user_site: bool = False,
) -> FoundEnvironment:
    answer = ask(interpreter, names, user_site=user_site)
    if isinstance(answer, NoAnswer):
        return FoundEnvironment(
            name=name, origin=origin, interpreter=str(interpreter), trouble=answer.trouble
        )
    directories = [Path(item) for item in answer.directories if Path(item).is_dir()]
    return FoundEnvironment(
        name=name,
        origin=origin,
        interpreter=answer.executable,
        directories=tuple(str(item) for item in directories),
        python=".".join(map(str, answer.version)),
        ipykernel=answer.ipykernel,
        packages=answer.packages,
        missing=tuple(item for item in names if item not in answer.packages),
        trouble=_trouble(answer.ipykernel, directories),
    )


def _trouble(kernel_version: str, directories: Iterable[Path]) -> EnvironmentTrouble | None:
    home = Path.home().resolve()
    if any(item.resolve() in (home, *home.parents) for item in directories):
        return EnvironmentTrouble.IN_HOME
    return None if kernel_version else EnvironmentTrouble.NO_KERNEL


def _kernelspecs() -> KernelSpecManager:
    """Jupyter's, with its own folders named: it would load IPython to ask for the last of them."""
    home = Path(os.environ.get("IPYTHONDIR") or Path.home() / ".ipython")
    return KernelSpecManager(kernel_dirs=[*jupyter_path("kernels"), str(home / "kernels")])


def _kernelspec(manager: KernelSpecManager, name: str, folder: str | None) -> KernelSpec:
    """A kernelspec as Jupyter reads it.

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


def _candidates() -> Iterator[tuple[str, Path, EnvironmentOrigin]]:
    manager = _kernelspecs()
    for name, folder in sorted(manager.find_kernel_specs().items()):
        try:
            interpreter = kernel_interpreter(_kernelspec(manager, name, folder))
        except (NoSuchKernel, OSError, ValueError):
            continue  # a kernelspec that Jupyter cannot start either
        if interpreter is not None:
            yield name, interpreter, EnvironmentOrigin.KERNEL
    for name, interpreter in _conda():
        yield name, interpreter, EnvironmentOrigin.CONDA


def _conda() -> Iterator[tuple[str, Path]]:
    """Conda environments: those conda wrote down, and those under the usual roots."""
    home = Path.home()
    listed = home / ".conda" / "environments.txt"
    folders: list[Path] = []
    try:
        rows = listed.read_text(encoding="utf-8", errors="replace")[:100_000].splitlines()
    except OSError:
        rows = []
    folders += [Path(row.strip()) for row in rows if row.strip()]
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


def _identity(interpreter: Path) -> Path:
    """Two names of one environment's interpreter (`python`, `python3`) are one."""
    folder = interpreter.parent.resolve()
    name = interpreter.name
    for _ in range(5):
        if not (folder / name).is_symlink():
            break
        target = (folder / name).readlink()
        if target.name != str(target) and target.parent != folder:
            break
        name = target.name
    return folder / name
