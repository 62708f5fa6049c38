"""The server extension: configuration and wiring, nothing else."""

from __future__ import annotations

from pathlib import Path

from jupyter_core.paths import jupyter_data_dir
from jupyter_server.extension.application import ExtensionApp
from traitlets import Float, Int, Unicode

from mle_modernizer_server._version import __version__
from mle_modernizer_server.domain.session import SessionSettings
from mle_modernizer_server.execution.containers.configuration import DockerSandbox
from mle_modernizer_server.fixing.llm.settings import LlmSettings
from mle_modernizer_server.web import hints
from mle_modernizer_server.web.handlers import handlers
from mle_modernizer_server.wiring import (
    build_rooms,
    clear_leftovers,
    close_sandboxes,
    default_data_root,
)
from mle_modernizer_server.workflow.journal import Journal
from mle_modernizer_server.workflow.modernizer import Modernizer
from mle_modernizer_server.workflow.store import Store


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
    concurrent_work = Int(
        1, min=1, help="Notebooks worked on at once; more slow each other down."
    ).tag(config=True)
    llm_base_url = Unicode(
        help="OpenAI-compatible endpoint. Empty: MLE_MODERNIZER_BASE_URL or OPENAI_BASE_URL.",
    ).tag(config=True)
    llm_model = Unicode(help="Name of the model. Empty: MLE_MODERNIZER_MODEL.").tag(config=True)
    llm_api_key_file = Unicode(
        help="File that holds the key. Empty: MLE_MODERNIZER_API_KEY or OPENAI_API_KEY.",
    ).tag(config=True)

    def initialize_settings(self) -> None:
        """Bind the rooms together and take up the log where it was left."""
        server = self.serverapp
        if server is None or server.event_logger is None:
            raise RuntimeError("the extension is loaded without a Jupyter server")
        hints.register(server.event_logger)
        database = (
            Path(self.database)
            if self.database
            else Path(jupyter_data_dir()) / "mle-modernizer" / "sessions.db"
        )
        rooms = build_rooms(
            data_root=Path(self.data_root) if self.data_root else default_data_root(),
            sandbox=self.sandbox or None,
            containers=DockerSandbox(parent=self).settings(),
            llm=LlmSettings.from_environment(
                base_url=self.llm_base_url or None,
                model=self.llm_model or None,
                api_key_file=Path(self.llm_api_key_file) if self.llm_api_key_file else None,
            ),
        )
        journal = Journal(Store(database), hints.listener(server.event_logger))
        self.modernizer = Modernizer(journal, rooms, concurrent_work=self.concurrent_work)
        self.modernizer.works.recover()
        clear_leftovers()
        self.settings["mle_modernizer"] = self.modernizer
        self.settings["mle_modernizer_defaults"] = SessionSettings(time_limit=self.time_limit)

    def initialize_handlers(self) -> None:
        """Add the routes."""
        self.handlers.extend(handlers(""))

    async def stop_extension(self) -> None:
        """Stop all work; no process is left behind."""
        await self.modernizer.close()
        await close_sandboxes()
