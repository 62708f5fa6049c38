"""`jupyter modernize batch`: many notebooks, from a folder or a manifest to a folder of results."""

from __future__ import annotations

import argparse
import secrets
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated, ClassVar

from pydantic import Field
from rich.text import Text

from mle_modernizer_server import __version__
from mle_modernizer_server.batch.apply import Answer, apply_batch
from mle_modernizer_server.batch.folder import StudyFolder
from mle_modernizer_server.batch.manifest import read_lines
from mle_modernizer_server.batch.result import Status
from mle_modernizer_server.batch.study import (
    ARMS,
    MOST_REPEATS,
    Arm,
    Job,
    Limits,
    Line,
    Problem,
    Study,
    Work,
    arm_of,
    jobs_of,
)
from mle_modernizer_server.cli.arguments import PROGRAM, Groups, parse_options
from mle_modernizer_server.cli.exit_codes import ExitCode
from mle_modernizer_server.cli.flags import Argument
from mle_modernizer_server.cli.option_types import memory_size
from mle_modernizer_server.cli.options import ModelOptions, RunningOptions
from mle_modernizer_server.cli.terminal.safe_text import harmless, note, one_line
from mle_modernizer_server.cli.terminal.screen import new_console
from mle_modernizer_server.cli.work import handled_signals
from mle_modernizer_server.domain.errors import BadInput, BadSetting
from mle_modernizer_server.domain.message import coded, verbatim
from mle_modernizer_server.domain.proposal import FixerName
from mle_modernizer_server.domain.settings import Flag, OptionGroup, checked_settings
from mle_modernizer_server.domain.statistics import State
from mle_modernizer_server.execution.notebook_file import write_file
from mle_modernizer_server.fixing.llm.settings import LlmSettings
from mle_modernizer_server.grading.competitions import default_data_root
from mle_modernizer_server.untrusted.files import exists, is_file
from mle_modernizer_server.words import label

if TYPE_CHECKING:
    from distributed import Client

    from mle_modernizer_server.batch.engine import Progress, Wish

_EXIT_CODES = """\
exit codes:
  0    every notebook has a result, whatever its outcome (--apply: none was left unchanged)
  1    some could not be worked on, were set aside or left unchanged; each is listed
  2    bad usage or input; nothing was run
  3    the scheduler was lost, or a budget ended; run the same command again to continue
  130  stopped with Ctrl+C; run the same command again to continue
"""
_SECONDS_BETWEEN_NOTES = 3.0
_AGAIN = ("refused", "set-aside", "timeout", "all")


def _arms(text: str) -> tuple[Arm, ...]:
    names = [name.strip() for name in text.split(",") if name.strip()]
    if not names or len(set(names)) != len(names):
        raise ValueError(f"{text!r} does not name different arms")
    return tuple(arm_of(name) for name in names)


def _again(text: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split(","))
    unknown = [name for name in names if name not in _AGAIN]
    if unknown:
        raise ValueError(f"{unknown[0]!r} is not one of {', '.join(_AGAIN)}")
    return names


