"""Resolve the settings of a run: the user's flags, else the notebook's metadata, else defaults."""

from __future__ import annotations

import sys

from pydantic import ValidationError
from rich.console import Console

from mle_modernizer_server.cli.option_types import ALL_FILES
from mle_modernizer_server.cli.options import Options
from mle_modernizer_server.cli.terminal.safe_text import harmless, note
from mle_modernizer_server.domain.errors import BadInput, BadSetting
from mle_modernizer_server.domain.files import MOST_RESOURCES
from mle_modernizer_server.domain.grade import ScoreKind, ScoreReading
from mle_modernizer_server.domain.improvement import RoleChoice
from mle_modernizer_server.domain.message import coded, verbatim
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.proposal import FixerName
from mle_modernizer_server.domain.session import Mode, SessionSettings
from mle_modernizer_server.domain.verification import RehearsalSettings
from mle_modernizer_server.execution.notebook_file import NotebookFile, open_notebook
from mle_modernizer_server.execution.sandboxes.docker.settings import Settings
from mle_modernizer_server.grading.target import (
    KERNEL_METADATA,
    kaggle_competition,
    suggest_targets,
)
from mle_modernizer_server.words import text
from mle_modernizer_server.workflow.environments import OWN, OWN_TIME
from mle_modernizer_server.workflow.service import FoldSettings, Modernizer, Version, blocks_of


def choose_mode(options: Options, console: Console) -> Mode:
    """Return auto mode if requested, else step mode, which needs a terminal.

    Raises:
        BadInput: There is no terminal.
    """
    if options.mode is Mode.AUTO or options.changes_nothing:
        return Mode.AUTO
    if not (console.is_terminal and sys.stdin.isatty()):
        raise BadInput(coded("cli.no-terminal"))
    return Mode.STEP


def choose_roles(options: Options, notebook: Notebook) -> tuple[RoleChoice, ...]:
    """Return the roles assigned to blocks by number.

    Raises:
        BadInput: There is no block of such a number.
    """
    if not options.roles:
        return ()
    known = {one.number: one for one in blocks_of(notebook)}
    for number, _ in options.roles:
        if number not in known:
            raise BadInput(coded("blocks.unknown", number=number, most=len(known)))
    return tuple(
        RoleChoice(cell_id=known[number].cell_id, text=known[number].text, role=role)
        for number, role in options.roles
    )


def choose_comparison(
    options: Options, notebook: Notebook
) -> tuple[list[Version] | None, FoldSettings]:
    """Return the versions to compare the notebook with, and how the folds are made.

    None in the place of versions has them written by codemods.

    Raises:
        BadInput: As `choose_roles`.
        BadNotebook: One of the files is no notebook.
    """
    versions = [Version(path.stem, open_notebook(path).notebook) for path in options.candidates]
    split, column = options.fold_split or (None, None)
    budget = None if options.budget is None else 60 * options.budget
    settings = FoldSettings(
        *(options.folds, split, column, options.fold_seed, budget, options.ablate),
        course=options.refine,
        roles=choose_roles(options, notebook),
        partitions=options.partitions,
    )
    return versions or None, settings


def choose_settings(
    options: Options, file: NotebookFile, modernizer: Modernizer, mode: Mode
) -> SessionSettings:
    """Return the session's settings; the competition is inferred from the paths unless named.

    Raises:
        BadSetting: One of them is out of its range, or a fixer was named that is not configured.
    """
    defaults = file.defaults
    fixers = options.fixers
    if (
        fixers is not None
        and FixerName.LLM in fixers
        and FixerName.LLM in modernizer.services.missing
    ):
        raise BadSetting(verbatim(modernizer.services.missing[FixerName.LLM]))
    if fixers is None:
        fixers = tuple(name for name in FixerName if name in modernizer.services.fixers)
    competition = options.competition or defaults.competition
    kernel_metadata = file.beside(KERNEL_METADATA)
    if competition is None:
        named = kaggle_competition(kernel_metadata)
        there = (
            {known.id for known in modernizer.services.competitions.list()[0]} if named else set()
        )
        competition = named if named in there else None
    if competition is None:
        competition, reason = modernizer.environments.find_competition(
            file.notebook, options.notebook.absolute().parent
        )
        speaks_of_one = reason or options.target_score is not None
        if competition is None and speaks_of_one:
            why = text(modernizer.services.competitions.without_root() or reason)
            ungraded = "Without a competition (--competition) the notebook is run, but not graded."
            note(f"{why} {ungraded}".lstrip())
    if options.target_score is None and defaults.target_score is None:
        _offer_targets(file, kernel_metadata)
    chosen: dict[str, object] = {
        "competition": competition,
        "threshold": options.threshold,
        "sandbox": options.sandbox,
        "environment": options.environment,
        "mode": mode,
        **({} if options.rules_time is None else {"rules_seconds": options.rules_time}),
        "extend_time_limit": options.time_limit is None and defaults.time_limit is None,
        "fixers": fixers,
        "scope": options.scope,
        "packages": _packages(options),
        "resources": _resources(options, file, modernizer),
        "network": options.network,
        "files_beside": options.files_beside,
        "max_fixes": options.max_fixes,
        "measure_noise": options.measure_noise,
        "era": options.era,
        "distance": options.distance or defaults.distance,
        "target_kind": _target_kind(options, file),
        "score_reading": _score_reading(options, file),
        **options.limits.settings(),
        "rehearsal": None if options.rehearse is None else RehearsalSettings(rows=options.rehearse),
    }
    for name, given, default in (
        ("target_score", options.target_score, defaults.target_score),
        ("time_limit", options.time_limit, defaults.time_limit),
    ):
        if given is not None or default is not None:
            chosen[name] = default if given is None else given
    try:
        return SessionSettings.model_validate(chosen)
    except ValidationError as error:
        first = error.errors()[0]
        field = str(first["loc"][0]).replace("_", " ") if first["loc"] else "setting"
        raise BadSetting(coded("cli.setting-wrong", name=field, why=first["msg"])) from error


