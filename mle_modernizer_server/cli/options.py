"""The arguments of `jupyter modernize`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from mle_modernizer_server import __version__
from mle_modernizer_server.cli.arguments import Arguments
from mle_modernizer_server.cli.budget_options import Limits, add_limits, take_limits
from mle_modernizer_server.cli.exit_codes import EXIT_CODES_HELP
from mle_modernizer_server.cli.option_types import (
    address_or_all,
    block_role,
    count,
    fix_scope,
    fixer_names,
    fold_count,
    fold_split,
    given_file,
    gpu_choice,
    memory_size,
    number,
    package_name,
    partition_count,
    pip_network,
    positive,
    repetitions,
    sample_rows,
    score_reading,
)
from mle_modernizer_server.domain.competition import SplitKind
from mle_modernizer_server.domain.diagnosis import FixScope
from mle_modernizer_server.domain.execution import FilesBeside
from mle_modernizer_server.domain.files import LARGEST_RESOURCE
from mle_modernizer_server.domain.grade import DistanceMeasure, ScoreKind, ScoreReading
from mle_modernizer_server.domain.improvement import (
    DEFAULT_FOLDS,
    DEFAULT_PARTITIONS,
    MOST_PARTITIONS,
    BlockRole,
    Course,
)
from mle_modernizer_server.domain.proposal import FixerName
from mle_modernizer_server.domain.session import Mode
from mle_modernizer_server.domain.verification import (
    MOST_RUNS,
    NoiseWish,
    RehearsalSettings,
    VerificationKind,
)
from mle_modernizer_server.execution.sandboxes.docker.settings import (
    KAGGLE_IMAGE,
    PipNetwork,
)

PROGRAM = "jupyter modernize"
_COMMANDS_HELP = """\
Run an old notebook, propose fixes, and run it again until its score is inside
the band around the target. The notebook itself is never changed.

commands (`COMMAND --help` lists the options of each):
  run           run, grade and diagnose once
  preflight     predict what will break, without a run
  verify        repeat the run and test the scores
  prove         show with shuffled data that the result comes from training
  target        find the score it had in the libraries of its own time
  diff          show the first cell that gives a different result today
  backport      keep the code; add a kernel of its own time to Jupyter's menu
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
  kernelspec    add the sandbox `docker` to JupyterLab's kernel menu
"""
_ENVIRONMENT_HELP = """\
A model is used if one is configured: endpoint and name by the options or by
MLE_MODERNIZER_BASE_URL and MLE_MODERNIZER_MODEL, the key only by the environment
(MLE_MODERNIZER_API_KEY or OPENAI_API_KEY). If competition, target score and time limit are
not given, they are read from the notebook's metadata (key `mle_modernizer`: `competition`,
`target_score`, `time_limit`).
"""


_OF_CONTAINERS = ("image", "memory", "cpus", "gpus", "pip")


@dataclass(frozen=True)
class Options:
    """Parsed options; None if not passed.

    Attributes:
        only_run: `jupyter modernize run`: run, grade and diagnose, change nothing.
        force: Overwrite files that exist (never the notebook itself).
    """

    notebook: Path
    only_run: bool
    competition: str | None
    data_root: Path | None
    target_score: float | None
    threshold: float
    time_limit: float | None
    rules_time: float | None
    sandbox: str | None
    report: Path | None
    force: bool
    image: str | None
    memory: int | None
    cpus: float | None
    gpus: str | None
    pip: PipNetwork | None
    environment: str | None = None
    mode: Mode | None = None
    fixers: tuple[FixerName, ...] | None = None
    scope: FixScope = FixScope.FILE
    max_fixes: int = 16
    output: Path | None = None
    era: str | None = None
    llm_base_url: str | None = None
    llm_model: str | None = None
    distance: DistanceMeasure | None = None
    target_kind: ScoreKind | None = None
    score_reading: ScoreReading | None = None
    score_cell: int | None = None
    yes: bool = False
    show_prompt: Path | None = None
    learn: Path | None = None
    """Folder for the rules that a model's fixes teach."""
    try_own_time: bool = False
    """Test the claim of a rule in the notebook's original libraries first."""
    limits: Limits = field(default_factory=Limits)
    only_verify: bool = False
    """`jupyter modernize verify`: run again and again, change nothing."""
    only_prove: bool = False
    """`jupyter modernize prove`: run on shuffled data, change nothing."""
    only_improve: bool = False
    """`jupyter modernize improve`: compare versions on validation folds, change nothing."""
    candidates: tuple[Path, ...] = ()
    folds: int = DEFAULT_FOLDS
    fold_split: tuple[SplitKind, str | None] | None = None
    fold_seed: int = 0
    partitions: int = DEFAULT_PARTITIONS
    budget: float | None = None
    ablate: bool = False
    refine: Course | None = None
    blocks: bool = False
    """Show the notebook's blocks; run nothing."""
    roles: list[tuple[int, BlockRole]] = field(default_factory=list)
    """Roles of blocks set by the user, by their numbers."""
    only_target: bool = False
    """`jupyter modernize target`: run in the libraries of its own time, change nothing."""
    only_diff: bool = False
    """`jupyter modernize diff`: compare its own time with today, change nothing."""
    modernized: Path | None = None
    """With `diff`: the file to run today in place of the notebook."""
    only_backport: bool = False
    """`jupyter modernize backport`: a kernel of its own time in the menu, change nothing."""
    lock: Path | None = None
    """With `backport`: the lock file; None: `pylock.NAME.toml` next to the notebook."""
    remove: bool = False
    """With `backport`: take the kernel out of the menu."""
    verify: VerificationKind | None = None
    prove: bool = False
    """Finally put the result to the proof."""
    runs: int = MOST_RUNS
    measure_noise: NoiseWish = NoiseWish.WHEN_CHEAP
    rehearse: int | None = None
    network: bool = False
    files_beside: FilesBeside = FilesBeside.NAMED
    file: Sequence[tuple[str, Path]] = ()
    fetch: Sequence[str] = ()
    package: Sequence[str] = ()
    rules_path: Path | None = None
    finish: bool = False
    """Put the run's outputs into the written notebook."""

    @property
    def changes_nothing(self) -> bool:
        """Return whether no fix is requested."""
        return any(
            (
                self.only_run,
                self.only_verify,
                self.only_prove,
                self.only_improve,
                self.only_target,
                self.only_diff,
                self.only_backport,
            )
        )