class BatchOptions(RunningOptions, ModelOptions):
    """Options of the command.

    Attributes:
        what: A folder, a glob or a manifest.
        arms: The ways in which each notebook is worked on.
        again: Results of which the notebooks run again.
        no_learning: Learn no rules from a model's fixes.
    """

    USAGE = (
        f"{PROGRAM} batch WHAT --out DIR [options]\n       {PROGRAM} batch --status DIR\n"
        f"       {PROGRAM} batch --apply DIR [--with-model]"
    )
    DESCRIPTION = (
        "Modernize many notebooks, several at a time, on this machine or on a Dask "
        "cluster. Results are kept in DIR, one file per notebook: run the same command "
        "again to continue after a stop or a crash. The notebooks themselves change only "
        "by --apply."
    )
    EPILOG = (
        "The model's key is read only from the environment of the workers. Settings of a "
        "manifest line override those given here, and these override the notebook's metadata.\n\n"
        + _EXIT_CODES
    )
    GROUPS: ClassVar[Groups] = {
        "work": ("arms", "repeat", "again"),
        "workers": ("workers", "worker_memory", "worker_gpus", "scheduler"),
        "limits of all notebooks together": (
            *("total_cost", "total_tokens", "requests_per_minute", "tokens_per_minute"),
        ),
        **RunningOptions.GROUPS,
        "fixing": (OptionGroup.FIXING, "llm_base_url", "llm_model", "no_learning", "try_own_time"),
        "limits": (OptionGroup.LIMITS,),
    }

    what: Annotated[
        str | None,
        Argument(
            "a folder, a glob in quotes, or a manifest (.csv, .jsonl, .yaml): columns `notebook`, "
            "`competition`, `target`, `environment` and other settings, `gpu`, `memory`, `seconds`",
            "WHAT",
        ),
    ] = None
    out: Annotated[Path | None, Flag("folder for the results", "DIR", also="output")] = None
    plan: Annotated[
        Path | None,
        Flag(
            "run nothing; write a manifest with what was found in each notebook: competition, "
            "scores it mentions, era, what will certainly fail, missing packages and files, "
            "duration of its last run, probable cost of a model",
            "FILE.csv",
        ),
    ] = None
    status: Annotated[Path | None, Flag("show the progress of the batch in a folder", "DIR")] = None
    report: Annotated[
        Path | None,
        Flag(
            "write the report of the batch in a folder; every batch does this when it ends", "DIR"
        ),
    ] = None
    apply: Annotated[
        Path | None,
        Flag(
            "write the modernized notebooks of the batch in a folder over the originals: those "
            "that were fixed by rules, ran without an error and reached their target, if they have "
            "one",
            "DIR",
        ),
    ] = None
    with_model: Annotated[
        bool, Flag("with --apply: include notebooks that a language model changed")
    ] = False
    arms: Annotated[
        tuple[Arm, ...],
        Flag(
            f"what is done with each notebook, side by side: {', '.join(ARMS)} (default: "
            "modernized). `today` only runs it, `its-own-time` with original libraries, `rules` "
            "and `model:NAME` modernize with these fixers alone",
            "NAME,...",
            parse=_arms,
        ),
    ] = (arm_of("modernized"),)
    repeat: Annotated[int, Flag("repeat each N times (default: {default})")] = Field(
        default=1, ge=1, le=MOST_REPEATS
    )
    again: Annotated[
        tuple[str, ...],
        Flag("run notebooks with this result again", "|".join(_AGAIN), parse=_again),
    ] = ()
    workers: Annotated[
        int | None,
        Flag("notebooks at a time on this machine (default: one per two processors)"),
    ] = Field(default=None, ge=1, le=1000)
    worker_memory: Annotated[
        int | None,
        Flag(
            "memory of each worker and its notebook (default: an equal share of the machine's)",
            "SIZE",
            parse=memory_size,
        ),
    ] = None
    worker_gpus: Annotated[int, Flag("number of workers that have a GPU each")] = Field(
        default=0, ge=0, le=1000
    )
    scheduler: Annotated[
        str | None,
        Flag("use this Dask cluster: a scheduler's address, or its scheduler file", "ADDRESS|FILE"),
    ] = None
    total_cost: Annotated[float | None, Flag("", "USD")] = Field(default=None, gt=0)
    total_tokens: Annotated[int | None, Flag("")] = Field(default=None, ge=1)
    requests_per_minute: Annotated[float | None, Flag("")] = Field(default=None, gt=0)
    tokens_per_minute: Annotated[float | None, Flag("")] = Field(default=None, gt=0)
    no_learning: Annotated[
        bool,
        Flag(
            "do not learn rules from a model's fixes; by default, learned rules (DIR/rules) are "
            "tried on the remaining notebooks before the model is asked"
        ),
    ] = False
    try_own_time: Annotated[
        bool,
        Flag(
            "also run notebooks that teach a rule in libraries of their own time: the rule records "
            "which libraries the old call ran with, and code that fails there too teaches no rule"
        ),
    ] = False

    def check(self, parser: argparse.ArgumentParser) -> None:
        """Check options together."""
        super().check(parser)
        if self.status or self.report or self.apply:
            return
        if self.what is None or (self.out is None and self.plan is None):
            parser.error("name the notebooks and --out or --plan; or --status, --report or --apply")
        if self.score_cell is not None:
            parser.error("--score-cell is of one notebook; give `score_reading` in a manifest")
        if self.file:
            parser.error(
                "--file is of one notebook; put the file into the folder of each that reads it"
            )
        if self.try_own_time and self.no_learning:
            parser.error("--try-own-time tests learned rules; remove --no-learning")


