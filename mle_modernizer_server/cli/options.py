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
    pip_network,
    positive,
    repetitions,
    sample_rows,
    score_reading,
    web_address,
)
from mle_modernizer_server.domain.diagnosis import FixScope
from mle_modernizer_server.domain.execution import FilesBeside
from mle_modernizer_server.domain.grade import DistanceMeasure, ScoreKind, ScoreReading
from mle_modernizer_server.domain.improvement import DEFAULT_FOLDS, Course
from mle_modernizer_server.domain.noise import NoiseWish
from mle_modernizer_server.domain.own_competition import SplitKind
from mle_modernizer_server.domain.proposal import FixerName
from mle_modernizer_server.domain.rehearsal import RehearsalSettings
from mle_modernizer_server.domain.resources import LARGEST_RESOURCE
from mle_modernizer_server.domain.session import Mode
from mle_modernizer_server.domain.verification import MOST_RUNS, VerificationKind
from mle_modernizer_server.execution.sandboxes.docker.settings import (
    KAGGLE_IMAGE,
    PipNetwork,
)

PROGRAM = "jupyter modernize"
_ENVIRONMENT_HELP = """\
A model is asked where one is configured: its endpoint and name by the flags or by
MLE_MODERNIZER_BASE_URL and MLE_MODERNIZER_MODEL, its key only by the environment
(MLE_MODERNIZER_API_KEY or OPENAI_API_KEY). Competition, target score and time limit that
are not given are taken from the notebook's metadata (key `mle_modernizer`: `competition`,
`target_score`, `time_limit`).
"""


_OF_CONTAINERS = ("image", "memory", "cpus", "gpus", "pip")


