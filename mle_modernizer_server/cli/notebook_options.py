"""Options of the commands that run one notebook: one value per command."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from mle_modernizer_server import __version__
from mle_modernizer_server.cli.arguments import Arguments
from mle_modernizer_server.cli.exit_codes import EXIT_CODES_HELP
from mle_modernizer_server.cli.option_types import (
    block_role,
    fold_split,
    positive,
    whole,
)
from mle_modernizer_server.cli.options import (
    PROGRAM,
    add_model,
    add_run_options,
    take_containers,
)
from mle_modernizer_server.cli.setting_options import (
    add_setting,
    add_settings,
    take_settings,
)
from mle_modernizer_server.domain.competition import SplitKind
from mle_modernizer_server.domain.improvement import (
    DEFAULT_FOLDS,
    DEFAULT_PARTITIONS,
    FEWEST_FOLDS,
    MOST_FOLDS,
    MOST_PARTITIONS,
    BlockRole,
    Course,
)
from mle_modernizer_server.domain.settings import Mode, OptionGroup, flag_of
from mle_modernizer_server.domain.verification import MOST_RUNS, VerificationKind
from mle_modernizer_server.execution.sandboxes.docker.settings import Settings

_COMMANDS_HELP = """\
Run an old notebook, propose fixes, and run it again until its score is inside
the band around the target. The notebook itself is never changed.

commands (`COMMAND --help` lists the options of each):
  run           run, grade and diagnose once
  preflight     predict what will break, without a run
  verify        repeat the run and test the scores
  prove         show with shuffled data that the result comes from training
  target        find the score it had with its original libraries
  diff          show the first cell that gives a different result today
  backport      keep the code; add a kernel with its original libraries to Jupyter's menu
  improve       look for changes that raise the score beyond chance
  draft         write a first notebook for a competition
  catalogue     search models and recipes
  paper         list a paper's claims; write and check a notebook for them
  batch         work on many notebooks
  environments  list and remove environments that were made
  resources     list and remove files that were fetched
  rules         list the known breaking changes
  probe         test silent changes with old libraries
  grade         grade a submission
  competition   make a competition from labelled data; list competitions
  kaggle        download data and notebooks; send late submissions
  report        write the report of a session
  statistics    show what fixes led to and what they cost
  mcp           offer forecasts, sealed runs and a judge of patches to an agent
  kernelspec    add the sandbox `docker` to JupyterLab's kernel menu
"""
_ENVIRONMENT_HELP = """\
A model is used if one is configured: endpoint and name by the options or by
MLE_MODERNIZER_BASE_URL and MLE_MODERNIZER_MODEL, the key only by the environment
(MLE_MODERNIZER_API_KEY or OPENAI_API_KEY). If competition, target score and time limit are
not given, they are read from the notebook's metadata (key `mle_modernizer`: `competition`,
`target_score`, `time_limit`).
"""


_IMPROVE_CODES_HELP = """\
exit codes:
  0    at least one version is better beyond chance
  1    none is
  2    bad usage or input, no folds can be made, or the budget is too small; nothing was compared
  3    failed: the time limit, or an internal error
  130  cancelled with Ctrl+C
"""

_PROOF_CODES_HELP = """\
exit codes:
  0    proven: the score is lost with shuffled labels, and nothing contradicts the result
  1    not proven
  2    bad usage or input; nothing was run
  3    failed: the time limit, or an internal error
  130  cancelled with Ctrl+C
"""

_TARGET_CODES_HELP = """\
exit codes:
  0    a score was found, or outputs that can be compared with the saved ones
  1    it does not run there either, or gives no score
  2    bad usage or input; nothing was run
  3    failed: the environment could not be made, or an internal error
  130  cancelled with Ctrl+C
"""

_DIFF_CODES_HELP = """\
exit codes:
  0    every cell that could be compared gives the same result
  1    a cell gives a different result, or nothing could be compared
  2    bad usage or input; nothing was run
  3    failed: the environment could not be made, or an internal error
  130  cancelled with Ctrl+C
"""

_BACKPORT_CODES_HELP = """\
exit codes:
  0    the kernel was added to the menu, or removed from it
  1    the notebook does not run with its original libraries either; nothing was added
  2    bad usage or input; nothing was run
  3    failed: the environment could not be made, or an internal error
  130  cancelled with Ctrl+C
