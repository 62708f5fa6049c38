"""A package that is missing: a card like an edit's, accepted and cancelled like one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from conftest import written
from lab import Lab
from panel import RUN_LIMIT, Panel
from playwright.sync_api import Page, expect
from server import LabServer, running_lab

from tests.environments.wheels import Wheels

SOURCE = "import words_of_mine\nprint(words_of_mine.WORDS)"


@pytest.fixture(scope="module")
def with_index(data_root: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LabServer]:
    """A server whose pip knows one index more, with a package that no table knows."""
    wheels = Wheels(tmp_path_factory.mktemp("wheels") / "index")
    for name in ("ipykernel", "pip"):
        for file in (wheels.folder / name).iterdir():
            file.unlink()
    wheels.add("stop-words", "2999.1", files={"stop_words/__init__.py": "WORDS = 'the'\n"})
    wheels.add("my-words", "1.0", files={"words_of_mine/__init__.py": "WORDS = 'all mine'\n"})
    folder = tmp_path_factory.mktemp("lab-with-index")
    own = {name: text for name, text in os.environ.items() if name.startswith(("PIP_", "UV_"))}
    variables = {**own, "PIP_EXTRA_INDEX_URL": wheels.folder.as_uri()}
    with running_lab(folder, data_root=data_root, variables=variables) as lab:
        yield lab


@pytest.mark.thorough
def test_a_package_that_no_table_knows_is_asked_for_and_added(
    page: Page, with_index: LabServer
) -> None:
    nbformat.write(written(SOURCE), with_index.root / "mine.ipynb")
    lab = Lab(page, with_index, "mine.ipynb", workspace="mine")
    lab.open()
    panel = Panel(page)
    panel.modernize()
    card = panel.region.get_by_role("group", name="Missing packages")
    expect(card).to_contain_text("A package is missing.", timeout=RUN_LIMIT)
    accept = card.get_by_role("button", name="Accept")
    expect(accept).to_be_disabled()
    name = card.get_by_label("Package of “words_of_mine”")
    name.fill("../elsewhere")
    expect(card).to_contain_text("A name has letters")
    expect(accept).to_be_disabled()
    name.fill("my-words")
    accept.click()
    expect(panel.button("Cancel")).to_be_visible()
    panel.expect_stand("Runs without errors")
    expect(card).to_have_count(0)
    assert lab.sources() == [SOURCE], "the code stays as it is"

    add_to_a_made_environment(page, with_index)


def add_to_a_made_environment(page: Page, with_index: LabServer) -> None:
    """A package missing in the person's own environment is added to a made one."""
    source = "import stop_words\nprint(stop_words.WORDS)"
    nbformat.write(written(source), with_index.root / "own.ipynb")
    lab = Lab(page, with_index, "own.ipynb", workspace="own")
    lab.open()
    panel = Panel(page)
    panel.open()
    panel.more_settings()
    panel.field("Environment").select_option("server")
    panel.button("Modernize").click()
    card = panel.region.get_by_role("group", name="Missing packages")
    expect(card.get_by_role("list", name="Packages to add")).to_have_text(
        "stop-words", timeout=RUN_LIMIT
    )
    expect(card.get_by_role("button")).to_have_count(0)  # the next step above adds it
    panel.button("Add stop-words").click()
    panel.expect_stand("Runs without errors")
    expect(panel.field("Environment")).to_have_value("own")
    assert lab.sources() == [source]
