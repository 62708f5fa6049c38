"""The embedded sandbox on Linux: bubblewrap, with Kaggle's paths and no network.

The kernel sees the run's Python environment (read-only), the system's libraries, its working
directory and the competition's public files; nothing else of the host.
Options: https://github.com/containers/bubblewrap/blob/main/bwrap.xml
"""

from __future__ import annotations

import asyncio
import posixpath
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from jupyter_core.paths import jupyter_config_dir, jupyter_data_dir, jupyter_runtime_dir

from mle_modernizer_server import pools
from mle_modernizer_server.domain.environment import Interpreter
from mle_modernizer_server.domain.errors import SandboxUnavailable
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.execution.sandboxes.base import (
    Availability,
    Command,
    Finished,
    Place,
    Reach,
    Say,
)
from mle_modernizer_server.execution.sandboxes.environ import kernel_environ
from mle_modernizer_server.execution.sandboxes.local import Local, own_interpreter, user_packages
from mle_modernizer_server.execution.sandboxes.package_index import (
    PORT,
    PackageIndex,
    inside_environ,
    passing_on_argv,
    sources_of,
)
from mle_modernizer_server.execution.sandboxes.pip_options import (
    InstallRequest,
    confined_refusal,
)
from mle_modernizer_server.execution.sandboxes.pip_settings import (
    install_environ,
    install_files,
)
from mle_modernizer_server.execution.sandboxes.public_network import PORT as NETWORK_PORT
from mle_modernizer_server.execution.sandboxes.public_network import (
    SOCKET,
    PublicNetwork,
    proxy_environ,
)
from mle_modernizer_server.execution.sandboxes.system_calls import filter_file
from mle_modernizer_server.execution.sandboxes.workspace import (
    HOME,
    INPUT,
    PACKAGES,
    TEMP,
    WORKING,
    Mounts,
    flat_entries,
)
from mle_modernizer_server.untrusted.private_folders import exposes_private_files
from mle_modernizer_server.untrusted.programs import program_on_path

INDEX_SOCKET = "index"
"""In the runtime directory, while packages are installed."""

_SYSTEM = (
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/nix/store",
    "/etc/ld.so.cache",
    "/etc/alternatives",
    "/etc/fonts",
    "/etc/group",
    "/etc/localtime",
    "/etc/passwd",
    "/etc/ssl/certs",  # not /etc/ssl/private, which root may read
    "/etc/ssl/openssl.cnf",
    "/sys/devices/system",  # how many processors there are: joblib asks
)
_JAVA = ("*.cfg", "*.properties", "security")
"""Of /etc/java-*, to which Debian's Java links: h2o and Spark start it. Passwords for its remote
management are next to them, in `management`."""
_WITH_SETTINGS = ("/usr", "/usr/local")
_SETTINGS = (
    *("pip.conf", "condarc", ".condarc", "conda-meta/state"),
    *(".env", ".netrc", ".pypirc", ".git-credentials", ".git/config"),
)
"""Files of a Python environment that may hold tokens: of pip, of conda, and of a project whose
folder is the environment. Its folder `etc` may, too."""
_SHOWN_OF_ETC = ("fonts", "OpenCL")
_KERNEL_SETTINGS = (
    "/proc/bus",
    "/proc/fs",
    "/proc/irq",
    "/proc/mtrr",
    "/proc/sys",
    "/proc/sysrq-trigger",
)
"""They belong to root, and a server that runs as root is their owner also without any capability:
writing /proc/sys/kernel/core_pattern would be a way out. bwrap covers them only in part."""
_FILTER = 9
"""File descriptor: the shell takes one digit."""
_NICENESS = 5
"""The server and other programs of the machine take precedence over notebooks."""
_NAMESPACES = ("--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-uts")
_CLOSED_IN = ("--cap-drop", "ALL", "--die-with-parent", "--new-session", "--clearenv")


