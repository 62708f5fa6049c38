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
from typing import TYPE_CHECKING

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
from mle_modernizer_server.cli.arguments import Arguments
from mle_modernizer_server.cli.exit_codes import ExitCode
from mle_modernizer_server.cli.option_types import memory_size, positive, whole
from mle_modernizer_server.cli.options import (
    PROGRAM,
    add_model,
    add_run_options,
    take_containers,
)
from mle_modernizer_server.cli.setting_options import add_settings, take_settings
from mle_modernizer_server.cli.terminal.safe_text import harmless, note, one_line
from mle_modernizer_server.cli.terminal.screen import new_console
from mle_modernizer_server.domain.errors import BadInput, BadSetting
from mle_modernizer_server.domain.message import coded, verbatim
from mle_modernizer_server.domain.proposal import FixerName
from mle_modernizer_server.domain.settings import OptionGroup, checked_settings
from mle_modernizer_server.domain.statistics import State
from mle_modernizer_server.execution.notebook_file import write_file
from mle_modernizer_server.fixing.llm.settings import LlmSettings
from mle_modernizer_server.grading.competitions import default_data_root
from mle_modernizer_server.untrusted.files import exists, is_file

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


def new_parser() -> argparse.ArgumentParser:
    """Return the parser of the command."""
    parser = Arguments(
        prog=f"{PROGRAM} batch",
        usage=f"{PROGRAM} batch WHAT --out DIR [options]\n       {PROGRAM} batch --status DIR\n"
        f"       {PROGRAM} batch --apply DIR [--with-model]",
        description="Modernize many notebooks, several at a time, on this machine or on a Dask "
        "cluster. Results are kept in DIR, one file per notebook: run the same command "
        "again to continue after a stop or a crash. The notebooks themselves change only "
        "by --apply.",
        epilog="The model's key is read only from the environment of the workers. Settings of a "
        "manifest line override those given here, and these override the notebook's metadata.\n\n"
        + _EXIT_CODES,
        allow_abbrev=False,
    )
    parser.add_argument(
        "what",
        nargs="?",
        metavar="WHAT",
        help="a folder, a glob in quotes, or a manifest (.csv, .jsonl, .yaml): columns `notebook`, "
        "`competition`, `target`, `environment` and other settings, `gpu`, `memory`, `seconds`",
    )
    parser.add_argument(
        "--out", "--output", type=Path, metavar="DIR", help="folder for the results"
    )
    parser.add_argument(
        "--plan",
        type=Path,
        metavar="FILE.csv",
        help="run nothing; write a manifest with what was found in each notebook: "
        "competition, scores it mentions, era, what will certainly fail, missing "
        "packages and files, duration of its last run, probable cost of a model",
    )
    parser.add_argument(
        "--status", type=Path, metavar="DIR", help="show the progress of the batch in a folder"
    )
    parser.add_argument(
        "--report",
        type=Path,
        metavar="DIR",
        help="write the report of the batch in a folder; every batch does this when it ends",
    )
    parser.add_argument(
        "--apply",
        type=Path,
        metavar="DIR",
        help="write the modernized notebooks of the batch in a folder over the originals: "
        "those that were fixed by rules, ran without an error and reached their target, "
        "if they have one",
    )
    parser.add_argument(
        "--with-model",
        action="store_true",
        help="with --apply: include notebooks that a language model changed",
    )
    work = parser.add_argument_group("work")
    work.add_argument(
        "--arms",
        type=_arms,
        default=(arm_of("modernized"),),
        metavar="NAME,...",
        help=f"what is done with each notebook, side by side: {', '.join(ARMS)} (default: "
        "modernized). `today` only runs it, `its-own-time` with original libraries, `rules` "
        "and `model:NAME` modernize with these fixers alone",
    )
    work.add_argument(
        "--repeat",
        type=whole(1, MOST_REPEATS),
        default=1,
        metavar="N",
        help="repeat each N times (default: 1)",
    )
    work.add_argument(
        "--again",
        type=_again,
        default=(),
        metavar="|".join(_AGAIN),
        help="run notebooks with this result again",
    )
    _add_cluster(parser.add_argument_group("workers"))
    together = parser.add_argument_group("limits of all notebooks together")
    together.add_argument("--total-cost", type=positive, metavar="USD")
    together.add_argument("--total-tokens", type=whole(1), metavar="N")
    together.add_argument("--requests-per-minute", type=positive, metavar="N")
    together.add_argument("--tokens-per-minute", type=positive, metavar="N")
    add_run_options(parser)
    fixing = parser.add_argument_group("fixing")
    add_settings(fixing, OptionGroup.FIXING)
    add_model(fixing)
    fixing.add_argument(
        "--no-learning",
        dest="learn",
        action="store_false",
        help="do not learn rules from a model's fixes; by default, learned rules (DIR/rules) "
        "are tried on the remaining notebooks before the model is asked",
    )
    fixing.add_argument(
        "--try-own-time",
        action="store_true",
        help="also run notebooks that teach a rule in libraries of their own time: the rule "
        "records which libraries the old call ran with, and code that fails there too "
        "teaches no rule",
    )
    add_settings(parser.add_argument_group("limits"), OptionGroup.LIMITS)
    return parser


