"""Resolve the settings of a run: the user's flags, else the notebook's metadata, else defaults."""

from __future__ import annotations

import sys
from dataclasses import asdict

from rich.console import Console

from mle_modernizer_server.cli.notebook_options import (
    ImproveOptions,
    ModernizeOptions,
    NotebookOptions,
)
from mle_modernizer_server.cli.terminal.safe_text import harmless, note
from mle_modernizer_server.domain.errors import BadInput, BadSetting
from mle_modernizer_server.domain.files import MOST_RESOURCES
from mle_modernizer_server.domain.grade import ScoreReading
from mle_modernizer_server.domain.improvement import FoldSettings, RoleChoice
from mle_modernizer_server.domain.message import coded, verbatim
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.proposal import FixerName
from mle_modernizer_server.domain.settings import (
    ALL_FILES,
    Mode,
    SessionSettings,
    checked_settings,
)
from mle_modernizer_server.execution.notebook_file import NotebookFile, open_notebook
from mle_modernizer_server.grading.target import (
    KERNEL_METADATA,
    kaggle_competition,
    suggest_targets,
)
from mle_modernizer_server.words import text
from mle_modernizer_server.workflow.environments import OWN, OWN_TIME
from mle_modernizer_server.workflow.service import Modernizer, Version, blocks_of


def choose_mode(options: NotebookOptions, console: Console) -> Mode:
    """Return auto mode if requested, else step mode, which needs a terminal.

    Raises:
        BadInput: There is no terminal.
    """
    if not isinstance(options, ModernizeOptions) or options.auto:
        return Mode.AUTO
    if not (console.is_terminal and sys.stdin.isatty()):
        raise BadInput(coded("cli.no-terminal"))
    return Mode.STEP


def choose_roles(options: ImproveOptions, notebook: Notebook) -> tuple[RoleChoice, ...]:
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
    options: ImproveOptions, notebook: Notebook
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
        folds=options.folds,
        split=split,
        column=column,
        seed=options.fold_seed,
        budget=budget,
        ablate=options.ablate,
        refine=options.course,
        roles=choose_roles(options, notebook),
        partitions=options.partitions,
    )
    return versions or None, settings


def choose_settings(
    options: NotebookOptions, file: NotebookFile, modernizer: Modernizer, mode: Mode
) -> SessionSettings:
    """Return the session's settings; the competition is inferred from the paths unless named.

    Raises:
        BadSetting: One of them is out of its range, or a fixer was named that is not configured.
    """
    given = options.chosen
    own = {name: value for name, value in asdict(file.defaults).items() if value is not None}
    missing = modernizer.services.missing
    fixers = given.get("fixers")
    if isinstance(fixers, tuple) and FixerName.LLM in fixers and FixerName.LLM in missing:
        raise BadSetting(verbatim(missing[FixerName.LLM]))
    if given.get("packages") and given.get("environment") not in (None, OWN, OWN_TIME):
        # An environment of the person's stays as it is.
        environment = str(given["environment"])
        raise BadSetting(
            coded("cli.package-elsewhere", environment=environment, own=OWN, own_time=OWN_TIME)
        )
    if "target_score" in given:
        own.pop("target_kind", None)  # the notebook's own is about the target in it
    chosen: dict[str, object] = {
        "fixers": tuple(name for name in FixerName if name in modernizer.services.fixers),
        **own,
        **given,
        "mode": mode,
    }
    if "resources" in given:
        chosen["resources"] = _resources(given["resources"], file, modernizer)
    chosen["extend_time_limit"] = "time_limit" not in chosen
    if "competition" not in chosen:
        chosen["competition"] = _find_competition(options, file, modernizer)
    if "target_score" not in chosen:
        _offer_targets(file)
    if options.score_cell is not None:
        chosen["score_reading"] = _read_from_cell(options, file)
    return checked_settings(chosen)


def _find_competition(
    options: NotebookOptions, file: NotebookFile, modernizer: Modernizer
) -> str | None:
    """Return the competition that Kaggle's metadata or the paths in the notebook name.

    Print why there is none, if a path or a target score indicates one.
    """
    named = kaggle_competition(file.beside(KERNEL_METADATA))
    if named and named in {known.id for known in modernizer.services.competitions.list()[0]}:
        return named
    competition, reason = modernizer.environments.find_competition(
        file.notebook, options.notebook.absolute().parent
    )
    if competition is None and (reason or "target_score" in options.settings):
        why = text(modernizer.services.competitions.without_root() or reason)
        ungraded = "Without a competition (--competition) the notebook is run, but not graded."
        note(f"{why} {ungraded}".lstrip())
    return competition


def _read_from_cell(options: NotebookOptions, file: NotebookFile) -> ScoreReading:
    cells = [cell.id for cell in file.notebook.code_cells()]
    number = options.score_cell or 0
    if not 1 <= number <= len(cells):
        raise BadSetting(coded("cli.no-cell", score_cell=number, count=len(cells)))
    reading = options.settings.get("score_reading")
    pattern = reading if isinstance(reading, ScoreReading) else ScoreReading()
    return pattern.model_copy(update={"cell_id": cells[number - 1]})


def _offer_targets(file: NotebookFile) -> None:
    """Print the target scores that the notebook mentions; none is used without a request."""
    kernel_metadata = file.beside(KERNEL_METADATA)
    found = suggest_targets(file.notebook, title=file.path.stem, kernel_metadata=kernel_metadata)
    for suggestion in found[:3]:
        note(
            f"The {suggestion.source.value} says {harmless(suggestion.quote)!r}; add "
            f"--target-score {suggestion.score:g} to compare with it."
        )


def _resources(asked: object, file: NotebookFile, modernizer: Modernizer) -> tuple[str, ...]:
    """Return the addresses to fetch, with `all` those that the notebook's own code needs."""
    named = list(asked) if isinstance(asked, tuple) else []
    addresses = [one for one in named if one != ALL_FILES]
    if ALL_FILES in named:
        addresses += modernizer.services.analysis.needs(file.notebook).addresses
    return tuple(dict.fromkeys(addresses))[:MOST_RESOURCES]


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
