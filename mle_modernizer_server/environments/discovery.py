"""Describe the environments on this machine that a notebook may run in."""

from __future__ import annotations

import os
import site
from collections.abc import Iterable
from pathlib import Path

from mle_modernizer_server.domain.environment import (
    EnvironmentOrigin,
    EnvironmentTrouble,
    FoundEnvironment,
    Interpreter,
)
from mle_modernizer_server.domain.errors import BadInput
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.environments.files import has_module, read_environment
from mle_modernizer_server.environments.interpreter import (
    InterpreterAnswer,
    NoAnswer,
    ask,
    ask_base,
)
from mle_modernizer_server.environments.listed import (
    ListedPythons,
    conda_environments,
    identity,
    server_python,
)
from mle_modernizer_server.untrusted.files import expanded, is_file, is_folder
from mle_modernizer_server.untrusted.private_folders import exposes_private_files

SERVER = "server"
_BESIDE = (".venv", "venv", "env", ".env", "conda-env")
_REFUSED = {
    EnvironmentTrouble.NO_INTERPRETER: "interpreter.missing",
    EnvironmentTrouble.NO_ANSWER: "interpreter.silent",
    EnvironmentTrouble.TOO_OLD: "interpreter.too-old",
    EnvironmentTrouble.IN_HOME: "interpreter.too-much",
    EnvironmentTrouble.NOT_LISTED: "interpreter.not-listed",
}


def find_environments(names: tuple[str, ...], folder: Path | None) -> tuple[FoundEnvironment, ...]:
    """Return all environments, the server's first; each interpreter once.

    Args:
        names: Top-level import names to look for.
        folder: The notebook's folder; None if it is unsaved.
    """
    listed = ListedPythons(folder)
    found = [server(names)]
    seen = {identity(server_python())}
    for name, interpreter, origin in listed.environments():
        if identity(interpreter) not in seen:
            seen.add(identity(interpreter))
            found.append(_describe(name, interpreter, origin, names, folder, listed))
    return (*found, *beside(names, folder))


def server(names: tuple[str, ...]) -> FoundEnvironment:
    """Return the Python of this server."""
    return _asked(
        SERVER,
        server_python(),
        EnvironmentOrigin.SERVER,
        names,
        user_site=site.getusersitepackages() if site.ENABLE_USER_SITE else "",
    )


def kernel(
    name: str, names: tuple[str, ...], folder: Path | None = None
) -> FoundEnvironment | None:
    """Return the environment of a kernelspec; None if there is none that is Python.

    Args:
        name: Of the kernelspec.
        names: Top-level import names to look for.
        folder: The notebook's folder; None if it is unsaved.
    """
    listed = ListedPythons(folder)
    interpreter = listed.kernel(name)
    if interpreter is None:
        return None
    return _describe(name, interpreter, EnvironmentOrigin.KERNEL, names, folder, listed)


def named(text: str, names: tuple[str, ...], folder: Path | None) -> FoundEnvironment | None:
    """Return the environment that the person names; None if there is none.

    Args:
        text: `server`, a kernelspec, a conda environment, or the path of an interpreter or of an
            environment's folder.
        names: Top-level import names to look for.
        folder: The notebook's folder; None if it is unsaved.
    """
    if text == SERVER:
        return server(names)
    if found := kernel(text, names, folder):
        return found
    listed = ListedPythons(folder)
    if os.sep not in text:
        for name, interpreter in conda_environments():
            if name == text:
                return _describe(name, interpreter, EnvironmentOrigin.CONDA, names, folder, listed)
    path = Path(os.path.normpath((folder or Path.cwd()).absolute() / expanded(Path(text))))
    is_beside = folder is not None and folder.absolute() in path.parents
    origin = EnvironmentOrigin.BESIDE if is_beside else EnvironmentOrigin.NAMED
    if is_folder(path):
        files = read_environment(path)
        path = path if files is None else files.interpreter
    if not is_file(path):
        return None
    return _describe(text, path, origin, names, folder, listed)


def interpreter_at(path: Path, *, is_configured: bool = False) -> Interpreter:
    """Return a Python that the person names, with or without ipykernel.

    Args:
        path: The interpreter, or the folder of its environment.
        is_configured: The server's configuration names it, which counts as a list.

    Raises:
        BadInput: It is no Python from 3.6 on that may be used.
    """
    path = path.absolute()
    files = read_environment(path)
    interpreter = path if files is None else files.interpreter
    if not is_file(interpreter):
        raise BadInput(coded("interpreter.missing", path=str(path)))
    if is_configured:
        found = _asked(str(path), interpreter, EnvironmentOrigin.NAMED, ())
    else:
        listed = ListedPythons(None)
        found = _describe(str(path), interpreter, EnvironmentOrigin.NAMED, (), None, listed)
    if found.trouble in _REFUSED:
        raise BadInput(coded(_REFUSED[found.trouble], path=str(path)))
    return Interpreter(Path(found.interpreter), tuple(map(Path, found.directories)))