@dataclass(frozen=True)
class Options:
    """What the user asked for; None where nothing was said.

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
    """Try what a rule is about in the libraries of the notebook's own time first."""
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
    budget: float | None = None
    ablate: bool = False
    refine: Course | None = None
    blocks: bool = False
    """Show the notebook's blocks; run nothing."""
    only_target: bool = False
    """`jupyter modernize target`: run in the libraries of its own time, change nothing."""
    only_diff: bool = False
    """`jupyter modernize diff`: compare its own time with today, change nothing."""
    modernized: Path | None = None
    """With `diff`: what runs today in place of the notebook."""
    only_backport: bool = False
    """`jupyter modernize backport`: a kernel of its own time in the menu, change nothing."""
    lock: Path | None = None
    """With `backport`: the lock file; None: `pylock.NAME.toml` beside the notebook."""
    remove: bool = False
    """With `backport`: take the kernel out of the menu."""
    verify: VerificationKind | None = None
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
    """Take the run's outputs into what is written."""

    @property
    def changes_nothing(self) -> bool:
        """Whether no fix is asked for."""
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
    """The options of a command line.

    Raises:
        SystemExit: With 2 for wrong usage, with 0 after `--help` and `--version`.
    """
    command = argv[0] if argv and argv[0] in _PARSERS else ""
    parser = _PARSERS.get(command, _modernize_parser)()
    given = parser.parse_args(argv[1:] if command else argv)
    if any(getattr(given, name) is not None for name in _OF_CONTAINERS):
        # Whoever says what a container gets wants one.
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
        usage=f"{PROGRAM} NOTEBOOK [options]\n       {PROGRAM} run NOTEBOOK [options]\n"
        f"       {PROGRAM} verify NOTEBOOK [options]\n"
        f"       {PROGRAM} prove NOTEBOOK [options]\n"
        f"       {PROGRAM} improve NOTEBOOK [--with OTHER.ipynb] [options]\n"
        f"       {PROGRAM} target NOTEBOOK [options]\n"
        f"       {PROGRAM} diff NOTEBOOK [--with MODERNIZED.ipynb] [options]\n"
        f"       {PROGRAM} backport NOTEBOOK [--remove] [options]\n"
        f"       {PROGRAM} preflight NOTEBOOK [options]\n       {PROGRAM} rules [ID] [options]\n"
        f"       {PROGRAM} probe NOTEBOOK --old-python PATH [options]\n"
        f"       {PROGRAM} grade CSV [options]\n       {PROGRAM} competition init|list [options]\n"
        f"       {PROGRAM} kaggle competition|notebook|submit [options]\n"
        f"       {PROGRAM} report ID|PATH --html FILE\n"
        f"       {PROGRAM} paper FILE [options]\n"
        f"       {PROGRAM} draft COMPETITION --out NB [options]\n"
        f"       {PROGRAM} catalogue [QUERY] [options]\n"
        f"       {PROGRAM} statistics [options]\n       {PROGRAM} environments [options]\n"
        f"       {PROGRAM} resources [options]\n"
        f"       {PROGRAM} batch WHAT --out DIR [options]\n"
        f"       {PROGRAM} kernelspec install|remove [options]",
        description="Run an old notebook, propose fixes, and run it again until it reaches its "
        "score. `run` only runs, grades and diagnoses; `verify` runs again and tests the scores; "
        "`prove` shows by runs on shuffled data that the result comes from training; "
        "`improve` tries known changes and says which make it better beyond chance; "
        "`target` finds the score it had, in the libraries of its own time; "
        "`diff` shows which cell gives something else today, first; "
        "`backport` leaves it as it is and puts a kernel of its own time into Jupyter's menu; "
        "`batch` does it with many notebooks; `preflight` says without a run what will "
        "break; `probe` tries silent changes with old libraries; `rules` lists the known "
        "breaking changes; `report` writes what happened in a session; `statistics` says what "
        "fixes led to and cost; `kaggle` fetches data and "
        "notebooks; `environments` lists the Pythons and packages notebooks run with; "
        "`resources` lists the files that were fetched for notebooks; "
        "`draft` writes a first notebook for a competition; "
        "`catalogue` searches models and recipes with their examples; "
        "`paper` says what a paper claims and states of its method; "
        "`kernelspec` puts the sandbox `docker` into JupyterLab's kernel menu. The notebook itself "
        "is never changed.",
        epilog=f"{_ENVIRONMENT_HELP}\n{EXIT_CODES_HELP}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
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
        help="fix on a scratch copy without asking and show the whole difference at the end",
    )
    mode.add_argument(
        "--step",
        dest="mode",
        action="store_const",
        const=Mode.STEP,
        help="ask about every fix (what a terminal does unless told otherwise)",
    )
    add_fix_options(fixing)
    fixing.add_argument(
        "--yes", action="store_true", help="start --auto without asking whether the cost is right"
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
        help="take the outputs of the run into --output as well, with a record of where they come "
        "from in its metadata",
    )
    _add_report(result)
    result.add_argument(
        "--learn",
        type=Path,
        metavar="DIR",
        help="write what a model's fixes teach as rules into this folder, for --rules-path: a "
        "change is paid for once",
    )
    result.add_argument(
        "--try-own-time",
        action="store_true",
        help="with --learn: run the notebook as it was in the libraries of its own time first; "
        "what fails there too teaches no rule",
    )
    result.add_argument(
        "--verify",
        type=VerificationKind,
        metavar="quick|strict",
        help="when all is done, run the result again: once, or up to --runs times with a test of "
        "the scores against the target",
    )
    _add_runs(result)
    return parser