def run(argv: Sequence[str]) -> int:
    """Run the command; return its exit code.

    Raises:
        ModernizerError: Something that stops everything; the message is for the user.
        SystemExit: With 2 for wrong usage, with 0 after `--help`.
    """
    options = parse_options(BatchOptions, "batch", argv)
    if options.status is not None:
        return _show_status(options.status)
    if options.report is not None:
        print(f"The report is in {_write_report(StudyFolder(options.report))}.")
        return int(ExitCode.REPRODUCIBLE)
    if options.apply is not None:
        return _apply(options.apply, with_model=options.with_model)
    study = study_of(options)
    lines, problems = read_lines(study.what)
    if options.plan is not None:
        return _plan(study, options.plan, lines, problems)
    assert options.out is not None
    _check_installed()
    limits = Limits(
        usd=options.total_cost,
        tokens=options.total_tokens,
        requests_per_minute=options.requests_per_minute,
        tokens_per_minute=options.tokens_per_minute,
    )
    _check_model(study, limits)
    folder = StudyFolder(options.out)
    study = folder.open(study)
    jobs = list(jobs_of(lines, study))
    _forget(folder, jobs, options.again)
    for problem in problems:
        _say_problem(problem)
    return _carry_out(options, study, folder, jobs, limits, problems)


def _apply(root: Path, *, with_model: bool) -> int:
    """Apply a batch's changes to the notebooks; return the exit code."""
    applications = apply_batch(StudyFolder(root), with_model=with_model)
    for one in applications:
        detail = f": {one_line(one.detail, 300)}" if one.detail else ""
        print(f"{one_line(one.name, 100)}: {label('applied', one.answer.value)}{detail}")
    applied = sum(one.answer is Answer.APPLIED for one in applications)
    left = sum(one.answer not in (Answer.APPLIED, Answer.ALREADY) for one in applications)
    print(f"{applied} of {len(applications)} modernized notebooks applied, {left} left.")
    return int(ExitCode.NOT_REPRODUCIBLE if left else ExitCode.REPRODUCIBLE)


def _plan(study: Study, file: Path, lines: Sequence[Line], problems: Sequence[Problem]) -> int:
    """Write a manifest; return the exit code.

    Raises:
        BadInput: It must not be overwritten, or cannot be written.
    """
    from mle_modernizer_server.batch.plan import make_plan, summary_of_plan

    if exists(file):
        raise BadInput(coded("file.exists", path=file))
    for problem in problems:
        _say_problem(problem)

    def say(number: int, line: Line) -> None:
        print(f"{number} of {len(lines)}: {one_line(line.name, 100)}", file=sys.stderr)

    plan = make_plan(lines, study, file.parent, say)
    write_file(file, plan.encode("utf-8"))
    for line in summary_of_plan(plan):
        print(one_line(line, 300))
    print(f"The plan is in {file}; check it, then start the batch: batch {file}")
    return int(ExitCode.NOT_REPRODUCIBLE if problems else ExitCode.REPRODUCIBLE)


