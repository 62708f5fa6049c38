"""What pip gets of the machine's settings in a sandbox, and what of a notebook's is ignored."""

from __future__ import annotations

import os
from pathlib import Path

IGNORED_FLAGS = frozenset(
    {
        "-q",
        "-qq",
        "-qqq",
        "--quiet",
        "-v",
        "-vv",
        "-vvv",
        "--verbose",
        "-y",
        "--yes",
        "--user",
        "--no-input",
        "--break-system-packages",
        "--ignore-installed",
        "-I",
        "--force-reinstall",
    }
)
"""Of an install line, what would change nothing or harm: how much is said, and where to."""

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
    """What pip needs of the host's environment to reach its index."""
    environ = {name: os.environ[name] for name in _INSTALL if name in os.environ}
    return environ | {"PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_INPUT": "1"}


def pip_config_files() -> tuple[Path, ...]:
    """pip's configuration files of the machine and the user, those that exist.

    Source: https://pip.pypa.io/en/stable/topics/configuration/#location
    """
    files = [Path("/etc/pip.conf"), Path("/etc/xdg/pip/pip.conf")]
    files += [Path.home() / ".pip" / "pip.conf", Path.home() / ".config" / "pip" / "pip.conf"]
    return tuple(file for file in files if file.is_file())