class Bubblewrap(Local):
    """Runs commands under `bwrap`, in namespaces of their own."""

    name = "bubblewrap"
    isolated = True
    reach = Reach.MOUNTS
    gives_network = True
    private_network = False
    """Whether a run with a network may reach servers that are not public; for one's own network."""

    def __init__(self, executable: str = "bwrap") -> None:
        self._executable = program_on_path(executable) or executable

    def availability(self) -> Availability:
        """Return whether `bwrap` is installed and may make namespaces (often not in containers)."""
        return self._availability

    @cached_property
    def _availability(self) -> Availability:
        if not sys.platform.startswith("linux"):
            return Availability(False, coded("bubblewrap.linux-only"))
        if program_on_path(self._executable) is None:
            return Availability(False, coded("bubblewrap.not-installed"))
        try:
            done = self._trial(*self._no_user_namespaces)
        except SandboxUnavailable as error:
            return Availability(False, error.message)
        except (OSError, subprocess.TimeoutExpired) as error:
            return Availability(False, coded("bubblewrap.not-started", error=str(error)))
        if done.returncode != 0:
            words = done.stderr.strip()[-300:]
            return Availability(False, coded("bubblewrap.no-namespaces", words=words))
        return Availability(True)

    @cached_property
    def _no_user_namespaces(self) -> tuple[str, ...]:
        """Return the option that forbids further user namespaces; empty if it does not work here.

        bubblewrap has it since 0.8, and it needs a writable /proc/sys.
        """
        try:
            works = self._trial("--disable-userns").returncode == 0
        except (OSError, subprocess.TimeoutExpired, SandboxUnavailable):
            works = False
        return ("--disable-userns",) if works else ()

    def _trial(self, *options: str) -> subprocess.CompletedProcess[str]:
        """Start Python in a sandbox with further options."""
        command = [*_started(), self._executable, *_system_calls(), *_NAMESPACES, *options]
        command += ["--unshare-net", "--unshare-cgroup-try", *_CLOSED_IN]
        command += [*_file_system(own_interpreter()), *_devices(), sys.executable, "-c", ""]
        return subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=20
        )

    def prepare(self, mounts: Mounts) -> None:
        """Make `./input` point to the data; outside the sandbox the link leads nowhere."""
        link = mounts.working / "input"
        if not link.is_symlink() and not link.exists():
            link.symlink_to(INPUT)

    def wrap(self, argv: tuple[str, ...], mounts: Mounts, *, network: bool = False) -> Command:
        """Return the `bwrap` command line around `argv`.

        Raises:
            SandboxUnavailable: The Python's directories must not be visible.
        """
        interpreter = mounts.interpreter or own_interpreter()
        if argv[0] == "python":
            argv = (str(interpreter.python), *argv[1:])
        packages = PACKAGES if mounts.packages is not None else None
        environ = kernel_environ(home=HOME, path=_path(interpreter.python), packages=packages)
        environ |= user_packages(interpreter)
        if network:
            of_pip = install_environ()
            environ |= inside_environ(of_pip, sources_of(of_pip))
            place = str(mounts.runtime / INDEX_SOCKET)
            argv = passing_on_argv(str(interpreter.python), place, PORT, argv)
        elif mounts.network:
            environ |= proxy_environ()
            place = str(mounts.runtime / SOCKET)
            argv = passing_on_argv(str(interpreter.python), place, NETWORK_PORT, argv)
        command = [*_started(), self._executable]
        command += _system_calls()
        command += [*_NAMESPACES, *self._no_user_namespaces]
        command += ["--unshare-net", "--unshare-cgroup-try", *_CLOSED_IN]
        command += _file_system(interpreter)
        command += [*_devices()]
        for path in install_files(environ) if network else ():
            command += ["--ro-bind", str(path), str(path)]
        command += _kaggle(mounts, packages_writable=network)
        for source, at in mounts.beside:
            if at.startswith("/"):
                command += ["--ro-bind", str(source), at]
        command += ["--bind", str(mounts.runtime), str(mounts.runtime)]
        command += ["--remount-ro", "/", "--chdir", WORKING]
        for name, value in environ.items():
            command += ["--setenv", name, value]
        return Command(argv=(*command, "--", *argv), is_namespace=True)

    def refusal(self, request: InstallRequest) -> str:
        """Return why pip is not called: nothing but the configured indexes can be reached."""
        return confined_refusal(request)

    @asynccontextmanager
    async def place(
        self, mounts: Mounts, *, say: Say, cancel: asyncio.Event
    ) -> AsyncIterator[Place]:
        """Lay out the directories; with a network, start its proxy."""
        async with super().place(mounts, say=say, cancel=cancel) as place:
            if not mounts.network:
                yield place
                return
            way = PublicNetwork(mounts.runtime / SOCKET, private=self.private_network)
            with way as network:
                yield replace(place, reached=network.reached)

    async def run(
        self, argv: tuple[str, ...], mounts: Mounts, *, end: float, cancel: asyncio.Event
    ) -> Finished:
        """Run pip without a network, but with a socket to the configured indexes."""
        sources = await pools.sandboxes.run(sources_of, install_environ())
        with PackageIndex(mounts.runtime / INDEX_SOCKET, sources):
            return await super().run(argv, mounts, end=end, cancel=cancel)


def _started() -> list[str]:
    """Return the launcher: low priority, no core dumps, and the filter for system calls open."""
    file = filter_file()
    opened = f" {_FILTER}<{file}" if file else ""
    launcher = ["/bin/sh", "-c", f'ulimit -c 0; exec "$0" "$@"{opened}']
    nice = program_on_path("nice")
    return launcher if nice is None else [*launcher, nice, "-n", str(_NICENESS)]


def _system_calls() -> list[str]:
    return ["--seccomp", str(_FILTER)] if filter_file() else []