def _write_report(folder: StudyFolder) -> Path:
    # Only now: its statistics take longer to load than all else that a plan or a status needs.
    from mle_modernizer_server.batch.report.write import write_report

    return write_report(folder)


def _check_installed() -> None:
    try:
        import distributed  # noqa: F401  # asked only whether it is installed
    except ImportError as error:
        raise BadSetting(coded("cli.no-dask")) from error


def study_of(options: BatchOptions) -> Study:
    """Return the batch that the options describe.

    Raises:
        BadSetting: A setting is out of its range.
    """
    chosen = options.chosen
    checked = checked_settings(chosen).model_dump(mode="json")
    return Study(
        id=secrets.token_hex(6),
        version=__version__,
        what=options.what or "",
        arms=options.arms,
        repeat=options.repeat,
        settings={name: checked[name] for name in chosen if name != "sandbox"},
        data_root=str((options.data_root or default_data_root()).absolute()),
        sandbox=options.sandbox,
        containers=options.containers,
        rules_path=None if options.rules_path is None else str(options.rules_path.absolute()),
        learn=not options.no_learning,
        try_own_time=options.try_own_time,
        base_url=options.llm_base_url,
        model=options.llm_model,
    )


def _check_model(study: Study, limits: Limits) -> None:
    """Refuse arms that need a model that is not configured, and a bound on money that cannot be
    enforced.

    Raises:
        BadSetting: An arm or the bound is refused.
    """
    for arm in study.arms:
        settings = {**study.settings, **arm.settings}
        fixers = settings.get("fixers")
        llm = LlmSettings.from_environment(base_url=study.base_url, model=arm.model or study.model)
        named = isinstance(fixers, list) and FixerName.LLM.value in fixers
        if arm.work is Work.MODERNIZE and named and not llm.configured:
            raise BadSetting(verbatim(llm.reason))
        asked = arm.work is Work.MODERNIZE and (named or fixers is None) and llm.configured
        if asked and limits.usd is not None and llm.known_price is None:
            raise BadSetting(coded("cli.price-unknown", model=repr(llm.model)))


def _forget(folder: StudyFolder, jobs: Sequence[Job], again: tuple[str, ...]) -> None:
    if not again:
        return
    for job in jobs:
        result = folder.result(job.key)
        if result is not None and (
            "all" in again
            or result.status.value in again
            or ("timeout" in again and result.last_state is State.TIMEOUT)
        ):
            folder.forget(job.key)


def _carry_out(
    options: BatchOptions,
    study: Study,
    folder: StudyFolder,
    jobs: Sequence[Job],
    limits: Limits,
    problems: Sequence[Problem],
) -> int:
    from mle_modernizer_server.batch.engine import Engine
    from mle_modernizer_server.cli.terminal.batch_screen import (
        BatchScreen,
        learned_line,
        outcomes_table,
        progress_line,
        running_lines,
    )

    console = new_console()
    screen = BatchScreen(console)
    done = folder.done()
    before = sum(job.key in done for job in jobs)
    screen.say(f"{_extent(jobs, study)}, in {folder.root}{_already(before)}")
    signals = _Signals()
    with signals.handled(), screen.working(), _cluster(options) as client:
        if client.dashboard_link and not client.dashboard_link.endswith(":None/status"):
            screen.say(f"Dask's dashboard: {client.dashboard_link}")

        said = 0.0

        def watch(progress: Progress) -> Wish:
            nonlocal said
            screen.show(progress)
            if time.monotonic() - said > _SECONDS_BETWEEN_NOTES:
                said = time.monotonic()
                folder.note_standing(progress_line(progress), running_lines(progress))
            return signals.wish

        engine = Engine(client, study, folder, limits, watch=watch, on_end=screen.ended)
        progress = engine.run(jobs)
    for problem in engine.problems:
        _say_problem(problem)
    folder.note_standing(progress_line(progress), ())
    if progress.done:
        console.print(outcomes_table(progress.states, progress.statuses, progress.has_targets))
    screen.say(progress_line(progress))
    if learned := learned_line(folder):
        screen.say(learned)
    if progress.reason:
        screen.say(progress.reason)
    if progress.done:
        screen.say(f"The report is in {_write_report(folder)}.")
    if signals.number is not None:
        return 128 + signals.number
    if progress.left:
        return int(ExitCode.FAILED)
    bad = progress.statuses[Status.REFUSED] + progress.statuses[Status.SET_ASIDE]
    incomplete = bad or engine.problems or problems
    return int(ExitCode.NOT_REPRODUCIBLE if incomplete else ExitCode.REPRODUCIBLE)