"""


@dataclass(frozen=True, kw_only=True)
class NotebookOptions:
    """Options of every command that runs one notebook.

    Attributes:
        settings: The session's settings that were passed, by name.
        score_cell: Number of the code cell that returns the score.
        containers: Settings of the sandbox `docker`.
        file: Files in place of paths in the notebook.
        force: Overwrite files that exist (never the notebook itself).
    """

    DESCRIPTION: ClassVar[str]
    CODES: ClassVar[str] = EXIT_CODES_HELP

    notebook: Path
    settings: Mapping[str, object]
    containers: Settings
    data_root: Path | None = None
    score_cell: int | None = None
    file: Sequence[tuple[str, Path]] = ()
    rules_path: Path | None = None
    report: Path | None = None
    force: bool = False

    @classmethod
    def add_options(cls, parser: argparse.ArgumentParser) -> None:
        """Add the command's flags, after those of every command."""
        add_report(parser.add_argument_group("result"))

    @classmethod
    def take_options(cls, parser: argparse.ArgumentParser, given: argparse.Namespace) -> None:
        """Check flags together; replace several by one value.

        Raises:
            SystemExit: With 2 for wrong usage.
        """

    @property
    def sandbox(self) -> str | None:
        """Return the name of the chosen sandbox."""
        name = self.settings.get("sandbox")
        return None if name is None else str(name)

    @property
    def outputs(self) -> tuple[Path | None, ...]:
        """Return the files to write."""
        return (self.report,)


@dataclass(frozen=True, kw_only=True)
class ModelOptions(NotebookOptions):
    """Options of the commands that use a model, or print what it would be sent."""

    llm_base_url: str | None = None
    llm_model: str | None = None


@dataclass(frozen=True, kw_only=True)
class ModernizeOptions(ModelOptions):
    """Options of `jupyter modernize NOTEBOOK`.

    Attributes:
        yes: Do not ask about the cost.
        finish: Put the run's outputs into the written notebook.
        learn: Folder for the rules that a model's fixes teach.
        try_own_time: Test the claim of a rule in the notebook's original libraries first.
        prove: Finally put the result to the proof.
    """

    DESCRIPTION = _COMMANDS_HELP
    CODES = f"{_ENVIRONMENT_HELP}\n{EXIT_CODES_HELP}"

    mode: Mode | None = None
    yes: bool = False
    output: Path | None = None
    finish: bool = False
    learn: Path | None = None
    try_own_time: bool = False
    verify: VerificationKind | None = None
    prove: bool = False
    runs: int = MOST_RUNS

    @classmethod
    def add_options(cls, parser: argparse.ArgumentParser) -> None:
        """Add the command's flags."""
        fixing = parser.add_argument_group("fixing")
        mode = fixing.add_mutually_exclusive_group()
        mode.add_argument(
            "--auto",
            dest="mode",
            action="store_const",
            const=Mode.AUTO,
            help="fix a scratch copy without asking and show the whole difference at the end",
        )
        mode.add_argument(
            "--step",
            dest="mode",
            action="store_const",
            const=Mode.STEP,
            help="ask about every fix (the default; needs a terminal)",
        )
        add_settings(fixing, OptionGroup.FIXING)
        fixing.add_argument(
            "--yes", action="store_true", help="with --auto: do not ask about the cost estimate"
        )
        add_model(fixing)
        add_settings(parser.add_argument_group("limits"), OptionGroup.LIMITS)
        result = parser.add_argument_group("result")
        result.add_argument(
            "--output",
            "--out",
            type=Path,
            metavar="NB",
            help="write the modernized notebook to this file",
        )
        result.add_argument(
            "--finish",
            action="store_true",
            help="also store the outputs of the run in --output, with a record of their origin in "
            "its metadata",
        )
        add_report(result)
        result.add_argument(
            "--learn",
            type=Path,
            metavar="DIR",
            help="write rules learned from a model's fixes to this folder, for --rules-path",
        )
        result.add_argument(
            "--try-own-time",
            action="store_true",
            help="with --learn: first run the original notebook with its original libraries; "
            "code that fails there too teaches no rule",
        )
        result.add_argument(
            "--verify",
            type=VerificationKind,
            metavar="quick|strict",
            help="finally repeat the run: once, or up to --runs times with a test of the scores "
            "against the target",
        )
        result.add_argument(
            "--prove",
            action="store_true",
            help="finally show with shuffled data that the score comes from training (three more "
            "runs); with --auto this is always done if a model or you changed the notebook",
        )
        add_runs(result)

    @property
    def outputs(self) -> tuple[Path | None, ...]:
        """Return the files to write."""
        return (self.output, self.report)


