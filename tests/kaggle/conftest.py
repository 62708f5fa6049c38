"""A Kaggle of our own, and a home without any token of the person who runs the tests."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kaggle.site import TOKEN, Site, serving

_VARIABLES = ("KAGGLE_API_TOKEN", "KAGGLE_USERNAME", "KAGGLE_KEY", "KAGGLE_CONFIG_DIR")


@pytest.fixture
def nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home directory without a token; the package is imported anew in it."""
    if sys.version_info < (3, 11):
        pytest.skip("the package kaggle needs Python 3.11; Kaggle cannot be tested here")
    home = tmp_path / "home"
    home.mkdir()
    for name in _VARIABLES:
        monkeypatch.delenv(name, raising=False)
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / ".config"))
    for name in [name for name in sys.modules if name.split(".")[0] == "kaggle"]:
        monkeypatch.delitem(sys.modules, name)
    return home


@pytest.fixture
def site(nobody: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """A stand-in of Kaggle's interface, where the package looks for Kaggle; with a token."""
    from kagglesdk import kaggle_env

    monkeypatch.setenv("KAGGLE_API_TOKEN", TOKEN)
    with serving() as site:
        monkeypatch.setitem(kaggle_env._env_to_endpoint, kaggle_env.KaggleEnv.PROD, site.url)
        yield site
