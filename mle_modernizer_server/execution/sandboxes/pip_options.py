"""Parse the arguments of a notebook's `pip install` line by an allow list.

Abbreviated options (`--only-b`), joined ones (`-rfile`) and combined ones (`-qU`) are read as pip
reads them, and written out in full for the call of pip: it gets no option that is not listed here.
Source: https://pip.pypa.io/en/stable/cli/pip_install/#options
"""

from __future__ import annotations

import optparse
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from typing import NoReturn

_ADDRESS = re.compile(r"(?:[a-z]+\+)?[a-z]+://", re.IGNORECASE)
_LONGEST_SHOWN = 200
_ARCHIVES = (".zip", ".tar", ".tgz", ".tbz", ".gz", ".bz2", ".xz", ".lzma", ".egg")


class BadInstallLine(Exception):
    """pip is not called with these arguments; the text is a sentence with the reason."""


class _Use(Enum):
    """The purpose of an option."""

    IGNORED = "changes nothing here, or would install elsewhere"
    FINDING = "which packages are considered"
    CHOOSING = "which of them are installed"
    SOURCE = "where packages come from"
    BUILD = "asks for a build"
    NOTHING = "installs nothing"
    OTHER = "not available here"


_FLAGS = {
    _Use.IGNORED: (
        "-q --quiet",
        "-v --verbose",
        "-y --yes",
        "-I --ignore-installed",
        "--force-reinstall",
        "--user",
        "--system",
        "--no-input",
        "--no-color",
        "--no-cache-dir",
        "--no-clean",
        "--isolated",
        "--debug",
        "--compile",
        "--no-compile",
        "--break-system-packages",
        "--disable-pip-version-check",
        "--no-python-version-warning",
        "--no-warn-script-location",
        "--no-warn-conflicts",
        "--require-virtualenv --require-venv",
        "--use-pep517",
        "--no-use-pep517",
        "--check-build-dependencies",
    ),
    _Use.FINDING: (
        "--pre",
        "--prefer-binary",
        "--no-index",
        "--ignore-requires-python",
        "--no-build-isolation",
    ),
    _Use.CHOOSING: ("-U --upgrade", "--no-deps --no-dependencies", "--require-hashes"),
    _Use.NOTHING: ("-h --help", "-V --version", "--dry-run"),
}
_VALUES = {
    _Use.IGNORED: (
        "-t --target",
        "--prefix",
        "--root",
        "--src --source --source-dir --source-directory",
        "-b --build --build-dir --build-directory",
        "--cache-dir",
        "--log --log-file --local-log",
        "--progress-bar",
        "--report",
        "--exists-action",
        "--root-user-action",
        "--keyring-provider",
        "--retries",
        "--resume-retries",
        "--timeout --default-timeout",
        "--use-feature",
        "--use-deprecated",
        "--build-constraint",
    ),
    _Use.FINDING: ("-c --constraint", "--only-binary"),
    _Use.CHOOSING: ("-r --requirement", "--upgrade-strategy"),
    _Use.SOURCE: (
        "-i --index-url --pypi-url",
        "--extra-index-url",
        "-f --find-links",
        "--trusted-host",
        "--proxy",
        "--cert",
        "--client-cert",
    ),
    _Use.BUILD: (
        "--no-binary",
        "-C --config-settings --config-setting",
        "--global-option",
        "--build-option",
        "--install-option",
    ),
    _Use.NOTHING: ("-d --download --download-dir --download-directory",),
    _Use.OTHER: (
        "-e --editable",
        "--group",
        "--python",
        "--platform",
        "--python-version",
        "--implementation",
        "--abi",
    ),
}


_BUILDS = frozenset(name for names in _VALUES[_Use.BUILD] for name in names.split())


@dataclass(frozen=True)
class InstallRequest:
    """The arguments of an install line by purpose; options are written as `--name=value`.

    Attributes:
        finding: Options for finding packages, for every call of pip.
        choosing: Options for choosing versions (`--upgrade`, `--requirement=file`), for the first.
        requirements: Names with their versions, paths and addresses.
        sources: Options for the sources of packages, or for the access to them.
        builds: Options that request a build.
    """

    finding: tuple[str, ...] = ()
    choosing: tuple[str, ...] = ()
    requirements: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    builds: tuple[str, ...] = ()

    def from_configured_indexes(self) -> InstallRequest:
        """Return the request without its own indexes; directories of `--find-links` stay."""
        own = tuple(one for one in self.sources if _names_a_directory(one))
        return replace(self, sources=own)


