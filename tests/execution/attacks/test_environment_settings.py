"""A notebook that looks for tokens in the settings of its Python environment."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from mle_modernizer_server.domain.environment import Interpreter
from mle_modernizer_server.domain.errors import SandboxUnavailable
from mle_modernizer_server.execution.sandboxes.local import own_interpreter
from tests.execution.conftest import Runner
from tests.refusals import refused

SETTINGS = (
    *("etc/jupyter/jupyter_server_config.json", "etc/conda/activate.d/keys.sh", "etc/pip.conf"),
    *("pip.conf", ".condarc", "condarc.d/channels.yml", "conda-meta/state"),
    *(".env", ".netrc", ".git/config", "runtime/jpserver-1.json", "linked.conf"),
)


@pytest.fixture
def runner(run_in: Callable[[str], Runner]) -> Runner:
    return run_in("bubblewrap")


def with_prefix(*prefixes: Path) -> Interpreter:
    own = own_interpreter()
    return replace(own, prefixes=(*own.prefixes, *prefixes))


def test_settings_of_the_environment_hold_no_token(
    runner: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prefix = tmp_path / "environment"
    for name in SETTINGS[:-1]:
        place = prefix / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text("token-of-the-host")
    (prefix / "linked.conf").symlink_to("pip.conf")
    (prefix / "lib").mkdir()
    (prefix / "lib" / "module.py").write_text("shown")
    (prefix / "etc" / "fonts").mkdir()
    (prefix / "etc" / "fonts" / "fonts.conf").write_text("shown")
    (tmp_path / "link").symlink_to(prefix)
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(prefix / "runtime"))
    runner.interpreter = with_prefix(tmp_path / "link")
    ran = runner(
        "import pathlib\n"
        f"for root in map(pathlib.Path, ({str(prefix)!r}, {str(tmp_path / 'link')!r})):\n"
        "    files = [path for path in root.rglob('*') if path.is_file()]\n"
        "    texts = {path.read_text() for path in files if path.stat().st_size}\n"
        "    print(len(files), texts)\n"
        "    try:\n"
        "        (root / 'etc' / 'new').touch()\n"
        "    except OSError:\n"
        "        print('read-only')\n",
        "print([str(path) for place in ('/usr/etc', '/usr/local/etc')\n"
        "       for path in pathlib.Path(place).glob('*')\n"
        "       if path.name not in ('fonts', 'OpenCL')])",
    )
    assert ran.text(0) == "2 {'shown'}\nread-only\n" * 2
    assert ran.text(1) == "[]\n"


def test_environment_that_is_a_home_is_not_shown(
    runner: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    for prefix in (tmp_path, Path("/"), Path("/etc"), tmp_path / ".local"):
        runner.interpreter = with_prefix(prefix)
        with refused(SandboxUnavailable, match="would have to expose"):
            runner("1")