def _add_cluster(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--workers",
        type=whole(1, 1000),
        metavar="N",
        help="notebooks at a time on this machine (default: one per two processors)",
    )
    group.add_argument(
        "--worker-memory",
        type=memory_size,
        metavar="SIZE",
        help="memory of each worker and its notebook (default: an equal share of the machine's)",
    )
    group.add_argument(
        "--worker-gpus",
        type=whole(0, 1000),
        default=0,
        metavar="N",
        help="number of workers that have a GPU each",
    )
    group.add_argument(
        "--scheduler",
        metavar="ADDRESS|FILE",
        help="use this Dask cluster: a scheduler's address, or its scheduler file",
    )


def _arms(text: str) -> tuple[Arm, ...]:
    names = [name.strip() for name in text.split(",") if name.strip()]
    try:
        arms = tuple(arm_of(name) for name in names)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    if not arms or len(set(names)) != len(names):
        raise argparse.ArgumentTypeError(f"{text!r} does not name different arms")
    return arms


def _again(text: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split(","))
    unknown = [name for name in names if name not in _AGAIN]
    if unknown:
        raise argparse.ArgumentTypeError(f"{unknown[0]!r} is not one of {', '.join(_AGAIN)}")
    return names


def batch(argv: Sequence[str]) -> int:
    """Run the command; return its exit code.

    Raises:
        ModernizerError: Something that stops everything; the message is for the user.
        SystemExit: With 2 for wrong usage, with 0 after `--help`.
    """
    parser = new_parser()
    given = parser.parse_args(argv)
    if given.status is not None:
        return _show_status(given.status)
    if given.report is not None:
        print(f"The report is in {_write_report(StudyFolder(given.report))}.")
        return int(ExitCode.REPRODUCIBLE)
    if given.apply is not None:
        return _apply(given.apply, with_model=given.with_model)
    if given.what is None or (given.out is None and given.plan is None):
        parser.error("name the notebooks and --out or --plan; or --status, --report or --apply")
    if given.score_cell is not None:
        parser.error("--score-cell is of one notebook; give `score_reading` in a manifest")
    if given.file:
        parser.error(
            "--file is of one notebook; put the file into the folder of each that reads it"
        )
    if given.try_own_time and not given.learn:
        parser.error("--try-own-time tests learned rules; remove --no-learning")
    lines, problems = read_lines(given.what)
    if given.plan is not None:
        return _plan(study_of(parser, given), given.plan, lines, problems)
    _check_installed()
    limits = Limits(
        usd=given.total_cost,
        tokens=given.total_tokens,
        requests_per_minute=given.requests_per_minute,
        tokens_per_minute=given.tokens_per_minute,
    )
    study = study_of(parser, given)
    _check_model(study, limits)
    folder = StudyFolder(given.out)
    study = folder.open(study)
    jobs = list(jobs_of(lines, study))
    _forget(folder, jobs, given.again)
    for problem in problems:
        _say_problem(problem)
    return _carry_out(given, study, folder, jobs, limits, problems)


_ANSWERS = {
    Answer.APPLIED: "changed",
    Answer.ALREADY: "already contains the changes",
    Answer.MODEL: "left: a language model wrote some of the changes (--with-model takes them)",
    Answer.FAILS: "left: cells still fail, or it ran out of time",
    Answer.SCORE: "left: it runs, but its target score is not reached, or not proven",
    Answer.CHANGED: "left: the file was changed since the batch read it",
    Answer.UNREADABLE: "left",
}


def _apply(root: Path, *, with_model: bool) -> int:
    """Apply a batch's changes to the notebooks; return the exit code."""
    applications = apply_batch(StudyFolder(root), with_model=with_model)
    for one in applications:
        detail = f": {one_line(one.detail, 300)}" if one.detail else ""
        print(f"{one_line(one.name, 100)}: {_ANSWERS[one.answer]}{detail}")
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


def study_of(parser: argparse.ArgumentParser, given: argparse.Namespace) -> Study:
    """Return the batch that the arguments describe.

    Raises:
        BadSetting: A setting is out of its range.
        SystemExit: With 2 if flags of a container meet another sandbox.
    """
    chosen = take_settings(given)
    containers = take_containers(parser, given, chosen)
    checked = checked_settings(chosen).model_dump(mode="json")
    sandbox = chosen.pop("sandbox", None)
    return Study(
        id=secrets.token_hex(6),
        version=__version__,
        what=given.what,
        arms=given.arms,
        repeat=given.repeat,
        settings={name: checked[name] for name in chosen},
        data_root=str((given.data_root or default_data_root()).absolute()),
        sandbox=None if sandbox is None else str(sandbox),
        containers=containers,
        rules_path=None if given.rules_path is None else str(given.rules_path.absolute()),
        learn=given.learn,
        try_own_time=given.try_own_time,
        base_url=given.llm_base_url,
        model=given.llm_model,
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
    given: argparse.Namespace,
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
    with signals.handled(), screen.working(), _cluster(given) as client:
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


def _cluster(given: argparse.Namespace) -> AbstractContextManager[Client]:
    from mle_modernizer_server.batch.cluster import LocalWorkers, joined_cluster, local_cluster

    if given.scheduler is None:
        return local_cluster(LocalWorkers(given.workers, given.worker_memory, given.worker_gpus))
    if is_file(Path(given.scheduler)):
        return joined_cluster(None, Path(given.scheduler))
    return joined_cluster(given.scheduler, None)


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
        before = {each: signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)}

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

        for each in before:
            signal.signal(each, handle)
        try:
            yield
        finally:
            for each, handler in before.items():
                signal.signal(each, handler)


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