def parse_install(arguments: tuple[str, ...]) -> InstallRequest:
    """Return the request of an install line.

    Args:
        arguments: The words after `pip install`.

    Raises:
        BadInstallLine: An option is unknown, lacks its value, or is not available here.
    """
    options, requirements = _Parser().parse_args(list(arguments))
    found: dict[_Use, list[str]] = options.found
    for option in (*found[_Use.NOTHING], *found[_Use.OTHER]):
        name = option.partition("=")[0]
        if option in found[_Use.NOTHING]:
            raise BadInstallLine(f"Not carried out: {name} installs nothing.")
        raise BadInstallLine(f"Not installed: {name} cannot be used in a run; remove it.")
    return InstallRequest(
        finding=tuple(found[_Use.FINDING]),
        choosing=tuple(found[_Use.CHOOSING]),
        requirements=tuple(requirements),
        sources=tuple(found[_Use.SOURCE]),
        builds=tuple(found[_Use.BUILD]),
    )


def confined_refusal(request: InstallRequest) -> str:
    """Return why a sandbox that reaches only the configured indexes does not call pip; else "".

    Args:
        request: Its indexes are ignored, not refused.
    """
    for option in (*request.builds, *request.finding):
        if _asks_for_a_build(option):
            return (
                f"Not installed: {_short(option)} asks for a build, which only the server's "
                "settings of pip can allow; remove it."
            )
    own = request.from_configured_indexes()
    values = (option.partition("=")[2] for option in (*own.finding, *own.choosing))
    for text in (*values, *own.requirements):
        path = local_path(text)
        if path is None and _ADDRESS.search(text):
            return (
                "Not installed: packages come from the configured index by name, and "
                f"{_short(text)} is an address."
            )
    for requirement in request.requirements:
        path = local_path(requirement)
        if path is not None and not path.lower().endswith(".whl"):
            return (
                f"Not installed: {_short(requirement)} would have to be built, which runs its "
                "code. Name a wheel, or a package of the index."
            )
    return ""


def local_path(requirement: str) -> str | None:
    """Return the path or `file:` address of a requirement; None if it is a name or elsewhere."""
    place = requirement.strip()
    name, at, address = place.partition("@")
    if at and re.fullmatch(r"[\w.-]+\s*(\[[^]]*\])?\s*", name):
        place = address.strip()
    place = re.sub(r"\s*;.*$|#.*$|\[[^]]*\]$", "", place)
    if place.lower().startswith("file:"):
        return place
    if _ADDRESS.search(place):
        return None
    if "/" in place or "\\" in place or place.startswith((".", "~")):
        return place
    return place if place.lower().endswith((*_ARCHIVES, ".whl")) else None


def _asks_for_a_build(option: str) -> bool:
    name, _, value = option.partition("=")
    if name == "--only-binary":
        return ":none:" in value.split(",")
    return name in _BUILDS and option != "--no-binary=:none:"


def _names_a_directory(option: str) -> bool:
    name, _, value = option.partition("=")
    return name == "--find-links" and not _ADDRESS.search(value)


def _short(text: str) -> str:
    return repr(text[:_LONGEST_SHOWN])


class _Parser(optparse.OptionParser):
    """pip's own kind of parser, which finds abbreviations as pip does."""

    def __init__(self) -> None:
        super().__init__(add_help_option=False)
        self.set_defaults(found={use: [] for use in _Use})
        for table, kind in ((_FLAGS, None), (_VALUES, "string")):
            for use, options in table.items():
                for names in options:
                    self.add_option(
                        *names.split(), action="callback", type=kind, callback=_note(use, names)
                    )

    def error(self, msg: str) -> NoReturn:
        raise BadInstallLine(f"Not installed: {msg[:_LONGEST_SHOWN]}.")


def _note(use: _Use, names: str) -> Callable[..., None]:
    name = next(name for name in names.split() if name.startswith("--"))

    def note(option: object, as_written: str, value: str | None, parser: _Parser) -> None:
        assert parser.values is not None
        parser.values.found[use].append(name if value is None else f"{name}={value}")

    return note
