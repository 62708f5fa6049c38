"""A JupyterLab of its own for the tests: own settings, own data, token authentication on."""

from __future__ import annotations

import json
import os
import secrets
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from playwright.sync_api import Page

START_LIMIT = 120.0
"""Seconds a server may take until it answers; a cold machine compiles JupyterLab's Python."""
KEPT_VARIABLES = (
    *("PATH", "LANG", "LC_ALL", "TMPDIR", "SYSTEMROOT", "VIRTUAL_ENV"),
    *("PYTHONPATH", "JUPYTER_PATH"),  # a checkout that is not installed
)
"""What the server gets of the tests' environment: no key, no setting of the person's."""
SPLASH = "@jupyterlab/apputils-extension:splash"
KERNEL = "python3"
_START = """\
import runpy, sys
sys.modules["rfc3987_syntax"] = None  # a grammar that takes seconds to compile
runpy.run_module(sys.argv.pop(1), run_name="__main__", alter_sys=True)
"""


@dataclass(frozen=True)
class LabServer:
    """A running JupyterLab.

    Attributes:
        url: Its address, without a slash at the end.
        token: What a request must show.
        root: The directory of its file browser.
        app: The Python module that serves the page: `jupyterlab` or `notebook`.
    """

    url: str
    token: str
    root: Path
    app: str = "jupyterlab"

    def api(
        self, path: str, *, method: str = "GET", token: str | None = None
    ) -> tuple[int, dict[str, object]]:
        """Status and JSON body of a request; without a token it comes from nobody."""
        request = urllib.request.Request(f"{self.url}/mle-modernizer/api/{path}", method=method)
        request.add_header("Content-Type", "application/json")
        if token is not None:
            request.add_header("Authorization", f"token {token}")
        if method != "GET":
            request.data = b"{}"
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            body = error.read()
            try:
                return error.code, json.loads(body)
            except ValueError:
                return error.code, {}

    def lend_kernel(self, notebook: str) -> None:
        """Give a notebook the kernel that the others have: otherwise each starts one.

        The product runs notebooks in other kernels, in the sandbox.
        """
        own = {"id": kernel} if (kernel := self._kernel()) else {"name": KERNEL}
        wanted = {"path": notebook, "name": "", "type": "notebook", "kernel": own}
        self._jupyter("sessions", wanted)

    def _kernel(self) -> str | None:
        """The id of the kernel that runs; None where there is none yet."""
        kernels = self._jupyter("kernels")
        return next((one["id"] for one in kernels if one["name"] == KERNEL), None)

    def _jupyter(self, path: str, body: object = None) -> Any:
        """What Jupyter's own interface answers."""
        request = urllib.request.Request(f"{self.url}/api/{path}")
        request.add_header("Authorization", f"token {self.token}")
        if body is not None:
            request.add_header("Content-Type", "application/json")
            request.data = json.dumps(body).encode()
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)

    def is_shown(self, page: Page) -> bool:
        """Whether a page has this server's JupyterLab, in which any document can be opened."""
        return self.app == "jupyterlab" and page.url.startswith(f"{self.url}/")

    def address(self, notebook: str, workspace: str) -> str:
        """Where a notebook opens, in a workspace that no other test uses."""
        page = f"lab/workspaces/{workspace}/tree" if self.app == "jupyterlab" else "notebooks"
        return f"{self.url}/{page}/{quote(notebook)}?token={self.token}"


def free_port() -> int:
    """A port nobody listens on right now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def running_lab(
    folder: Path,
    *,
    data_root: Path,
    variables: Mapping[str, str] | None = None,
    arguments: Sequence[str] = (),
) -> Iterator[LabServer]:
    """JupyterLab, from its start to its end.

    Args:
        folder: An empty directory for all it keeps; its log is `server.log` there.
        data_root: The competitions.
        variables: More environment variables, for example a model's address.
        arguments: More of the command line.

    Raises:
        RuntimeError: It ended or did not answer in time; with its log.
    """
    places = {
        "HOME": "home",
        "JUPYTER_CONFIG_DIR": "config",
        "JUPYTER_DATA_DIR": "share",
        "JUPYTER_RUNTIME_DIR": "runtime",
        "IPYTHONDIR": "ipython",
        "MPLCONFIGDIR": "matplotlib",
    }
    env = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
    for name, place in places.items():
        (folder / place).mkdir()
        env[name] = str(folder / place)
    env |= {"MLE_MODERNIZER_DATA_ROOT": str(data_root), **(variables or {})}
    root = folder / "root"
    root.mkdir()
    quiet = folder / "settings" / "@jupyterlab" / "apputils-extension"
    quiet.mkdir(parents=True)
    (quiet / "notification.jupyterlab-settings").write_text(
        json.dumps({"fetchNews": "false", "checkForUpdates": False, "doNotDisturbMode": True})
    )
    # Otherwise each page asks whether JupyterLab should be built anew: a second of the server's.
    (folder / "config" / "labconfig").mkdir()
    # And each draws a moving picture until it is loaded, a second of the processor's.
    page = {"buildAvailable": False, "disabledExtensions": {SPLASH: True}}
    (folder / "config" / "labconfig" / "page_config.json").write_text(json.dumps(page))
    # The tests open the panel when they want it.
    own = folder / "settings" / "mle-modernizer"
    own.mkdir()
    (own / "plugin.jupyterlab-settings").write_text(json.dumps({"openForOldNotebooks": False}))
    port, token = free_port(), secrets.token_hex(24)
    # Another Jupyter than the one of the tests' own environment, where one is named.
    python, app = os.environ.get("LAB_PYTHON", sys.executable), os.environ.get("LAB_APP", "")
    app = app or "jupyterlab"
    expose = "JupyterNotebookApp" if app == "notebook" else "LabApp"
    command = [
        *(python, "-c", _START, app, "--no-browser", "--allow-root", "--ip=127.0.0.1"),
        *(f"--port={port}", "--ServerApp.port_retries=0", f"--IdentityProvider.token={token}"),
        *(f"--ServerApp.root_dir={root}", f"--{expose}.expose_app_in_browser=True"),
        *(f"--{expose}.workspaces_dir={folder / 'workspaces'}",),
        *(f"--{expose}.user_settings_dir={folder / 'settings'}",),
        *(("--LabApp.extension_manager=readonly",) if app == "jupyterlab" else ()),
        *arguments,
    ]
    log = folder / "server.log"
    with log.open("w") as sink:
        process = subprocess.Popen(
            command, env=env, cwd=root, stdout=sink, stderr=subprocess.STDOUT
        )
    server = LabServer(f"http://127.0.0.1:{port}", token, root, app)
    try:
        _wait(server, process, log)
        yield server
    finally:
        process.terminate()
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait(server: LabServer, process: subprocess.Popen[bytes], log: Path) -> None:
    """Until the extension answers.

    Raises:
        RuntimeError: It never does.
    """
    end = time.monotonic() + START_LIMIT
    while time.monotonic() < end and process.poll() is None:
        try:
            status, _ = server.api("info", token=server.token)
        except OSError:
            time.sleep(0.2)
            continue
        if status == 200:
            return
        raise RuntimeError(f"the extension answers with {status}:\n{log.read_text()}")
    raise RuntimeError(f"JupyterLab did not start:\n{log.read_text()}")