@dataclass(frozen=True, kw_only=True)
class RunOptions(ModelOptions):
    """Options of `jupyter modernize run`: run, grade and diagnose once."""

    DESCRIPTION = "Run a notebook, grade its submission and show what is wrong; change nothing."

    show_prompt: Path | None = None

    @classmethod
    def add_options(cls, parser: argparse.ArgumentParser) -> None:
        """Add the command's flags."""
        prompt = parser.add_argument_group("what a model would be sent")
        prompt.add_argument(
            "--show-prompt",
            type=Path,
            metavar="TXT",
            help="write what a model would be sent for a fix of this run to this file. Nothing is "
            "sent, and no model has to be configured",
        )
        add_setting(prompt, "scope")
        add_model(prompt)
        add_report(parser.add_argument_group("result"))

    @property
    def outputs(self) -> tuple[Path | None, ...]:
        """Return the files to write."""
        return (self.report, self.show_prompt)


@dataclass(frozen=True, kw_only=True)
class VerifyOptions(NotebookOptions):
    """Options of `jupyter modernize verify`: run again and again."""

    DESCRIPTION = (
        "Run a notebook repeatedly, each time in a fresh kernel, and test whether its "
        "scores are consistent with the target. Stops early if the answer is certain. "
        "Nothing is changed."
    )

    runs: int = MOST_RUNS

    @classmethod
    def add_options(cls, parser: argparse.ArgumentParser) -> None:
        """Add the command's flags."""
        add_runs(parser.add_argument_group("verification"))
        add_report(parser.add_argument_group("result"))


@dataclass(frozen=True, kw_only=True)
class ProveOptions(NotebookOptions):
    """Options of `jupyter modernize prove`: run on shuffled data."""

    DESCRIPTION = (
        "Run a notebook unchanged, on shuffled labels and on shuffled test rows, to "
        "show whether its result comes from training. If a run takes longer than two minutes, "
        "a sample of the training data is used. Nothing is changed."
    )
    CODES = _PROOF_CODES_HELP


