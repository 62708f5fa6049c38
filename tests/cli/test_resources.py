"""Files of the network on the command line: named after a run, fetched when asked, removed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mle_modernizer_server.resources.store import KeptResources
from tests.cli.conftest import Cli, Write
from tests.resources.conftest import Site, running_site


@pytest.fixture(autouse=True)
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> KeptResources:
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "jupyter"))
    root = tmp_path / "jupyter" / "mle-modernizer" / "resources"
    return KeptResources(root, private=True)


def fetched(kept: KeptResources) -> str:
    """The address of a file that was fetched; nobody gives it any more."""
    with running_site() as site:
        address = Site(site.port).at("train.csv")
        kept.fetch(address)
    return address


@pytest.mark.thorough  # `tests/workflow/test_fetching.py` goes the same way
def test_run_names_missing_resource_and_has_it_after_fetch(
    cli: Cli, write: Write, kept: KeptResources, tmp_path: Path
) -> None:
    address = fetched(kept)
    path = write(f"import pandas as pd\ntrain = pd.read_csv('{address}')", "print(train.shape)")
    before = path.read_bytes()
    ended = cli(path, "--auto")
    assert ended.code == 1
    assert f"Fetch it once with --fetch {address}" in ended.err
    output = tmp_path / "new.ipynb"
    ended = cli(path, "--auto", "--fetch", address, "--output", output)
    assert ended.code == 0, ended.out + ended.err
    assert "Every cell ran without an error" in ended.out
    assert "pd.read_csv('train.csv')" in output.read_text()
    assert path.read_bytes() == before


def test_what_was_fetched_is_listed_and_removed(cli: Cli, kept: KeptResources) -> None:
    address = fetched(kept)
    (found,) = json.loads(cli("resources", "--json").out)
    assert found["address"] == address and found["size"] == 8
    ended = cli("resources")
    assert found["id"] in ended.out and address in ended.out
    assert f"Removed {found['id']}." in cli("resources", "--remove", found["id"]).out
    assert cli("resources").out == "Nothing was fetched yet.\n"
    ended = cli("resources", "--remove", found["id"])
    assert ended.code == 2 and "No fetched file has the id" in ended.err


def test_local_servers_and_pages_are_not_fetched(
    cli: Cli, write: Write, kept: KeptResources, capfd: pytest.CaptureFixture[str]
) -> None:
    with running_site() as site:
        address = site.at("train.csv")
        ended = cli("resources", "--fetch", address)
        assert ended.code == 3 and "not a public server" in ended.err
        ended = cli("run", write("1"), "--fetch", address)
        assert ended.code == 3 and "not a public server" in ended.err
        assert site.asked == []
    assert kept.all() == ()
    for wrong in ("file:///etc/passwd", "http://me:key@example.org/a.csv", "http://example.org/"):
        with pytest.raises(SystemExit) as ending:
            cli("run", write("1"), "--fetch", wrong)
        assert ending.value.code == 2 and "is not fetched" in capfd.readouterr().err


def test_a_package_is_added_to_made_environments_only(
    cli: Cli, write: Write, capfd: pytest.CaptureFixture[str]
) -> None:
    ended = cli("run", write("1"), "--package", "stop-words", "--environment", "server")
    assert ended.code == 2 and "is left unchanged" in ended.err
    with pytest.raises(SystemExit) as ending:
        cli("run", write("1"), "--package", "../evil")
    assert ending.value.code == 2 and "no package's name" in capfd.readouterr().err
