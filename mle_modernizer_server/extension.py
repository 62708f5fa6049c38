"""The server extension: configuration and wiring, nothing else."""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from jupyter_events import EventLogger
from jupyter_server.extension.application import ExtensionApp
from jupyter_server.serverapp import ServerApp
from jupyter_server.utils import url_path_join
from tornado import web
from tornado.routing import PathMatches, Rule
from traitlets import Bool, Dict, Float, Int, Unicode

from mle_modernizer_server import pools
from mle_modernizer_server._version import __version__
from mle_modernizer_server.web.late_routes import LateRoutes, Route


@dataclass(frozen=True)
class Started:
    """Components loaded after the server's start.

    Attributes:
        routes: Routes with their handlers.
        close: Stops all work and leaves no process behind.
    """

    routes: Sequence[Route]
    close: Callable[[], Awaitable[None]]


class ModernizerExtension(ExtensionApp):
    """Makes old machine-learning notebooks reproducible again."""

    name = "mle_modernizer_server"
    app_name = "MLE Modernizer"
    load_other_extensions = True
    version = __version__

    data_root = Unicode(
        help="Directory with the competitions, in MLE-bench's layout. Empty: the environment "
        "variable MLE_MODERNIZER_DATA_ROOT, else MLE-bench's own cache.",
    ).tag(config=True)
    database = Unicode(
        help="SQLite file with the sessions. Empty: mle-modernizer/sessions.db in Jupyter's data "
        "directory.",
    ).tag(config=True)
    sandbox = Unicode(
        help="Sandbox to use if the user selected none. Empty: the best isolated one that works.",
    ).tag(config=True)
    time_limit = Float(
        600.0, help="Seconds a notebook may run, unless the user sets another limit."
    ).tag(config=True)
    old_pythons = Dict(
        value_trait=Unicode(),
        key_trait=Unicode(),
        help="Pythons (3.6 or newer) with old libraries, or their virtual environments, by "
        "the name that the panel shows. They are used to test what silent changes do.",
    ).tag(config=True)

    concurrent_work = Int(
        1, min=1, help="Number of notebooks worked on at once. More of them slow each other down."
    ).tag(config=True)
    waiting_kernels = Int(
        1,
        min=0,
        help="With the scope of one cell: number of kernels that may wait at a failing cell "
        "for its fix. 0: none, and every run starts at the first cell.",
    ).tag(config=True)
    waiting_limit = Float(
        1800.0, help="Seconds such a kernel waits. It keeps its memory meanwhile."
    ).tag(config=True)
    fetch_private_addresses = Bool(
        False,
        help="Also fetch files from servers of this machine and its network, if the user "
        "agrees. Everybody who may use this server can then read them through it.",
    ).tag(config=True)
    llm_base_url = Unicode(
        help="OpenAI-compatible endpoint. Empty: MLE_MODERNIZER_BASE_URL or OPENAI_BASE_URL.",
    ).tag(config=True)
    llm_model = Unicode(help="Name of the model. Empty: MLE_MODERNIZER_MODEL.").tag(config=True)
    llm_api_key_file = Unicode(
        help="File with the key on its first line. Empty: MLE_MODERNIZER_API_KEY or "
        "OPENAI_API_KEY.",
    ).tag(config=True)

    llm_prices_file = Unicode(
        help="Price list (YAML) that takes precedence over the built-in one. Empty: "
        "MLE_MODERNIZER_PRICES.",
    ).tag(config=True)

    rules_path = Unicode(
        help="Folder with your own rules (YAML). Empty: MLE_MODERNIZER_RULES.",
    ).tag(config=True)

    catalogue_path = Unicode(
        help="Folder with your own models and recipes (YAML). Empty: MLE_MODERNIZER_CATALOGUE.",
    ).tag(config=True)

    def initialize_settings(self) -> None:
        """Register the event's schema, and load the rest as soon as the server responds."""
        self._started: asyncio.Task[Started] | None = None
        # Only clients that subscribe afterwards receive it.
        self.event_bus().register_event_schema(Path(__file__).parent / "web" / "session_event.yaml")
        self.server().io_loop.add_callback(self.started)

    def initialize_handlers(self) -> None:
        """Add the routes."""
        server = self.server()
        api = url_path_join(server.base_url, "mle-modernizer", "api", ".*")
        rule = Rule(PathMatches(api), LateRoutes(server.web_app, self._routes))
        cast(web.Application, server.web_app).add_handlers(".*$", [rule])

    def server(self) -> ServerApp:
        """Return the Jupyter server of this extension.

        Raises:
            RuntimeError: There is none.
        """
        if self.serverapp is None:
            raise RuntimeError("the extension is loaded without a Jupyter server")
        return self.serverapp

    def event_bus(self) -> EventLogger:
        """Return the server's event bus.

        Raises:
            RuntimeError: It has none.
        """
        bus = self.server().event_logger
        if bus is None:
            raise RuntimeError("the Jupyter server has no event bus")
        return bus

    def started(self) -> asyncio.Task[Started]:
        """Start loading the components, if not started yet, and return the task.

        Their import takes longer than all imports of Jupyter Server itself, so it happens in a
        thread, after the server's start.
        """
        if self._started is None:
            self._started = asyncio.create_task(self._start())
        return self._started

    async def _start(self) -> Started:
        try:
            start = await pools.process.run(importlib.import_module, "mle_modernizer_server.start")
            started: Started = start.start(self)
        except Exception:  # as for an extension that Jupyter Server cannot load: logged, no routes
            self.log.exception("MLE Modernizer cannot be loaded")
            return Started((), _nothing)
        return started

    async def _routes(self) -> Sequence[Route]:
        started = await asyncio.shield(self.started())
        return started.routes

    async def stop_extension(self) -> None:
        """Stop all work; no process is left behind."""
        if self._started is not None:
            await (await self._started).close()


async def _nothing() -> None:
    """Do nothing: there is no work to stop."""