def _verify_parser() -> argparse.ArgumentParser:
    parser = Arguments(
        prog=f"{PROGRAM} verify",
        description="Run a notebook again and again, each time in a fresh kernel, and test whether "
        "its scores are consistent with the target; change nothing. It ends early where the answer "
        "is certain.",
        epilog=EXIT_CODES_HELP,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    _add_what_to_run(parser)
    _add_runs(parser.add_argument_group("verification"))
    _add_report(parser.add_argument_group("result"))
    return parser


def _improve_parser() -> argparse.ArgumentParser:
    parser = Arguments(
        prog=f"{PROGRAM} improve",
        description="Look for a better score: changes that are known to help and that the code "
        "shows to apply are tried (or other versions of the notebook, with --with) on validation "
        "folds, which are "
        "made of the competition's public training data with sealed answers. A version is better "
        "where its gain lies above 0 by the corrected paired t-test (Nadeau and Bengio); the first "
        "fold sets aside what is clearly worse. Nothing is changed, and the competition's own "
        "answers take no part.",
        epilog=_IMPROVE_CODES_HELP,
        formatter_class=argparse.RawDescriptionHelpFormatter,
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
        help="compare these versions of the notebook in place of known changes; may be given "
        "several times",
    )
    group.add_argument(
        "--budget",
        type=positive,
        metavar="MINUTES",
        help="what all runs together may take; candidates it would not do for are left out",
    )
    group.add_argument(
        "--folds",
        type=fold_count,
        default=DEFAULT_FOLDS,
        metavar="K",
        help=f"2 to 20 (default: {DEFAULT_FOLDS}); the notebook runs once on each",
    )
    group.add_argument(
        "--fold-by",
        dest="fold_split",
        type=fold_split,
        metavar="random|stratified|group:COLUMN|time:COLUMN",
        help="how rows are assigned to folds (default: as the competition itself seems split)",
    )
    group.add_argument(
        "--fold-seed", type=int, default=0, metavar="N", help="the same seed gives the same folds"
    )
    group.add_argument(
        "--ablate",
        action="store_true",
        help="run the notebook first without one of its parts each: what is worth most is where "
        "changes are tried first, and what is better left out is found",
    )
    group.add_argument(
        "--refine",
        action="store_true",
        help="find out what each part is worth, then refine what is worth most step by step from "
        "the best version so far: by known changes and the catalogue, or by the model if one is "
        "configured",
    )
    _add_course(group)
    group.add_argument(
        "--blocks",
        action="store_true",
        help="show the parts of the notebook and what each does, and run nothing",
    )
    result = parser.add_argument_group("result")
    result.add_argument(
        "--output",
        "--out",
        type=Path,
        metavar="FILE",
        help="write the best version of the notebook there, if one is better",
    )
    _add_report(result)
    return parser


_COURSE = {
    "rounds": "rounds, on another part each",
    "steps": "steps of a round",
    "models": "models of the catalogue that the language model is asked to put in",
    "ensembles": "ensembles that the language model is asked for",
    "most_runs": "notebook runs of the whole search",
}
"""What each field of a course is, for the flag of its name."""


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
    """The course that the flags ask for, which are taken out of what was given."""
    chosen = {name: getattr(given, name) for name in _COURSE if getattr(given, name) is not None}
    for name in _COURSE:
        delattr(given, name)
    if not given.refine:
        if chosen:
            parser.error(f"--{next(iter(chosen)).replace('_', '-')} is for --refine")
        return None
    try:
        return Course(**chosen)
    except ValueError:
        parser.error("--most-runs is from 1 to 1000, the others of --refine are from 0 to 20")


_IMPROVE_CODES_HELP = """\
exit codes:
  0    at least one version is better beyond chance
  1    none is
  2    bad usage or input, no folds can be made, or not within the budget; nothing was compared
  3    failed: the time limit, or an internal error
  130  cancelled with Ctrl+C
"""


def _prove_parser() -> argparse.ArgumentParser:
    parser = Arguments(
        prog=f"{PROGRAM} prove",
        description="Run a notebook, then on shuffled labels and on shuffled test rows, and say "
        "whether its result comes from a trained model; change nothing. Where a run takes longer "
        "than two minutes, the shuffled runs are made on a sample of the training data.",
        epilog=_PROOF_CODES_HELP,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    _add_what_to_run(parser)
    _add_report(parser.add_argument_group("result"))
    return parser


def _target_parser() -> argparse.ArgumentParser:
    parser = Arguments(
        prog=f"{PROGRAM} target",
        description="Find the target score of a notebook: run it, unchanged, in the libraries of "
        "its own time, and grade it. Its lock is kept with the environment (`environments`). "
        "Without a competition its outputs are compared with those saved in its file.",
        epilog=_TARGET_CODES_HELP,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    _add_what_to_run(parser)
    _add_report(parser.add_argument_group("result"))
    return parser


def _diff_parser() -> argparse.ArgumentParser:
    parser = Arguments(
        prog=f"{PROGRAM} diff",
        description="Run a notebook in the libraries of its own time and with today's, and show "
        "the first cell that gives something else today, with the values then and now.",
        epilog=_DIFF_CODES_HELP,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument(
        "--with",
        dest="modernized",
        type=Path,
        metavar="MODERNIZED",
        help="what runs today: the notebook as it was modernized (default: the notebook itself)",
    )
    _add_what_to_run(parser)
    _add_report(parser.add_argument_group("result"))
    return parser


def _backport_parser() -> argparse.ArgumentParser:
    parser = Arguments(
        prog=f"{PROGRAM} backport",
        description="Leave a notebook as it is: run it in the libraries of its own time, write "
        "their lock file, and put a kernel with them among your own, into JupyterLab's menu. "
        "Like every kernel there, it runs without a sandbox.",
        epilog=_BACKPORT_CODES_HELP,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    _add_what_to_run(parser)
    result = parser.add_argument_group("result")
    result.add_argument(
        "--lock",
        type=Path,
        metavar="TOML",
        help="where the lock file goes (default: pylock.NAME.toml beside the notebook)",
    )
    result.add_argument(
        "--remove",
        action="store_true",
        help="take the notebook's kernel out of the menu; nothing runs. Its environment stays "
        "until `environments --remove`",
    )
    _add_report(result)
    return parser


_BACKPORT_CODES_HELP = """\
exit codes:
  0    the kernel is in the menu, or was taken out of it
  1    the notebook does not run in the libraries of its time either; nothing was put there
  2    bad usage or input; nothing was run
  3    failed: the environment could not be made, or an internal error
  130  cancelled with Ctrl+C
"""

_DIFF_CODES_HELP = """\
exit codes:
  0    every cell that could be compared gives the same
  1    a cell gives something else, or nothing could be compared
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
  0    proven: with shuffled labels the result is lost, and nothing speaks against it
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
        help=f"at most so many runs, 2 to {MOST_RUNS} (default: {MOST_RUNS})",
    )


def _run_parser() -> argparse.ArgumentParser:
    parser = Arguments(
        prog=f"{PROGRAM} run",
        description="Run a notebook, grade its submission and say what is wrong; change nothing.",
        epilog=EXIT_CODES_HELP,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    _add_what_to_run(parser)
    prompt = parser.add_argument_group("what a model would be sent")
    prompt.add_argument(
        "--show-prompt",
        type=Path,
        metavar="TXT",
        help="write to this file what a model would be sent for a fix of this run; nothing is "
        "sent, and none need be configured",
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
    """The flags on how a notebook is graded and run."""
    grading = parser.add_argument_group("grading")
    grading.add_argument(
        "--competition", metavar="SLUG", help="default: found from the paths in the notebook"
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
        help="deviation from the target that still counts as reproduced (default: 0.1, "
        "which is ten percent)",
    )
    grading.add_argument(
        "--distance",
        type=DistanceMeasure,
        metavar="target|floor",
        help="what the threshold is a share of: the target score (the paper's, the default), or "
        "what the target is above a prediction without knowledge",
    )
    grading.add_argument(
        "--score-from",
        dest="score_reading",
        type=score_reading,
        metavar="TEXT",
        help="where no submission is graded, read the score from the cells' output: the text "
        "around it with {} for the number, e.g. 'Validation AUC: {}'; the last one counts. "
        "{} alone is the value that a cell returns",
    )
    grading.add_argument(
        "--score-cell",
        type=count,
        metavar="N",
        help="read it from code cell N only; without --score-from the value the cell returns",
    )
    grading.add_argument(
        "--target-kind",
        type=ScoreKind,
        metavar="graded|printed|typed",
        help="what the target score is of; only a score of the same kind is compared with it",
    )
    running = parser.add_argument_group("running")
    running.add_argument(
        "--sandbox",
        metavar="NAME",
        help="where the notebook runs; `process` gives no isolation and is never chosen by itself",
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
        help="the Python and packages it runs with: a kernelspec, a conda environment, an "
        "interpreter or environment, the server's, or one made for it, of today's packages or of "
        "its own time (default: its kernelspec's or the server's if all imports are there, else "
        "`own`)",
    )
    running.add_argument(
        "--time-limit",
        type=positive,
        metavar="SECONDS",
        help="for the whole notebook (default: 600)",
    )
    running.add_argument(
        "--era",
        metavar="ERA",
        help="when it was written: a year, or versions such as 'pandas 0.23, sklearn 0.19' "
        "(default: told from the notebook)",
    )
    running.add_argument(
        "--network",
        action="store_true",
        help="let the runs reach web servers of the public network, and nothing else; which ones "
        "they reached is said (default: no network)",
    )
    running.add_argument(
        "--files-beside",
        type=FilesBeside,
        choices=tuple(FilesBeside),
        default=FilesBeside.NAMED,
        metavar="named|folder|none",
        help="what of the notebook's folder a run is shown, read-only or as copies: what the code "
        "names (the default), all of it (hidden files aside), or nothing",
    )
    running.add_argument(
        "--file",
        type=given_file,
        action="append",
        default=[],
        metavar="PATH=FILE",
        help="serve FILE, wherever it lies, where the notebook reads PATH; it is never written "
        "to. Can be given several times",
    )
    running.add_argument(
        "--fetch",
        type=web_address,
        action="append",
        default=[],
        metavar="URL",
        help="have the file of a web address fetched once, outside of the sandbox, and kept for "
        "the notebook's runs, which have no network (at most "
        f"{LARGEST_RESOURCE // 1_000_000} MB, from servers of the public network). Can be given "
        "several times; `resources` lists and removes what was fetched",
    )
    running.add_argument(
        "--package",
        type=package_name,
        action="append",
        default=[],
        metavar="NAME",
        help="add a package to the environment that is made for the notebook, by its name on the "
        "package index; nothing is installed into yours. Can be given several times",
    )
    add_rules_path(running)


def add_rules_path(group: argparse._ActionsContainer) -> None:
    """The flag on rules of one's own."""
    group.add_argument(
        "--rules-path",
        type=Path,
        metavar="DIR",
        help="folder with rules of your own (default: $MLE_MODERNIZER_RULES)",
    )


def add_container_options(group: argparse._ActionsContainer) -> None:
    """The flags on what a container gets."""
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
        help="GPUs of its container (default: auto, which is all there are)",
    )


def add_fix_options(fixing: argparse._ArgumentGroup) -> None:
    """The flags on who fixes and how."""
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
        help="stop after so many fixes (default: 16)",
    )
    fixing.add_argument(
        "--measure-noise",
        type=NoiseWish,
        default=NoiseWish.WHEN_CHEAP,
        metavar="when-cheap|always|never",
        help="with --auto, before a calibration: look by repeated runs for the cause among "
        "libraries' silent changes, and whether it is mere noise (default: where a run takes less "
        "than a minute)",
    )
    fixing.add_argument(
        "--rehearse",
        type=sample_rows,
        nargs="?",
        const=RehearsalSettings().rows,
        metavar="ROWS",
        help="first run on a sample of the data, to meet errors in seconds; about so many rows "
        "of a table (default: 2000)",
    )


def _add_scope(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--scope",
        type=fix_scope,
        default=FixScope.FILE,
        metavar="file|cell",
        help="look at the whole notebook or at the first failing cell (default: file)",
    )


def add_model(group: argparse._ArgumentGroup) -> None:
    """The flags on which model is asked."""
    group.add_argument("--llm-base-url", metavar="URL", help="OpenAI-compatible endpoint")
    group.add_argument("--llm-model", metavar="NAME", help="name of the model")


def _add_report(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--report",
        type=Path,
        metavar="FILE",
        help="write all that happened to this file: a page for people where its name ends in "
        ".html, text in .md, else JSON for programs",
    )
    group.add_argument("--force", action="store_true", help="overwrite these files if they exist")
