"""Loading of the workflow and its routes, after the server's start."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from mle_modernizer_server import pools
from mle_modernizer_server.domain.errors import ModernizerError
from mle_modernizer_server.domain.message import Message, coded, verbatim
from mle_modernizer_server.domain.settings import SessionSettings
from mle_modernizer_server.execution.sandboxes.docker.configuration import DockerSandbox
from mle_modernizer_server.extension import ModernizerExtension, Started
from mle_modernizer_server.fixing.llm.settings import LlmSettings
from mle_modernizer_server.fixing.rules.analysis import Analysis
from mle_modernizer_server.web import hints
from mle_modernizer_server.web.handlers import handlers
from mle_modernizer_server.wiring import (
    build_services,
    clear_leftovers,
    close_sandboxes,
    default_database,
    folder_below,
    isolated_analysis,
    take_catalogue,
    take_rules,
)
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
"""Errors of broken or inaccessible files, databases and settings."""


def start(extension: ModernizerExtension) -> Started:
    """Connect the services and resume from the log.

    No problem with files on disk prevents the start: `GET /info` lists the failures. Must be called
    on the server's event loop.
    """
    server = extension.server()
    database = Path(extension.database) if extension.database else default_database()
    problems: list[Message] = []
    analysis = isolated_analysis()

    def attempt(what: str, step: Callable[[], _Made], instead: Callable[[], _Made]) -> _Made:
        try:
            return step()
        except _START_UP_ERRORS as error:
            extension.log.warning("%s: %s", what, error, exc_info=True)
            why = error.message if isinstance(error, ModernizerError) else verbatim(str(error))
            problems.extend(coded("server.problem", part=what, error=why))
            return instead()

    rules = Path(extension.rules_path) if extension.rules_path else None
    attempt("Rules of your own are not used", lambda: take_rules(rules), lambda: None)
    recipes = Path(extension.catalogue_path) if extension.catalogue_path else None
    attempt(
        "Models and recipes of your own are not used",
        lambda: take_catalogue(recipes),
        lambda: None,
    )
    llm = attempt(
        "The language model cannot be used", lambda: _language_model(extension), LlmSettings
    )
    services = attempt(
        "The configured sandbox cannot be used",
        lambda: _services(extension, llm, extension.sandbox or None, analysis),
        lambda: _services(extension, llm, None, analysis),
    )
    listener = hints.listener(extension.event_bus())
    log = attempt(
        "Sessions are kept in memory until the server is restarted",
        lambda: Store(database, listener),
        lambda: Store(None, listener),
    )
    modernizer = Modernizer(log, services, concurrent_work=extension.concurrent_work)
    attempt("Sessions that a crash interrupted are not marked so", modernizer.recover, lambda: None)
    attempt("What a crash left behind is not removed", clear_leftovers, lambda: None)
    modernizer.problems = tuple(problems)
    settings = server.web_app.settings
    settings["mle_modernizer"] = modernizer
    settings["mle_modernizer_defaults"] = SessionSettings(time_limit=extension.time_limit)

    async def close() -> None:
        await modernizer.close()
        pools.abandon_all()
        analysis.close()
        await close_sandboxes()

    return Started(handlers(server.base_url), close)


def _language_model(extension: ModernizerExtension) -> LlmSettings:
    key, prices = extension.llm_api_key_file, extension.llm_prices_file
    return LlmSettings.from_environment(
        base_url=extension.llm_base_url or None,
        model=extension.llm_model or None,
        api_key_file=Path(key) if key else None,
        prices_file=Path(prices) if prices else None,
    )


def _services(
    extension: ModernizerExtension, llm: LlmSettings, sandbox: str | None, analysis: Analysis
) -> Services:
    return build_services(
        data_root=Path(extension.data_root) if extension.data_root else None,
        sandbox=sandbox,
        containers=DockerSandbox(parent=extension).settings(),
        old_pythons={name: Path(path) for name, path in extension.old_pythons.items()},
        llm=llm,
        paused=PausedRuns(extension.waiting_kernels, extension.waiting_limit),
        notebook_folder=folder_below(Path(extension.server().root_dir)),
        load_rules=False,
        analysis=analysis,
        fetch_private_addresses=extension.fetch_private_addresses,
    )