def _path(executable: Path) -> str:
    return f"{executable.parent}:/usr/local/bin:/usr/bin:/bin"


def _file_system(interpreter: Interpreter) -> list[str]:
    """Return arguments for a read-only root of the system's libraries and the environment only.

    The environment's settings are covered.

    Args:
        interpreter: The Python whose directories are mounted.

    Raises:
        SandboxUnavailable: One of them contains a home directory or settings of the system.
    """
    if any(map(exposes_private_files, interpreter.prefixes)):
        raise SandboxUnavailable(coded("interpreter.too-much", path=str(interpreter.python)))
    arguments = ["--tmpfs", "/", "--tmpfs", "/tmp"]
    bound: list[Path] = []
    for place in _SYSTEM:
        path = Path(place)
        if path.is_symlink() and path.is_dir():
            # `/bin -> usr/bin` stays a link, as on the host.
            arguments += ["--symlink", str(path.readlink()), place]
        elif path.exists():
            arguments += ["--ro-bind", str(path.resolve()), place]
            bound.append(path)
    for pattern in _JAVA:
        for path in sorted(Path("/etc").glob(f"java-*/{pattern}")):
            arguments += ["--ro-bind", str(path.resolve()), str(path)]
    for directory in interpreter.prefixes:
        for inside in dict.fromkeys((directory, directory.resolve())):
            if not any(inside == other or other in inside.parents for other in bound):
                arguments += ["--ro-bind", str(directory.resolve()), str(inside)]
                bound.append(inside)
    for directory in (*map(Path, _WITH_SETTINGS), *interpreter.prefixes):
        for inside in dict.fromkeys((directory, directory.resolve())):
            arguments += _without_settings(directory.resolve(), inside, interpreter)
    return arguments


def _without_settings(directory: Path, inside: Path, interpreter: Interpreter) -> list[str]:
    """Return the options that cover a directory's settings, because they may hold tokens.

    Args:
        directory: With all links resolved.
        inside: Its path in the sandbox.
        interpreter: Its directories are not covered.
    """
    arguments: list[str] = []
    of_jupyter = (jupyter_config_dir(), jupyter_data_dir(), jupyter_runtime_dir())
    prefixes = [prefix.resolve() for prefix in interpreter.prefixes]
    for folder in (directory / "etc", directory / "condarc.d", *map(Path, of_jupyter)):
        target = folder.resolve()
        holds_python = any(target in (prefix, *prefix.parents) for prefix in prefixes)
        if directory not in target.parents or holds_python or not target.is_dir():
            continue
        place = inside / target.relative_to(directory)
        arguments += ["--tmpfs", str(place)]
        for name in _SHOWN_OF_ETC:
            if folder.name == "etc" and (target / name).is_dir():
                arguments += ["--ro-bind", str((target / name).resolve()), str(place / name)]
        arguments += ["--remount-ro", str(place)]
    for name in _SETTINGS:
        target = (directory / name).resolve()
        if directory in target.parents and target.is_file():
            place = inside / target.relative_to(directory)
            arguments += ["--ro-bind", "/dev/null", str(place)]
    return arguments


def _devices() -> list[str]:
    arguments = ["--dev", "/dev", "--proc", "/proc"]
    for place in _KERNEL_SETTINGS:
        if Path(place).exists():
            arguments += ["--ro-bind", place, place]
    for place in ("/proc/keys", "/proc/key-users"):
        if Path(place).exists():
            arguments += ["--ro-bind", "/dev/null", place]
    return arguments


def _relative(mounts: Mounts) -> list[tuple[Path, str]]:
    return [(source, at) for source, at in mounts.beside if not at.startswith("/")]


def _kaggle(mounts: Mounts, *, packages_writable: bool) -> list[str]:
    """Return the arguments for `/kaggle`: the data read-only, and the kernel's writable folders."""
    arguments = [] if mounts.data == INPUT else ["--tmpfs", INPUT]
    if mounts.data is not None:
        arguments += ["--ro-bind", str(mounts.public), mounts.data]
    for entry in flat_entries(mounts):
        arguments += ["--symlink", f"{mounts.competition}/{entry.name}", f"{INPUT}/{entry.name}"]
    beside = [
        (str(source), posixpath.normpath(f"{WORKING}/{at}")) for source, at in _relative(mounts)
    ]
    for source, place in beside:
        if place.startswith(f"{INPUT}/"):
            arguments += ["--ro-bind", source, place]
    arguments += ["--remount-ro", INPUT, "--bind", str(mounts.working), WORKING]
    for source, place in beside:
        if not place.startswith(f"{INPUT}/"):
            arguments += ["--ro-bind", source, place]
    if mounts.temp is not None:
        arguments += ["--bind", str(mounts.temp), TEMP]
    if mounts.packages is not None:
        bind = "--bind" if packages_writable else "--ro-bind"
        arguments += [bind, str(mounts.packages), PACKAGES]
    return arguments