def _score_reading(options: Options, file: NotebookFile) -> ScoreReading | None:
    if options.score_cell is None:
        return options.score_reading
    cells = [cell.id for cell in file.notebook.code_cells()]
    if not 1 <= options.score_cell <= len(cells):
        raise BadSetting(coded("cli.no-cell", score_cell=options.score_cell, count=len(cells)))
    reading = options.score_reading or ScoreReading()
    return reading.model_copy(update={"cell_id": cells[options.score_cell - 1]})


def _target_kind(options: Options, file: NotebookFile) -> ScoreKind:
    """Return the kind of score of the target; the notebook's own is about the target in it."""
    recorded = file.defaults.target_kind if options.target_score is None else ScoreKind.GRADED
    return options.target_kind or recorded


def choose_containers(options: Options) -> Settings:
    """Return the container settings of the Docker sandbox: the flags, else its defaults."""
    defaults = Settings()
    return Settings(
        image=options.image or defaults.image,
        memory=options.memory or defaults.memory,
        cpus=options.cpus or defaults.cpus,
        gpus=options.gpus or defaults.gpus,
        pip=options.pip or defaults.pip,
    )


def _offer_targets(file: NotebookFile, kernel_metadata: bytes | None) -> None:
    """Print the target scores that the notebook mentions; none is used without a request."""
    found = suggest_targets(file.notebook, title=file.path.stem, kernel_metadata=kernel_metadata)
    for suggestion in found[:3]:
        note(
            f"The {suggestion.source.value} says {harmless(suggestion.quote)!r}; add "
            f"--target-score {suggestion.score:g} to compare with it."
        )


def _resources(options: Options, file: NotebookFile, modernizer: Modernizer) -> tuple[str, ...]:
    """Return the addresses to fetch, with `all` those that the notebook's own code needs."""
    asked = [one for one in options.fetch if one != ALL_FILES]
    if ALL_FILES in options.fetch:
        asked += modernizer.services.analysis.needs(file.notebook).addresses
    return tuple(dict.fromkeys(asked))[:MOST_RESOURCES]


def say_what_runs(
    console: Console, file: NotebookFile, modernizer: Modernizer, settings: SessionSettings
) -> None:
    """Print the detected and chosen settings before anything runs; refuse those that can only fail.

    Raises:
        SandboxUnavailable: No sandbox can be used; the message offers one.
        UnknownCompetition, BadCompetition: The competition cannot be used.
    """
    sandbox = modernizer.services.choose_sandbox(settings.sandbox)
    if settings.competition is not None:
        competition = modernizer.services.competitions.get(settings.competition)
        better = "higher" if competition.higher_is_better else "lower"
        target = (
            "no target score (--target-score)"
            if settings.target_score is None
            else f"target {settings.target_score:g} ± {settings.threshold:.0%}"
        )
        console.print(
            f"{file.path}: {competition.name}, {competition.metric.value} ({better} is better), "
            f"{target}",
            soft_wrap=True,
        )
    needs, lacking = modernizer.runs.needs(file.notebook, settings)
    if lacking:
        note(text(lacking))
    left = [one.what for one in needs.network if not set(one.addresses) & {*settings.resources}]
    if left and not settings.network:
        fetched = " Fetch those with an address: --fetch all." if needs.addresses else ""
        note(
            f"The notebook downloads {', '.join(left)}, and a run has no network.{fetched} "
            "Or allow public servers: --network."
        )
    if not sandbox.isolated:
        note(
            f"The sandbox `{sandbox.name}` does not isolate: the notebook's code runs with your "
            "rights on this machine."
        )


def _packages(options: Options) -> tuple[str, ...]:
    """Return the packages to add to the environment that is made.

    Raises:
        BadSetting: It runs in an environment of the person's, which stays as it is.
    """
    if options.package and options.environment not in (None, OWN, OWN_TIME):
        raise BadSetting(
            coded(
                "cli.package-elsewhere", environment=options.environment, own=OWN, own_time=OWN_TIME
            )
        )
    return tuple(dict.fromkeys(options.package))
