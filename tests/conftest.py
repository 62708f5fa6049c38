"""Plugins of the whole run: pytest takes them from the topmost conftest only."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

# Nothing is downloaded for a notebook that imports what is not here; the tests of that allow it.
os.environ["MLE_MODERNIZER_MAKE_ENVIRONMENTS"] = "no"

pytest_plugins = ("pytest_jupyter.jupyter_server",)

# How long an example takes says how busy the machine is, not whether the product is right.
settings.register_profile("any-speed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any-speed")
