"""Describe the environments on this machine that a notebook may run in."""

from __future__ import annotations

import os
import site
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from mle_modernizer_server.domain.environment import (
    EnvironmentOrigin,
    EnvironmentTrouble,
    FoundEnvironment,
    Interpreter,
)
from mle_modernizer_server.domain.errors import BadInput
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.environments.files import read_environment
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


@dataclass(frozen=True)
class Search:
    """A search for the environments that a notebook may run in.

    Attributes:
        names: Top-level import names to look for.
        folder: The notebook's folder; None if it is unsaved.
    """

    names: tuple[str, ...]
    folder: Path | None = None

    @cached_property
    def listed(self) -> ListedPythons:
        """Return the Pythons that this machine lists."""
        return ListedPythons(self.folder)

    def all(self) -> tuple[FoundEnvironment, ...]:
        """Return all environments, the server's first; each interpreter once."""
        found = [server(self.names)]
        seen = {identity(server_python())}
        for name, interpreter, origin in self.listed.environments():
            if identity(interpreter) not in seen:
                seen.add(identity(interpreter))
                found.append(self.describe(name, interpreter, origin))
        return (*found, *self._beside())

    def kernel(self, name: str) -> FoundEnvironment | None:
        """Return the environment of a kernelspec; None if there is none that is Python."""
        interpreter = self.listed.kernel(name)
        if interpreter is None:
            return None
        return self.describe(name, interpreter, EnvironmentOrigin.KERNEL)

    def named(self, text: str) -> FoundEnvironment | None:
        """Return the environment that the person names; None if there is none.

        Args:
            text: `server`, a kernelspec, a conda environment, or the path of an interpreter or of
                an environment's folder.
        """
        if text == SERVER:
            return server(self.names)
        if found := self.kernel(text):
            return found
        if os.sep not in text:
            for name, interpreter in conda_environments():
                if name == text:
                    return self.describe(name, interpreter, EnvironmentOrigin.CONDA)
        folder = self.folder
        path = Path(os.path.normpath((folder or Path.cwd()).absolute() / expanded(Path(text))))
        is_beside = folder is not None and folder.absolute() in path.parents
        origin = EnvironmentOrigin.BESIDE if is_beside else EnvironmentOrigin.NAMED
        if is_folder(path):
            files = read_environment(path)
            path = path if files is None else files.interpreter
        return self.describe(text, path, origin) if is_file(path) else None

    def _beside(self) -> Iterator[FoundEnvironment]:
        """Yield the environments in the notebook's folder."""
        if self.folder is None:
            return
        for place in (self.folder / entry for entry in _BESIDE):
            files = read_environment(place)
            if files is not None:
                yield self.describe(place.name, files.interpreter, EnvironmentOrigin.BESIDE)

    def describe(self, name: str, interpreter: Path, origin: EnvironmentOrigin) -> FoundEnvironment:
        """Return an environment, from its interpreter if it may be started, else from its files."""
        if identity(interpreter) == identity(server_python()):
            return server(self.names)
        if interpreter in self.listed:
            return _asked(name, interpreter, origin, self.names)
        return self._read(name, interpreter, origin)

    def _read(self, name: str, interpreter: Path, origin: EnvironmentOrigin) -> FoundEnvironment:
        """Return an environment whose interpreter is not started, as its files describe it.

        The location of its base is not taken from its configuration: it is queried from the Python
        that its interpreter links to, if that may be started. An environment with a Python of its
        own needs no base.
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
        packages = files.packages(self.names)
        directories = [place.resolve()]
        python = files.python
        trouble: EnvironmentTrouble | None = None
        base = interpreter.resolve()
        if origin is EnvironmentOrigin.BESIDE and not _is_below(directories[0], self.folder):
            trouble = EnvironmentTrouble.NOT_LISTED
        elif directories[0] not in base.parents:
            answer = (
                ask_base(base) if base in self.listed else NoAnswer(EnvironmentTrouble.NOT_LISTED)
            )
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
            missing=tuple(item for item in self.names if item not in packages),
            trouble=trouble or _trouble(kernel_version, directories, self.folder),
        )


def server(names: tuple[str, ...]) -> FoundEnvironment:
    """Return the Python of this server.

    Args:
        names: Top-level import names to look for.
    """
    return _asked(
        SERVER,
        server_python(),
        EnvironmentOrigin.SERVER,
        names,
        user_site=site.getusersitepackages() if site.ENABLE_USER_SITE else "",
    )


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
        found = Search(()).describe(str(path), interpreter, EnvironmentOrigin.NAMED)
    if found.trouble in _REFUSED:
        raise BadInput(coded(_REFUSED[found.trouble], path=str(path)))
    return Interpreter(Path(found.interpreter), tuple(map(Path, found.directories)))


def packages_in_files(environment: FoundEnvironment) -> dict[str, str]:
    """Return the version by import name of all packages, read from an environment's files."""
    place = Path(environment.interpreter).parent.parent
    files = read_environment(place)
    return dict(environment.packages) if files is None else {**files.tops, **environment.packages}


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