def _extent(jobs: Sequence[Job], study: Study) -> str:
    """Return the amount of work, in words."""
    notebooks = len({(job.line.number, job.line.name) for job in jobs})
    words = f"{notebooks} notebook{'s' if notebooks != 1 else ''}"
    if len(study.arms) > 1:
        words += f", each in {len(study.arms)} arms"
    if study.repeat > 1:
        words += f", {study.repeat} times"
    return words if len(jobs) == notebooks else f"{words}: {len(jobs)} to do in all"


def _already(count: int) -> str:
    return f"; {count} of them done already" if count else ""


def _cluster(options: BatchOptions) -> AbstractContextManager[Client]:
    from mle_modernizer_server.batch.cluster import LocalWorkers, joined_cluster, local_cluster

    if options.scheduler is None:
        return local_cluster(
            LocalWorkers(options.workers, options.worker_memory, options.worker_gpus)
        )
    if is_file(Path(options.scheduler)):
        return joined_cluster(None, Path(options.scheduler))
    return joined_cluster(options.scheduler, None)


class _Signals:
    """Handling of Ctrl+C: once, end after the runs at work; twice, end at once.

    Attributes:
        number: Of the signal that came, or None.
    """

    def __init__(self) -> None:
        self.number: int | None = None
        self._times = 0

    @property
    def wish(self) -> Wish:
        """Return the user's request by now."""
        from mle_modernizer_server.batch.engine import Wish

        at_once = self._times > 1 or self.number == signal.SIGTERM
        return Wish(stop=self._times > 0, abort=at_once)

    @contextmanager
    def handled(self) -> Iterator[None]:
        """While the batch works."""

        def handle(number: int, frame: FrameType | None) -> None:
            self.number = number
            self._times += 1
            if self._times == 1 and number == signal.SIGINT:
                print(
                    "Stopping after the notebooks at work; press Ctrl+C again to stop them too.",
                    file=sys.stderr,
                )
            elif self._times > 2:
                raise KeyboardInterrupt

        with handled_signals(handle):
            yield


def _show_status(root: Path) -> int:
    """Print the status of the batch in a folder.

    Raises:
        BadInput: It is no batch's folder.
    """
    from mle_modernizer_server.cli.terminal.batch_screen import (
        learned_line,
        outcomes_table,
        standing_lines,
    )

    folder = StudyFolder(root)
    study = folder.read_study()
    if study is None:
        raise BadInput(coded("batch.no-folder", root=str(root)))
    console = new_console()
    results = list(folder.results())
    states = Counter(result.last_state for result in results)
    console.print(f"{study.what}: {len(results)} done", soft_wrap=True)
    for line in (*standing_lines(folder), learned_line(folder)):
        if line:
            console.print(Text(harmless(line)), soft_wrap=True)
    statuses = Counter(result.status for result in results)
    has_targets = any(result.target is not None for result in results)
    if results:
        console.print(outcomes_table(states, statuses, has_targets))
    return int(ExitCode.REPRODUCIBLE)


def _say_problem(problem: Problem) -> None:
    from mle_modernizer_server.cli.terminal.batch_screen import problem_line

    note(problem_line(problem))
