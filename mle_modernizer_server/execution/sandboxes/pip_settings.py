"""The machine's settings of pip, for a sandbox."""

from __future__ import annotations

import configparser
import os
import re
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path

_INSTALL = (
    "PIP_INDEX_URL",
    "PIP_EXTRA_INDEX_URL",
    "PIP_FIND_LINKS",
    "PIP_NO_INDEX",
    "PIP_CERT",
    "PIP_TRUSTED_HOST",
    "PIP_PROXY",
    "PIP_DEFAULT_TIMEOUT",
    "PIP_CONSTRAINT",
    "PIP_ONLY_BINARY",
    "PIP_NO_BINARY",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "REQUESTS_CA_BUNDLE",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "http_proxy",
    "https_proxy",
    "no_proxy",
)
"""How the machine reaches its package index."""


def install_environ() -> dict[str, str]:
    """Return the host's environment variables that pip needs to reach its index."""
    environ = _configured()
    environ |= {name: os.environ[name] for name in _INSTALL if name in os.environ}
    return environ | {"PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_INPUT": "1"}


_OPTIONS = (
    *("index-url", "extra-index-url", "find-links", "no-index", "trusted-host", "proxy", "cert"),
    *("constraint", "only-binary", "no-binary", "prefer-binary"),
)
_WITH_FILES = ("PIP_CONSTRAINT", "PIP_FIND_LINKS", "PIP_CERT", "SSL_CERT_FILE", "SSL_CERT_DIR")
_INCLUDED = re.compile(r"^[ \t]*(?:-c|-r|--constraint|--requirement)[ =]+(\S+)", re.MULTILINE)
_MOST_FILES = 50


def _configured() -> dict[str, str]:
    """Return the options of pip's configuration files as pip's environment variables."""
    found: dict[str, str] = {}
    for file in pip_config_files():
        parser = configparser.RawConfigParser()
        try:
            parser.read(file, "utf-8")
        except (configparser.Error, UnicodeDecodeError):
            continue  # pip reports the error itself
        for section in ("global", "install"):
            for option in _OPTIONS if parser.has_section(section) else ():
                value = parser.get(section, option, fallback="") or ""
                if value.strip():
                    found["PIP_" + option.upper().replace("-", "_")] = " ".join(value.split())
    return found


def install_files(environ: Mapping[str, str]) -> tuple[Path, ...]:
    """Return the files and directories of this machine that pip's settings name.

    Args:
        environ: Result of `install_environ`.
    """
    waiting = [Path(word) for name in _WITH_FILES for word in environ.get(name, "").split()]
    found: dict[Path, None] = {}
    while waiting and len(found) < _MOST_FILES:
        path = waiting.pop()
        if path in found or not path.is_absolute() or not path.exists():
            continue
        found[path] = None
        if path.is_file() and path.suffix in (".txt", ".in", ".cfg", ""):
            text = path.read_text("utf-8", "replace")
            waiting += [path.parent / name for name in _INCLUDED.findall(text)]
    return tuple(found)


def constraints_text(environ: Mapping[str, str]) -> str:
    """Return all constraints that pip's settings name, with the files they include, as one text.

    Args:
        environ: Result of `install_environ`.
    """
    named = {"PIP_CONSTRAINT": environ.get("PIP_CONSTRAINT", "")}
    texts = []
    for file in install_files(named):
        if file.is_file():
            text = file.read_text("utf-8", "replace")
            texts.append(_INCLUDED.sub(partial(_not_in_text, file.parent), text))
    return "\n".join(texts)


def _not_in_text(folder: Path, include: re.Match[str]) -> str:
    return "" if (folder / include[1]).is_file() else include[0]


def pip_config_files() -> tuple[Path, ...]:
    """Return pip's configuration files of the machine and the user, those that exist.

    A relative path would lead into the current folder, which may be a stranger's.

    Source: https://pip.pypa.io/en/stable/topics/configuration/#location
    """
    files = [Path("/etc/pip.conf"), Path("/etc/xdg/pip/pip.conf")]
    files += [Path.home() / ".pip" / "pip.conf", Path.home() / ".config" / "pip" / "pip.conf"]
    files.append(Path(sys.prefix) / "pip.conf")
    named = os.environ.get("PIP_CONFIG_FILE")
    files += [Path(named)] if named else []
    return tuple(file for file in files if file.is_absolute() and file.is_file())
