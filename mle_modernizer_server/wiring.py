"""Connects the rooms, for the server extension and the command line alike."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

from jupyter_core.paths import jupyter_data_dir

from mle_modernizer_server.domain.errors import BadSetting
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.domain.proposal import FixerName
from mle_modernizer_server.execution.installed_names import InstalledNames
from mle_modernizer_server.execution.notebook_folder.supplied_files import check_given
from mle_modernizer_server.execution.sandboxes.base import Sandbox
from mle_modernizer_server.execution.sandboxes.choose import (
    choose_sandbox,
    configure_docker,
    docker,
    is_docker_used,
    sandboxes,
)
from mle_modernizer_server.execution.sandboxes.docker.settings import Settings
from mle_modernizer_server.execution.sandboxes.workspace import remove_orphans
from mle_modernizer_server.fixing.fixer import Fixer
from mle_modernizer_server.fixing.llm.claims import claims_question
from mle_modernizer_server.fixing.llm.prompt import RepairPrompts
from mle_modernizer_server.fixing.llm.refining import RefiningBrief, RefiningPrompts
from mle_modernizer_server.fixing.llm.settings import LlmSettings
from mle_modernizer_server.fixing.llm.writing import WritingBrief, WritingPrompts
from mle_modernizer_server.fixing.rules.analysis import Analysis, IsolatedAnalysis, RulesFixer
from mle_modernizer_server.fixing.rules.analysis_process import started
from mle_modernizer_server.fixing.rules.knowledge import explain, use_rules
from mle_modernizer_server.fixing.rules.relevance import relevant
from mle_modernizer_server.grading.competitions import Competitions, default_data_root
from mle_modernizer_server.improving.catalogue.shelf import use_catalogue
from mle_modernizer_server.resources.store import KeptResources
from mle_modernizer_server.untrusted.files import is_file, is_within, resolved
from mle_modernizer_server.workflow.environments import NotebookEnvironments
from mle_modernizer_server.workflow.log.store import Listener, Store
from mle_modernizer_server.workflow.paused_runs import PausedRuns
from mle_modernizer_server.workflow.service import Modernizer
from mle_modernizer_server.workflow.services import Services

if TYPE_CHECKING:
    from mle_modernizer_server.fixing.llm.claim_reader import ClaimReader
    from mle_modernizer_server.fixing.llm.leak_reviewer import LeakReviewer

_logger = logging.getLogger(__name__)


def default_database() -> Path:
    """Return the default path of the SQLite file with the sessions."""
    return Path(jupyter_data_dir()) / "mle-modernizer" / "sessions.db"


def take_rules(rules_path: Path | None) -> None:
    """Load the user's rules and those of installed packages; log unusable ones.

    Args:
        rules_path: Folder of custom rules; None: `MLE_MODERNIZER_RULES`, if set.

    Raises:
        BadSetting: There is no such folder.
    """
    for problem in use_rules(rules_path or _folder_in("MLE_MODERNIZER_RULES")):
        _logger.warning(problem)


def take_catalogue(catalogue_path: Path | None = None) -> None:
    """Load the user's models and recipes; log unusable ones.

    Args:
        catalogue_path: Folder of catalogue entries; None: `MLE_MODERNIZER_CATALOGUE`, if set.

    Raises:
        BadSetting: There is no such folder.
    """
    for problem in use_catalogue(catalogue_path or _folder_in("MLE_MODERNIZER_CATALOGUE")):
        _logger.warning(problem)


def _folder_in(variable: str) -> Path | None:
    """Return the path in an environment variable; None if not set."""
    named = os.environ.get(variable)
    return Path(named) if named else None


def build_services(
    *,
    data_root: Path | None,
    sandbox: str | None,
    llm: LlmSettings,
    containers: Settings | None = None,
    old_pythons: Mapping[str, Path] | None = None,
    paused: PausedRuns | None = None,
    rules_path: Path | None = None,
    load_rules: bool = True,
    notebook_folder: Callable[[str], Path | None] = lambda path: None,
    around_model: Callable[[Fixer], Fixer] = lambda fixer: fixer,
    analysis: Analysis | None = None,
    fetch_private_addresses: bool = False,
) -> Services:
    """Create the competitions, sandboxes and fixers as configured.

    Args:
        data_root: Directory of the competitions, which need not exist; None: the default one.
        sandbox: Sandbox to use if the user chose none; None is the best isolated one.
        llm: Endpoint and model, configured or not.
        containers: Settings of the Docker sandbox's containers; its defaults if None.
        old_pythons: Pythons with old libraries, by name, for comparisons.
        paused: Kernels that wait at a failing cell; None allows one, for half an hour.
        rules_path: Folder of custom rules; `MLE_MODERNIZER_RULES` if None.
        load_rules: Whether to load rules and catalogue; False leaves the loaded ones unchanged.
        notebook_folder: Function from the path of a session to its notebook's folder.
        around_model: Wraps the fixer that calls a model, for auto mode.
        analysis: Analysis of notebooks; None: in the process that the command started ahead, or
            else in this one.
        fetch_private_addresses: Whether to allow downloads from servers of this machine and its
            network.

    Raises:
        BadSetting: There is no sandbox of that name, or no such folder.
    """
    if load_rules:
        take_rules(rules_path)
        take_catalogue()
    analysis = analysis or _started_ahead() or Analysis()
    configure_docker(containers or Settings())
    known = sandboxes()
    if sandbox is not None and sandbox not in known:
        raise BadSetting(
            coded("sandbox.setting-unknown", sandbox=repr(sandbox), known=", ".join(known))
        )

    def choose(name: str | None) -> Sandbox:
        return choose_sandbox(name or sandbox)

    fixers: dict[FixerName, Fixer] = {FixerName.RULES: RulesFixer(analysis)}
    missing: dict[FixerName, str] = {}
    writer: Callable[[WritingBrief], Fixer] | None = None
    refiner: Callable[[RefiningBrief], Fixer] | None = None
    claim_reader: ClaimReader | None = None
    leak_reviewer: LeakReviewer | None = None
    prompts = RepairPrompts(llm, explain=partial(explain, for_model=True), relevant=relevant)
    if llm.configured:
        # Imported late: the client library takes longer to import than all the rest.
        from mle_modernizer_server.fixing.llm.claim_reader import ClaimReader
        from mle_modernizer_server.fixing.llm.fixer import LlmFixer
        from mle_modernizer_server.fixing.llm.leak_reviewer import LeakReviewer

        fixers[FixerName.LLM] = around_model(LlmFixer(llm, prompts))

        def writer_of(brief: WritingBrief) -> Fixer:
            return around_model(LlmFixer(llm, WritingPrompts(llm, brief)))

        def refiner_of(brief: RefiningBrief) -> Fixer:
            return around_model(LlmFixer(llm, RefiningPrompts(llm, brief)))

        writer, refiner, claim_reader = writer_of, refiner_of, ClaimReader(llm)
        leak_reviewer = LeakReviewer(llm)
    else:
        missing[FixerName.LLM] = llm.reason
    return Services(
        competitions=Competitions(data_root or default_data_root()),
        sandboxes=known,
        choose_sandbox=choose,
        fixers=fixers,
        missing=missing,
        model=llm.model if llm.configured else "",
        writer=writer,
        refiner=refiner,
        leak_reviewer=leak_reviewer,
        claims_question=partial(claims_question, llm) if llm.configured else None,
        claim_reader=claim_reader,
        explain=explain,
        old_pythons=old_pythons or {},
        price=llm.known_price if llm.configured else None,
        preview=prompts.preview,
        paused=paused or PausedRuns(),
        environments=NotebookEnvironments(analysis=analysis),
        analysis=analysis,
        names=InstalledNames(),
        notebook_folder=notebook_folder,
        resources=KeptResources(private=fetch_private_addresses),
    )


def _started_ahead() -> Analysis | None:
    process = started()
    return None if process is None else IsolatedAnalysis(process=process)


def isolated_analysis() -> Analysis:
    """Return an analysis of notebooks in a separate process; the caller must close it."""
    return IsolatedAnalysis()


def folder_of_file(path: str) -> Path | None:
    """Return the folder of a notebook file, by its path on this machine."""
    file = resolved(Path(path))
    return None if file is None or not is_file(file) else file.parent


def folder_below(root: Path) -> Callable[[str], Path | None]:
    """Return a function for the folders of notebooks below a root, such as a server's.

    It returns None for paths that are no file of this machine below the root, such as a path on a
    shared drive.
    """

    def folder(path: str) -> Path | None:
        file = resolved(root / path.lstrip("/"))
        if file is None or not is_within(file, root) or not is_file(file):
            return None
        return file.parent

    return folder


def build_modernizer(
    *,
    data_root: Path,
    sandbox: str | None,
    llm: LlmSettings,
    database: Path | None = None,
    listener: Listener = lambda session, event: None,
    containers: Settings | None = None,
    rules_path: Path | None = None,
    around_model: Callable[[Fixer], Fixer] = lambda fixer: fixer,
    notebook_folder: Callable[[str], Path | None] | None = None,
    given: Mapping[str, Path] | None = None,
    analysis: Analysis | None = None,
) -> Modernizer:
    """Create the workflow of a command.

    Args:
        data_root: As for `build_services`.
        sandbox: As for `build_services`.
        llm: As for `build_services`.
        database: Path of the session database; None stores sessions in memory.
        listener: Called with every event.
        containers: As for `build_services`.
        rules_path: As for `build_services`.
        around_model: As for `build_services`.
        notebook_folder: As for `build_services`; None: a session's path is that of a file.
        given: Files that the notebook can read, by the paths it names.
        analysis: As for `build_services`.

    Raises:
        BadInput: One of them is refused.
        BadSetting: There is no sandbox of that name, or no such folder.
        ModernizerError: The database cannot be used.
    """
    services = build_services(
        data_root=data_root,
        sandbox=sandbox,
        llm=llm,
        containers=containers,
        rules_path=rules_path,
        notebook_folder=notebook_folder or folder_of_file,
        around_model=around_model,
        analysis=analysis,
    )
    if given:
        services = replace(services, given=check_given(given, data_root))
    return Modernizer(Store(database, listener), services)


def clear_leftovers() -> None:
    """Remove scratch directories and containers that crashed servers left.

    The search for containers runs in a thread: an engine may respond slowly.
    """
    remove_orphans()
    Thread(target=docker().remove_orphans, name="mle-modernizer-orphans", daemon=True).start()


async def close_sandboxes() -> None:
    """Remove the sandboxes' standby containers."""
    if is_docker_used():
        await docker().close()