def beside(names: tuple[str, ...], folder: Path | None) -> list[FoundEnvironment]:
    """Return the environments in a notebook's folder."""
    if folder is None:
        return []
    listed = ListedPythons(folder)
    found = []
    for place in (folder / entry for entry in _BESIDE):
        files = read_environment(place)
        if files is not None:
            origin = EnvironmentOrigin.BESIDE
            found.append(_describe(place.name, files.interpreter, origin, names, folder, listed))
    return found


def packages_in_files(environment: FoundEnvironment) -> dict[str, str]:
    """Return the version by import name of all packages, read from an environment's files."""
    place = Path(environment.interpreter).parent.parent
    files = read_environment(place)
    return dict(environment.packages) if files is None else {**files.tops, **environment.packages}


def _describe(
    name: str,
    interpreter: Path,
    origin: EnvironmentOrigin,
    names: tuple[str, ...],
    folder: Path | None,
    listed: ListedPythons,
) -> FoundEnvironment:
    """Return an environment, from its interpreter if that may be started, else from its files."""
    if identity(interpreter) == identity(server_python()):
        return server(names)
    if interpreter in listed:
        return _asked(name, interpreter, origin, names)
    return _read(name, interpreter, origin, names, folder, listed)


def _read(
    name: str,
    interpreter: Path,
    origin: EnvironmentOrigin,
    names: tuple[str, ...],
    folder: Path | None,
    listed: ListedPythons,
) -> FoundEnvironment:
    """Return an environment whose interpreter is not started, as its files describe it.

    The location of its base is not taken from its configuration: it is queried from the Python that
    its interpreter links to, if that may be started. An environment with a Python of its own needs
    no base.
    """
    place = interpreter.parent
    if place.name in ("bin", "Scripts"):
        place = place.parent
    files = read_environment(place)
    if files is None:
        return FoundEnvironment(
            name=name,
            origin=origin,
            interpreter=str(interpreter),
            trouble=EnvironmentTrouble.NOT_LISTED,
        )
    packages = {
        item: files.tops.get(item, "")
        for item in names
        if item in files.tops or has_module(place, item)
    }
    directories = [place.resolve()]
    python = files.python
    trouble: EnvironmentTrouble | None = None
    base = interpreter.resolve()
    if origin is EnvironmentOrigin.BESIDE and not _is_below(directories[0], folder):
        trouble = EnvironmentTrouble.NOT_LISTED
    elif directories[0] not in base.parents:
        answer = ask_base(base) if base in listed else NoAnswer(EnvironmentTrouble.NOT_LISTED)
        if isinstance(answer, InterpreterAnswer):
            directories += [Path(item) for item in answer.directories]
            python = ".".join(map(str, answer.version))
        else:
            trouble = answer.trouble
    kernel_version = files.versions.get("ipykernel", "")
    return FoundEnvironment(
        name=name,
        origin=origin,
        interpreter=str(directories[0] / interpreter.relative_to(place)),
        directories=tuple(dict.fromkeys(str(item) for item in directories)),
        python=python,
        ipykernel=kernel_version,
        packages=packages,
        missing=tuple(item for item in names if item not in packages),
        trouble=trouble or _trouble(kernel_version, directories, folder),
    )


def _is_below(place: Path, folder: Path | None) -> bool:
    return folder is not None and folder.resolve() in place.parents


def _asked(
    name: str,
    interpreter: Path,
    origin: EnvironmentOrigin,
    names: tuple[str, ...],
    *,
    user_site: str = "",
) -> FoundEnvironment:
    answer = ask(interpreter, names, user_site=user_site)
    if isinstance(answer, NoAnswer):
        return FoundEnvironment(
            name=name, origin=origin, interpreter=str(interpreter), trouble=answer.trouble
        )
    return FoundEnvironment(
        name=name,
        origin=origin,
        interpreter=answer.executable,
        directories=answer.directories,
        python=".".join(map(str, answer.version)),
        ipykernel=answer.ipykernel,
        packages=answer.packages,
        missing=tuple(item for item in names if item not in answer.packages),
        trouble=None if answer.ipykernel else EnvironmentTrouble.NO_KERNEL,
        is_started=True,
    )


def _trouble(
    kernel_version: str, directories: Iterable[Path], folder: Path | None
) -> EnvironmentTrouble | None:
    """Return why an environment cannot be used.

    An environment around the notebook's folder would show all of it to a run.
    """
    for item in directories:
        place = item.resolve()
        around = folder is not None and place in (folder.resolve(), *folder.resolve().parents)
        if around or exposes_private_files(item):
            return EnvironmentTrouble.IN_HOME
    return None if kernel_version else EnvironmentTrouble.NO_KERNEL
