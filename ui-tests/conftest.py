"""What every UI test gets: a browser, a server, notebooks to open."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

import nbformat
import pytest
from lab import Lab
from nbformat import NotebookNode
from playwright.sync_api import Page, ViewportSize, expect
from server import LabServer, running_lab

from tests.llm_server import LlmServer

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples"
SYSTEM_BROWSERS = ("chromium", "chromium-browser", "google-chrome")
VIEWPORT: ViewportSize = {"width": 1600, "height": 1000}
# Chromium asks for updates, accounts and form data: nothing but the tests' server is to be found.
ONLY_THIS_MACHINE = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"

MODEL_KEY = "key-of-the-stand-in"
PRICES = """\
as_of: 2026-02-01
currency: USD
source: https://example.org/prices
models:
  - {model: stand-in, input: 2, cached_input: 1, output: 10}
"""


def pytest_configure(config: pytest.Config) -> None:
    """Where pictures of failures go, wherever pytest is started, and how long is waited."""
    config.option.output = str(Path(__file__).parent / "test-results")
    # A machine that does something else beside them is no failure.
    expect.set_options(timeout=30_000)


class OpenNotebook(Protocol):
    """Writes a notebook to the server's directory and opens it in the browser."""

    def __call__(self, notebook: NotebookNode, path: str | None = None) -> Lab: ...


def system_browser() -> str | None:
    """The machine's own Chromium; None where there is none (or only Ubuntu's stub of one)."""
    for name in SYSTEM_BROWSERS:
        path = shutil.which(name)
        if path and subprocess.run([path, "--version"], capture_output=True).returncode == 0:
            return path
    return None


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    found = system_browser()
    extra = {"executable_path": found} if found else {}
    return {**browser_type_launch_args, **extra, "args": [ONLY_THIS_MACHINE, "--disable-gpu"]}


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    return {
        **browser_context_args,
        "viewport": VIEWPORT,
        "locale": "en-US",
        "color_scheme": "light",
        # What moves is drawn sixty times a second, here by the processor.
        "reduced_motion": "reduce",
    }


@pytest.fixture(scope="session")
def data_root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The examples' competitions, made anew."""
    folder = tmp_path_factory.mktemp("data")
    subprocess.run(
        [sys.executable, str(EXAMPLES / "make_data.py"), "--root", str(folder)],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    return folder


@pytest.fixture(scope="session")
def server(data_root: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LabServer]:
    """JupyterLab without a model: what needs none is tested without one."""
    with running_lab(tmp_path_factory.mktemp("lab"), data_root=data_root) as lab:
        yield lab


@pytest.fixture(scope="session")
def stand_in() -> Iterator[LlmServer]:
    """A stand-in for a model that speaks the real protocol."""
    with LlmServer(api_key=MODEL_KEY) as model:
        yield model


@pytest.fixture(scope="session")
def server_with_model(
    stand_in: LlmServer, data_root: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[LabServer]:
    """JupyterLab with a model and a price for it."""
    folder = tmp_path_factory.mktemp("lab-with-model")
    prices = folder / "prices.yaml"
    prices.write_text(PRICES)
    variables = {
        "MLE_MODERNIZER_BASE_URL": stand_in.base_url,
        "MLE_MODERNIZER_MODEL": "stand-in",
        "MLE_MODERNIZER_API_KEY": MODEL_KEY,
        "MLE_MODERNIZER_PRICES": str(prices),
        "MLE_MODERNIZER_MAKE_ENVIRONMENTS": "no",
    }
    with running_lab(folder, data_root=data_root, variables=variables) as lab:
        yield lab


@pytest.fixture
def model(stand_in: LlmServer) -> LlmServer:
    """The stand-in, asked by no test before; what it answers, its `choose` decides."""
    stand_in.requests.clear()
    return stand_in


@pytest.fixture
def open_notebook(page: Page, server: LabServer, request: pytest.FixtureRequest) -> OpenNotebook:
    """A notebook in the browser, under its test's name unless a path is given."""
    return opener(page, server, notebook_name(request))


@pytest.fixture
def open_with_model(
    page: Page, server_with_model: LabServer, request: pytest.FixtureRequest
) -> OpenNotebook:
    """The same where there is a model."""
    return opener(page, server_with_model, notebook_name(request))


@pytest.fixture
def figure1(open_notebook: OpenNotebook) -> Lab:
    """The example of the paper's Figure 1: XGBoost no longer takes labels that start at 1."""
    return open_notebook(example("figure1_wine_xgboost_labels"))


def opener(page: Page, server: LabServer, name: str) -> OpenNotebook:
    """What writes notebooks to a server's directory and opens them in a page."""

    def opened(notebook: NotebookNode, path: str | None = None) -> Lab:
        path = path or f"{name}.ipynb"
        file = server.root / path
        file.parent.mkdir(exist_ok=True)
        nbformat.write(notebook, file)
        lab = Lab(page, server, path, workspace=name)
        lab.open()
        return lab

    return opened


def notebook_name(request: pytest.FixtureRequest) -> str:
    """A name for a test's notebook and workspace that no other test has."""
    return "".join(char if char.isalnum() else "-" for char in request.node.name)


def example(name: str) -> NotebookNode:
    """One of the example notebooks."""
    notebook: NotebookNode = nbformat.read(EXAMPLES / "notebooks" / f"{name}.ipynb", as_version=4)
    return notebook


def target_score(notebook: NotebookNode) -> str:
    """What the notebook scored in its year, as a person types it."""
    return str(notebook.metadata["mle_modernizer"]["target_score"])


def with_outputs(notebook: NotebookNode, *texts: str) -> NotebookNode:
    """The notebook with these texts as its code cells' saved outputs, one a cell."""
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    for cell, text in zip(code, texts, strict=True):
        output = nbformat.v4.new_output("stream", name="stdout", text=text)
        cell.outputs, cell.execution_count = [output] if text else [], 1
    return notebook


def written(*cells: str) -> NotebookNode:
    """A notebook with these code cells."""
    notebook: NotebookNode = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(source) for source in cells],
        metadata={
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
    )
    return notebook
