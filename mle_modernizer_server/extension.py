"""The server extension: configuration and wiring, nothing else."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from jupyter_server.extension.application import ExtensionApp
from jupyter_server.serverapp import ServerApp
from traitlets import Dict, Float, Int, Unicode

from mle_modernizer_server._version import __version__
from mle_modernizer_server.domain.errors import ModernizerError
from mle_modernizer_server.domain.message import Message, coded
from mle_modernizer_server.domain.session import SessionSettings
from mle_modernizer_server.execution.sandboxes.docker.configuration import DockerSandbox
from mle_modernizer_server.fixing.llm.settings import LlmSettings
from mle_modernizer_server.web import hints
from mle_modernizer_server.web.handlers import handlers
from mle_modernizer_server.wiring import (
    bind_services,
    clear_leftovers,
    close_sandboxes,
    default_database,
    folder_below,
    isolated_analysis,
    take_rules,
)
from mle_modernizer_server.workflow.log.event_log import EventLog
from mle_modernizer_server.workflow.log.store import Store
from mle_modernizer_server.workflow.paused_runs import PausedRuns
from mle_modernizer_server.workflow.service import Modernizer
from mle_modernizer_server.workflow.services import Services

_Made = TypeVar("_Made")
_START_UP_ERRORS = (
    ModernizerError,
    OSError,
    sqlite3.Error,
    ValueError,
    TypeError,
    LookupError,
    RuntimeError,
)
"""What files, databases and settings that are broken or out of reach raise."""


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
        help="Sandbox used where the user chose none. Empty: the best isolated one that works.",
    ).tag(config=True)
    time_limit = Float(
        600.0, help="Seconds a notebook may run, where the user set nothing else."
    ).tag(config=True)
    old_pythons = Dict(
        value_trait=Unicode(),
        key_trait=Unicode(),
        help="Pythons (3.6 or newer) with old libraries, or their virtual environments, by the "
        "name that the panel shows: what silent changes do is then told by experiment.",
    ).tag(config=True)

    concurrent_work = Int(
        1, min=1, help="Notebooks worked on at once; more slow each other down."
    ).tag(config=True)
    waiting_kernels = Int(
        1,
        min=0,
        help="In the scope of one cell, kernels that may wait at a failing cell for its fix; 0: "
        "none, and every run begins with the first cell.",
    ).tag(config=True)
    waiting_limit = Float(
        1800.0, help="Seconds such a kernel waits, with all the memory it has taken."
    ).tag(config=True)
    llm_base_url = Unicode(
        help="OpenAI-compatible endpoint. Empty: MLE_MODERNIZER_BASE_URL or OPENAI_BASE_URL.",
    ).tag(config=True)
    llm_model = Unicode(help="Name of the model. Empty: MLE_MODERNIZER_MODEL.").tag(config=True)
    llm_api_key_file = Unicode(
        help="File that holds the key. Empty: MLE_MODERNIZER_API_KEY or OPENAI_API_KEY.",
    ).tag(config=True)

    llm_prices_file = Unicode(
        help="Price list (YAML) that comes before the built-in one. Empty: MLE_MODERNIZER_PRICES.",
    ).tag(config=True)

    rules_path = Unicode(
        help="Folder with rules of your own (YAML). Empty: MLE_MODERNIZER_RULES.",
    ).tag(config=True)

    def initialize_settings(self) -> None:
        """Bind the services together and take up the log where it was left.

        Nothing on disk keeps the extension from loading: what fails is in `GET /info`.
        """
        server = self.serverapp
        if server is None or server.event_logger is None:
            raise RuntimeError("the extension is loaded without a Jupyter server")
        hints.register(server.event_logger)
        database = Path(self.database) if self.database else default_database()
        problems: list[Message] = []
        self._analysis = isolated_analysis()

        def attempt(what: str, step: Callable[[], _Made], instead: Callable[[], _Made]) -> _Made:
            try:
                return step()
            except _START_UP_ERRORS as error:
                self.log.warning("%s: %s", what, error, exc_info=True)
                problems.extend(coded("server.problem", part=what, error=str(error)))
                return instead()

        rules = Path(self.rules_path) if self.rules_path else None
        attempt("Rules of your own are not used", lambda: take_rules(rules), lambda: None)
        llm = attempt(
            "The language model cannot be used",
            self._llm,
            LlmSettings,
        )
        services = attempt(
            "The configured sandbox cannot be used",
            lambda: self._services(server, llm, self.sandbox or None),
            lambda: self._services(server, llm, None),
        )
        store = attempt(
            "Sessions are kept in memory until the server is restarted",
            lambda: Store(database),
            lambda: Store(None),
        )
        log = EventLog(store, hints.listener(server.event_logger))
        self.modernizer = Modernizer(log, services, concurrent_work=self.concurrent_work)
        attempt(
            "Sessions that a crash interrupted are not marked so",
            self.modernizer.recover,
            lambda: None,
        )
        attempt("What a crash left behind is not removed", clear_leftovers, lambda: None)
        self.modernizer.problems = tuple(problems)
        self.settings["mle_modernizer"] = self.modernizer
        self.settings["mle_modernizer_defaults"] = SessionSettings(time_limit=self.time_limit)

    def _llm(self) -> LlmSettings:
        return LlmSettings.from_environment(
            base_url=self.llm_base_url or None,
            model=self.llm_model or None,
            api_key_file=Path(self.llm_api_key_file) if self.llm_api_key_file else None,
            prices_file=Path(self.llm_prices_file) if self.llm_prices_file else None,
        )

    def _services(self, server: ServerApp, llm: LlmSettings, sandbox: str | None) -> Services:
        return bind_services(
            data_root=Path(self.data_root) if self.data_root else None,
            sandbox=sandbox,
            containers=DockerSandbox(parent=self).settings(),
            old_pythons={name: Path(path) for name, path in self.old_pythons.items()},
            llm=llm,
            paused=PausedRuns(self.waiting_kernels, self.waiting_limit),
            notebook_folder=folder_below(Path(server.root_dir)),
            analysis=self._analysis,
        )

    def initialize_handlers(self) -> None:
        """Add the routes."""
        self.handlers.extend(handlers(""))

    async def stop_extension(self) -> None:
        """Stop all work; no process is left behind."""
        await self.modernizer.close()
        self._analysis.close()
        await close_sandboxes()