@dataclass(frozen=True, kw_only=True)
class ImproveOptions(ModelOptions):
    """Options of `jupyter modernize improve`: compare versions on validation folds.

    Attributes:
        blocks: Show the notebook's blocks; run nothing.
        roles: Roles of blocks set by the user, by their numbers.
    """

    DESCRIPTION = (
        "Look for a better score: try changes that are known to help and that fit the "
        "notebook's code (or other versions of it, with --with) on validation folds of "
        "the competition's public training data. A version is better if its gain is "
        "above 0 by the corrected paired t-test (Nadeau and Bengio). A version that is "
        "clearly worse on the first fold does not run on the others. The notebook does "
        "not change, and the competition's own answers are not used."
    )
    CODES = _IMPROVE_CODES_HELP

    candidates: Sequence[Path] = ()
    folds: int = DEFAULT_FOLDS
    fold_split: tuple[SplitKind, str | None] | None = None
    fold_seed: int = 0
    partitions: int = DEFAULT_PARTITIONS
    budget: float | None = None
    ablate: bool = False
    refine: Course | None = None
    blocks: bool = False
    roles: Sequence[tuple[int, BlockRole]] = field(default_factory=list)
    output: Path | None = None

    @classmethod
    def add_options(cls, parser: argparse.ArgumentParser) -> None:
        """Add the command's flags."""
        group = parser.add_argument_group("comparison")
        group.add_argument(
            "--with",
            dest="candidates",
            type=Path,
            action="extend",
            nargs="+",
            default=[],
            metavar="OTHER.ipynb",
            help="compare these versions of the notebook instead of known changes; repeatable",
        )
        group.add_argument(
            "--budget",
            type=positive,
            metavar="MINUTES",
            help="time for all runs together; candidates that do not fit are left out",
        )
        group.add_argument(
            "--folds",
            type=whole(FEWEST_FOLDS, MOST_FOLDS),
            default=DEFAULT_FOLDS,
            metavar="K",
            help=f"1 to 20 (default: {DEFAULT_FOLDS}); the notebook runs once on each. 1 is a "
            "single hold-out set: weak evidence, by which nothing is called better",
        )
        group.add_argument(
            "--partitions",
            type=whole(1, MOST_PARTITIONS),
            default=DEFAULT_PARTITIONS,
            metavar="N",
            help=f"1 to {MOST_PARTITIONS} (default: {DEFAULT_PARTITIONS}); what looks better on "
            "the folds but cannot be told apart is run on those of other partitions of the rows, "
            "too",
        )
        group.add_argument(
            "--fold-by",
            dest="fold_split",
            type=fold_split,
            metavar="random|stratified|group:COLUMN|time:COLUMN",
            help="how rows are assigned to folds (default: as the competition itself seems to be "
            "split)",
        )
        group.add_argument(
            "--fold-seed",
            type=whole(0, 2**31 - 1),
            default=0,
            metavar="N",
            help="the same seed gives the same folds",
        )
        group.add_argument(
            "--ablate",
            action="store_true",
            help="first run the notebook without one of its parts at a time, to find the most "
            "valuable part, where changes are tried first, and parts that are better left out",
        )
        group.add_argument(
            "--refine",
            action="store_true",
            help="measure what each part is worth, then improve the most valuable parts step by "
            "step from the best version so far: by known changes and the catalogue, or by "
            "the model if one is configured",
        )
        _add_course(group)
        add_model(group)
        group.add_argument(
            "--blocks",
            action="store_true",
            help="show the parts of the notebook and what each does; nothing runs",
        )
        group.add_argument(
            "--role",
            dest="roles",
            type=block_role,
            action="extend",
            nargs="+",
            default=[],
            metavar="NUMBER=ROLE",
            help="what a block does, by its number in --blocks, e.g. 4=features; repeatable",
        )
        result = parser.add_argument_group("result")
        result.add_argument(
            "--output",
            "--out",
            type=Path,
            metavar="FILE",
            help="write the best version of the notebook to this file, if one is better",
        )
        add_report(result)

    @classmethod
    def take_options(cls, parser: argparse.ArgumentParser, given: argparse.Namespace) -> None:
        """Check flags together; replace those of a refinement by its course."""
        if given.candidates and given.output is not None:
            parser.error("--out writes a version that was found; with --with the files are there")
        if given.candidates and (given.ablate or given.refine):
            parser.error("--ablate and --refine are for a search of known changes, not for --with")
        given.refine = _take_course(parser, given)

    @property
    def outputs(self) -> tuple[Path | None, ...]:
        """Return the files to write."""
        return (self.output, self.report)


@dataclass(frozen=True, kw_only=True)
class TargetOptions(NotebookOptions):
    """Options of `jupyter modernize target`: run in the original libraries."""

    DESCRIPTION = (
        "Find the target score of a notebook: run it unchanged in the libraries of its "
        "own time and grade it. The lock file is kept with the environment "
        "(`environments`). Without a competition, its outputs are compared with those "
        "saved in its file."
    )
    CODES = _TARGET_CODES_HELP


@dataclass(frozen=True, kw_only=True)
class DiffOptions(NotebookOptions):
    """Options of `jupyter modernize diff`: compare today with the original libraries.

    Attributes:
        modernized: The file to run today in place of the notebook.
    """

    DESCRIPTION = (
        "Run a notebook with its original libraries and with today's, and show "
        "the first cell that gives a different result today, with the values then and now."
    )
    CODES = _DIFF_CODES_HELP

    modernized: Path | None = None

    @classmethod
    def add_options(cls, parser: argparse.ArgumentParser) -> None:
        """Add the command's flags."""
        parser.add_argument(
            "--with",
            dest="modernized",
            type=Path,
            metavar="MODERNIZED",
            help="the modernized notebook, which runs today (default: the notebook itself)",
        )
        add_report(parser.add_argument_group("result"))


