"""Plugins of the whole run: pytest takes them from the topmost conftest only."""

from __future__ import annotations

import pytest

pytest_plugins = ("pytest_jupyter.jupyter_server",)

_WITH_ENGINE = ("docker", "attacks", "containers", "killed_server")
"""Words in the paths of tests that need the Docker engine."""


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist reads the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """One worker of pytest-xdist runs all tests with containers: they count what is left over."""
    for item in items:
        if any(word in item.nodeid.partition("::")[0] for word in _WITH_ENGINE):
            item.add_marker(pytest.mark.xdist_group("engine"))