def parse(argv: Sequence[str]) -> Options:
    """Parse the options of a command line.

    Raises:
        SystemExit: With 2 for wrong usage, with 0 after `--help` and `--version`.
    """
    command = argv[0] if argv and argv[0] in _PARSERS else ""
    parser = _PARSERS.get(command, _modernize_parser)()
    given = parser.parse_args(argv[1:] if command else argv)
    if any(getattr(given, name) is not None for name in _OF_CONTAINERS):
        # Options for a container select the Docker sandbox.
        given.sandbox = given.sandbox or "docker"
        if given.sandbox != "docker":
            parser.error(
                "--image, --memory, --cpus, --gpu and --pip are for the sandbox `docker`, not for "
                f"`{given.sandbox}`"
            )
    if command == "improve" and given.candidates and given.output is not None:
        parser.error("--out writes a version that was found; with --with the files are there")
    if command == "improve" and given.candidates and (given.ablate or given.refine):
        parser.error("--ablate and --refine are for a search of known changes, not for --with")
    if command == "improve":
        given.refine = _take_course(parser, given)
    limits = take_limits(given)
    return Options(
        only_run=command == "run",
        only_verify=command == "verify",
        only_prove=command == "prove",
        only_improve=command == "improve",
        only_target=command == "target",
        only_diff=command == "diff",
        only_backport=command == "backport",
        limits=limits,
        **vars(given),
    )


