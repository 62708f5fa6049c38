"""Plugins of the whole run: pytest takes them from the topmost conftest only."""

from __future__ import annotations

pytest_plugins = ("pytest_jupyter.jupyter_server",)