@dataclass(frozen=True, kw_only=True)
class BackportOptions(NotebookOptions):
    """Options of `jupyter modernize backport`: add a kernel with its original libraries.

    Attributes:
        lock: The lock file; None: `pylock.NAME.toml` next to the notebook.
        remove: Remove the kernel from the menu.
    """

    DESCRIPTION = (
        "Keep a notebook's code as it is: run it with its original libraries, "
        "write their lock file, and add a kernel with them to JupyterLab's menu. Like every "
        "kernel there, it runs without a sandbox."
    )
    CODES = _BACKPORT_CODES_HELP

    lock: Path | None = None
    remove: bool = False

    @classmethod
    def add_options(cls, parser: argparse.ArgumentParser) -> None:
        """Add the command's flags."""
        result = parser.add_argument_group("result")
        result.add_argument(
            "--lock",
            type=Path,
            metavar="TOML",
            help="write the lock file here (default: pylock.NAME.toml beside the notebook)",
        )
        result.add_argument(
            "--remove",
            action="store_true",
            help="remove the notebook's kernel from the menu; nothing runs. Its environment stays "
            "until `environments --remove`",
        )
        add_report(result)


COMMANDS: Mapping[str, type[NotebookOptions]] = {
    "run": RunOptions,
    "verify": VerifyOptions,
    "prove": ProveOptions,
    "improve": ImproveOptions,
    "target": TargetOptions,
    "diff": DiffOptions,
    "backport": BackportOptions,
}


def parse(argv: Sequence[str]) -> NotebookOptions:
    """Parse the options of a command line.

    Raises:
        SystemExit: With 2 for wrong usage, with 0 after `--help` and `--version`.
    """
    name = argv[0] if argv and argv[0] in COMMANDS else ""
    command = COMMANDS.get(name, ModernizeOptions)
    parser = Arguments(
        prog=f"{PROGRAM} {name}".rstrip(),
        usage=None
        if name
        else f"{PROGRAM} NOTEBOOK [options]\n       {PROGRAM} COMMAND … [options]",
        description=command.DESCRIPTION,
        epilog=command.CODES,
        allow_abbrev=False,
    )
    if not name:
        parser.add_argument("--version", action="version", version=f"MLE Modernizer {__version__}")
    parser.add_argument("notebook", type=Path, metavar="NOTEBOOK", help="the .ipynb file")
    add_run_options(parser)
    command.add_options(parser)
    given = parser.parse_args(argv[1:] if name else argv)
    settings = take_settings(given)
    containers = Settings(**take_containers(parser, given, settings))
    command.take_options(parser, given)
    return command(settings=settings, containers=containers, **vars(given))


_COURSE = {
    "rounds": "number of rounds, each on another part",
    "steps": "steps in a round",
    "models": "models of the catalogue that the language model inserts",
    "ensembles": "ensembles that the language model makes",
    "most_runs": "maximum number of notebook runs of the whole search",
}
"""Description of each field of a course, for the flag of its name."""


def _add_course(group: argparse._ArgumentGroup) -> None:
    for name, what in _COURSE.items():
        default = Course.model_fields[name].default
        group.add_argument(
            flag_of(name),
            type=whole(0, 1000),
            metavar="N",
            help=f"with --refine: {what} (default: {default})",
        )


def _take_course(parser: argparse.ArgumentParser, given: argparse.Namespace) -> Course | None:
    """Pop the refinement flags and return their course."""
    chosen = {name: getattr(given, name) for name in _COURSE if getattr(given, name) is not None}
    for name in _COURSE:
        delattr(given, name)
    if not given.refine:
        if chosen:
            parser.error(f"{flag_of(next(iter(chosen)))} needs --refine")
        return None
    try:
        return Course(**chosen)
    except ValueError:
        parser.error("--most-runs is from 1 to 1000, the others of --refine are from 0 to 20")


def add_runs(group: argparse._ArgumentGroup) -> None:
    """Add the flag for the number of runs."""
    group.add_argument(
        "--runs",
        type=whole(2, MOST_RUNS),
        default=MOST_RUNS,
        metavar="N",
        help=f"maximum number of runs, 2 to {MOST_RUNS} (default: {MOST_RUNS})",
    )


def add_report(group: argparse._ArgumentGroup) -> None:
    """Add the flags for the report."""
    group.add_argument(
        "--report",
        type=Path,
        metavar="FILE",
        help="write every run, score, error, fix and cost to this file: HTML for .html, "
        "Markdown for .md, else JSON",
    )
    group.add_argument(
        "--force",
        action="store_true",
        help="overwrite these files if they exist, never the notebook",
    )