def _modernize_parser() -> argparse.ArgumentParser:
    parser = Arguments(
        prog=PROGRAM,
        usage=f"{PROGRAM} NOTEBOOK [options]\n       {PROGRAM} COMMAND … [options]",
        description=_COMMANDS_HELP,
        epilog=f"{_ENVIRONMENT_HELP}\n{EXIT_CODES_HELP}",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"MLE Modernizer {__version__}")
    _add_what_to_run(parser)
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
    add_fix_options(fixing)
    fixing.add_argument(
        "--yes", action="store_true", help="with --auto: do not ask about the cost estimate"
    )
    add_model(fixing)
    add_limits(parser)
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
    _add_report(result)
    result.add_argument(
        "--learn",
        type=Path,
        metavar="DIR",
        help="write rules learned from a model's fixes to this folder, for --rules-path",
    )
    result.add_argument(
        "--try-own-time",
        action="store_true",
        help="with --learn: first run the original notebook in the libraries of its own time; "
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
    _add_runs(result)
    return parser


def _verify_parser() -> argparse.ArgumentParser:
    parser = Arguments(
        prog=f"{PROGRAM} verify",
        description="Run a notebook repeatedly, each time in a fresh kernel, and test whether its "
        "scores are consistent with the target. Stops early if the answer is certain. "
        "Nothing is changed.",
        epilog=EXIT_CODES_HELP,
        allow_abbrev=False,
    )
    _add_what_to_run(parser)
    _add_runs(parser.add_argument_group("verification"))
    _add_report(parser.add_argument_group("result"))
    return parser


def _improve_parser() -> argparse.ArgumentParser:
    parser = Arguments(
        prog=f"{PROGRAM} improve",
        description="Look for a better score: try changes that are known to help and that fit the "
        "notebook's code (or other versions of it, with --with) on validation folds of "
        "the competition's public training data. A version is better if its gain is "
        "above 0 by the corrected paired t-test (Nadeau and Bengio). A version that is "
        "clearly worse on the first fold does not run on the others. The notebook does "
        "not change, and the competition's own answers are not used.",
        epilog=_IMPROVE_CODES_HELP,
        allow_abbrev=False,
    )
    _add_what_to_run(parser)
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
        type=fold_count,
        default=DEFAULT_FOLDS,
        metavar="K",
        help=f"1 to 20 (default: {DEFAULT_FOLDS}); the notebook runs once on each. 1 is a single "
        "hold-out set: weak evidence, by which nothing is called better",
    )
    group.add_argument(
        "--partitions",
        type=partition_count,
        default=DEFAULT_PARTITIONS,
        metavar="N",
        help=f"1 to {MOST_PARTITIONS} (default: {DEFAULT_PARTITIONS}); what looks better on the "
        "folds but cannot be told apart is run on those of other partitions of the rows, too",
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
        "--fold-seed", type=int, default=0, metavar="N", help="the same seed gives the same folds"
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
    _add_report(result)
    return parser


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
            f"--{name.replace('_', '-')}",
            type=count,
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
            parser.error(f"--{next(iter(chosen)).replace('_', '-')} needs --refine")
        return None
    try:
        return Course(**chosen)
    except ValueError:
        parser.error("--most-runs is from 1 to 1000, the others of --refine are from 0 to 20")


_IMPROVE_CODES_HELP = """\
exit codes:
  0    at least one version is better beyond chance
  1    none is
  2    bad usage or input, no folds can be made, or the budget is too small; nothing was compared
  3    failed: the time limit, or an internal error
  130  cancelled with Ctrl+C
"""


def _prove_parser() -> argparse.ArgumentParser:
    parser = Arguments(
        prog=f"{PROGRAM} prove",
        description="Run a notebook unchanged, on shuffled labels and on shuffled test rows, to "
        "show whether its result comes from training. If a run takes longer than two minutes, "
        "a sample of the training data is used. Nothing is changed.",
        epilog=_PROOF_CODES_HELP,
        allow_abbrev=False,
    )
    _add_what_to_run(parser)
    _add_report(parser.add_argument_group("result"))
    return parser


def _target_parser() -> argparse.ArgumentParser:
    parser = Arguments(
        prog=f"{PROGRAM} target",
        description="Find the target score of a notebook: run it unchanged in the libraries of its "
        "own time and grade it. The lock file is kept with the environment "
        "(`environments`). Without a competition, its outputs are compared with those "
        "saved in its file.",
        epilog=_TARGET_CODES_HELP,
        allow_abbrev=False,
    )
    _add_what_to_run(parser)
    _add_report(parser.add_argument_group("result"))
    return parser


def _diff_parser() -> argparse.ArgumentParser:
    parser = Arguments(
        prog=f"{PROGRAM} diff",
        description="Run a notebook in the libraries of its own time and with today's, and show "
        "the first cell that gives a different result today, with the values then and now.",
        epilog=_DIFF_CODES_HELP,
        allow_abbrev=False,
    )
    parser.add_argument(
        "--with",
        dest="modernized",
        type=Path,
        metavar="MODERNIZED",
        help="the modernized notebook, which runs today (default: the notebook itself)",
    )
    _add_what_to_run(parser)
    _add_report(parser.add_argument_group("result"))
    return parser


def _backport_parser() -> argparse.ArgumentParser:
    parser = Arguments(
        prog=f"{PROGRAM} backport",
        description="Keep a notebook's code as it is: run it in the libraries of its own time, "
        "write their lock file, and add a kernel with them to JupyterLab's menu. Like every "
        "kernel there, it runs without a sandbox.",
        epilog=_BACKPORT_CODES_HELP,
        allow_abbrev=False,
    )
    _add_what_to_run(parser)
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
    _add_report(result)
    return parser


_BACKPORT_CODES_HELP = """\
exit codes:
  0    the kernel was added to the menu, or removed from it
  1    the notebook does not run in the libraries of its time either; nothing was added
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

_TARGET_CODES_HELP = """\
exit codes:
  0    a score was found, or outputs that can be compared with the saved ones
  1    it does not run there either, or gives no score
  2    bad usage or input; nothing was run
  3    failed: the environment could not be made, or an internal error
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


def _add_runs(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--runs",
        type=repetitions,
        default=MOST_RUNS,
        metavar="N",
        help=f"maximum number of runs, 2 to {MOST_RUNS} (default: {MOST_RUNS})",
    )


def _run_parser() -> argparse.ArgumentParser:
    parser = Arguments(
        prog=f"{PROGRAM} run",
        description="Run a notebook, grade its submission and show what is wrong; change nothing.",
        epilog=EXIT_CODES_HELP,
        allow_abbrev=False,
    )
    _add_what_to_run(parser)
    prompt = parser.add_argument_group("what a model would be sent")
    prompt.add_argument(
        "--show-prompt",
        type=Path,
        metavar="TXT",
        help="write what a model would be sent for a fix of this run to this file. Nothing is "
        "sent, and no model has to be configured",
    )
    _add_scope(prompt)
    add_model(prompt)
    _add_report(parser.add_argument_group("result"))
    return parser


_PARSERS = {
    "run": _run_parser,
    "verify": _verify_parser,
    "prove": _prove_parser,
    "improve": _improve_parser,
    "target": _target_parser,
    "diff": _diff_parser,
    "backport": _backport_parser,
}


def _add_what_to_run(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("notebook", type=Path, metavar="NOTEBOOK", help="the .ipynb file")
    add_run_options(parser)


def add_run_options(parser: argparse.ArgumentParser) -> None:
    """Add the flags for grading and running a notebook."""
    grading = parser.add_argument_group("grading")
    grading.add_argument(
        "--competition",
        metavar="SLUG",
        help="competition whose metric and answers apply (default: found from the paths in "
        "the notebook)",
    )
    grading.add_argument(
        "--data-root",
        type=Path,
        metavar="DIR",
        help="directory with the competitions, in MLE-bench's layout (default: "
        "$MLE_MODERNIZER_DATA_ROOT, else MLE-bench's cache)",
    )
    grading.add_argument(
        "--target-score", type=number, metavar="S", help="the score the notebook once had"
    )
    grading.add_argument(
        "--threshold",
        type=positive,
        default=0.1,
        metavar="T",
        help="deviation from the target that still counts as reproduced (default: 0.1, ten "
        "percent)",
    )
    grading.add_argument(
        "--distance",
        type=DistanceMeasure,
        metavar="target|floor",
        help="base of the threshold: the target score (the default, as in the paper), or its "
        "distance from the floor, the score of a prediction without knowledge",
    )
    grading.add_argument(
        "--score-from",
        dest="score_reading",
        type=score_reading,
        metavar="TEXT",
        help="if no submission is graded, read the score from the cells' output: the text "
        "around it with {} for the number, e.g. 'Validation AUC: {}'; the last match "
        "counts. {} alone is the value that a cell returns",
    )
    grading.add_argument(
        "--score-cell",
        type=count,
        metavar="N",
        help="read the score from code cell N only; without --score-from, the value the cell "
        "returns",
    )
    grading.add_argument(
        "--target-kind",
        type=ScoreKind,
        metavar="graded|printed|typed",
        help="kind of the target score; only scores of the same kind are compared (default: "
        "graded)",
    )
    running = parser.add_argument_group("running")
    running.add_argument(
        "--sandbox",
        metavar="NAME",
        help="where the notebook runs (default: the best one that isolates). `process` does "
        "not isolate and is never selected automatically",
    )
    add_container_options(running)
    running.add_argument(
        "--pip",
        type=pip_network,
        metavar="allow|index-only|never",
        help="what `pip install` lines may reach in the sandbox `docker` (default: allow)",
    )
    running.add_argument(
        "--environment",
        metavar="NAME|PATH|server|own|own-time",
        help="Python and packages: a kernelspec, a conda environment, an interpreter or "
        "environment, the server's, or one made for the notebook with today's packages "
        "(own) or those of its own time (own-time) (default: its kernelspec's or the "
        "server's if all imports are there, else own)",
    )
    running.add_argument(
        "--time-limit",
        type=positive,
        metavar="SECONDS",
        help="time limit for the whole notebook (default: 600)",
    )
    running.add_argument(
        "--rules-time",
        type=positive,
        metavar="SECONDS",
        help="processor time for the rules each time they examine the notebook (default: 30)",
    )
    running.add_argument(
        "--era",
        metavar="ERA",
        help="when the notebook was written: a year, or versions such as 'pandas 0.23, "
        "sklearn 0.19' (default: inferred from the notebook)",
    )
    running.add_argument(
        "--network",
        action="store_true",
        help="give runs access to public web servers and nothing else; the servers reached "
        "are reported (default: no network)",
    )
    running.add_argument(
        "--files-beside",
        type=FilesBeside,
        choices=tuple(FilesBeside),
        default=FilesBeside.NAMED,
        metavar="named|folder|none",
        help="which files of the notebook's folder a run can see, read-only or as copies: "
        "those the code names (the default), all except hidden ones, or none",
    )
    running.add_argument(
        "--file",
        type=given_file,
        action="append",
        default=[],
        metavar="PATH=FILE",
        help="provide FILE where the notebook reads PATH, read-only; repeatable",
    )
    running.add_argument(
        "--fetch",
        type=address_or_all,
        action="append",
        default=[],
        metavar="URL|all",
        help="fetch a file (`all`: those that the notebook downloads, such as weights, if their "
        "addresses are known) from public servers once, outside the sandbox, and keep it for the "
        f"notebook's runs (at most {LARGEST_RESOURCE // 1_000_000} MB); repeatable. "
        "`resources` lists and removes fetched files",
    )
    running.add_argument(
        "--package",
        type=package_name,
        action="append",
        default=[],
        metavar="NAME",
        help="add a package, by its name on the package index, to the environment made for "
        "the notebook; nothing is installed into yours; repeatable",
    )
    add_rules_path(running)


def add_rules_path(group: argparse._ActionsContainer) -> None:
    """Add the flag for custom rules."""
    group.add_argument(
        "--rules-path",
        type=Path,
        metavar="DIR",
        help="folder with your own rules (default: $MLE_MODERNIZER_RULES)",
    )


def add_container_options(group: argparse._ActionsContainer) -> None:
    """Add the flags for a container's resources."""
    group.add_argument(
        "--image",
        metavar="NAME",
        help=f"image of the sandbox `docker` (default: {KAGGLE_IMAGE})",
    )
    group.add_argument(
        "--memory",
        type=memory_size,
        metavar="SIZE",
        help="memory of its container, such as 16g (default: 30g)",
    )
    group.add_argument(
        "--cpus",
        type=positive,
        metavar="N",
        help="processors of its container (default: 4)",
    )
    group.add_argument(
        "--gpu",
        dest="gpus",
        type=gpu_choice,
        metavar="auto|none|all|N",
        help="GPUs of its container (default: auto, all GPUs there are)",
    )


def add_fix_options(fixing: argparse._ArgumentGroup) -> None:
    """Add the flags for fixers."""
    fixing.add_argument(
        "--fixer",
        dest="fixers",
        type=fixer_names,
        metavar="rules|llm|rules,llm",
        help="who proposes fixes, in this order (default: rules, then the model if configured)",
    )
    _add_scope(fixing)
    fixing.add_argument(
        "--max-fixes",
        type=count,
        default=16,
        metavar="N",
        help="stop after N fixes (default: 16)",
    )
    fixing.add_argument(
        "--measure-noise",
        type=NoiseWish,
        default=NoiseWish.WHEN_CHEAP,
        metavar="when-cheap|always|never",
        help="with --auto, before calibrating a score: repeat runs to find out whether a "
        "silent library change or noise explains the deviation (default: if a run takes "
        "less than a minute)",
    )
    fixing.add_argument(
        "--rehearse",
        type=sample_rows,
        nargs="?",
        const=RehearsalSettings().rows,
        metavar="ROWS",
        help="first run on a sample of the data, to find errors in seconds; ROWS is the "
        "approximate number of rows per table (default: 2000)",
    )


def _add_scope(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--scope",
        type=fix_scope,
        default=FixScope.FILE,
        metavar="file|cell",
        help="fix the whole notebook at once, or the first failing cell (default: file)",
    )


def add_model(group: argparse._ArgumentGroup) -> None:
    """Add the flags that select a model."""
    group.add_argument("--llm-base-url", metavar="URL", help="OpenAI-compatible endpoint")
    group.add_argument("--llm-model", metavar="NAME", help="name of the model")


def _add_report(group: argparse._ArgumentGroup) -> None:
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
