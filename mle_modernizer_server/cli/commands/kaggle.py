"""`jupyter modernize kaggle`: data, notebooks and scores from Kaggle, with the user's token."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn

from mle_modernizer_server.cli.arguments import Arguments
from mle_modernizer_server.cli.exit_codes import ExitCode
from mle_modernizer_server.cli.option_types import positive
from mle_modernizer_server.cli.options import PROGRAM
from mle_modernizer_server.cli.setting_options import add_setting, take_settings
from mle_modernizer_server.cli.terminal.safe_text import one_line, plain
from mle_modernizer_server.domain.competition import Metric
from mle_modernizer_server.domain.errors import BadInput, BadSetting
from mle_modernizer_server.domain.grade import Grade, OutputStatus, ScoreKind
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.domain.settings import SessionSettings, checked_settings
from mle_modernizer_server.domain.text import duration
from mle_modernizer_server.execution.sandboxes.docker.settings import size
from mle_modernizer_server.grading.competitions import default_data_root
from mle_modernizer_server.grading.distance import with_deviation
from mle_modernizer_server.kaggle.account import Account, signed_in
from mle_modernizer_server.kaggle.data import checked_slug, fetch_competition
from mle_modernizer_server.kaggle.notebooks import checked_name, fetch_notebook
from mle_modernizer_server.kaggle.submission import (
    Scores,
    check_takes_csv,
    submit,
    wait_for_scores,
)
from mle_modernizer_server.untrusted.files import is_file

_MESSAGE = "Graded by MLE Modernizer"
_SECONDS_BETWEEN_LINES = 15
_EPILOG = """\
Needs the package kaggle (pip install 'mle-modernizer[kaggle]') and your own token, which that
package reads from KAGGLE_API_TOKEN, KAGGLE_USERNAME and KAGGLE_KEY, or a file in ~/.kaggle.

exit codes:
  0    done (and inside the band, if a target score was given)
  1    scored, but outside the band, or without a score that can be compared
  2    bad usage or input: no token, rules not accepted, unknown name, an unsafe archive
  3    Kaggle cannot be reached, is busy, or did not score in time
  130  cancelled with Ctrl+C
"""


def kaggle(argv: Sequence[str]) -> int:
    """Run the command for Kaggle; return its exit code.

    Raises:
        ModernizerError: There is no token or no network, or Kaggle refuses.
        SystemExit: Wrong usage.
    """
    given = _parser().parse_args(argv)
    console = Console(soft_wrap=True, highlight=False, markup=False)
    if given.command == "competition":
        return _competition(given, console)
    return _notebook(given, console) if given.command == "notebook" else _submit(given, console)


def _parser() -> argparse.ArgumentParser:
    parser = Arguments(
        prog=f"{PROGRAM} kaggle",
        description="Download data and notebooks from Kaggle, and have Kaggle score a submission.",
        epilog=_EPILOG,
        allow_abbrev=False,
    )
    commands = parser.add_subparsers(
        dest="command", required=True, metavar="competition|notebook|submit"
    )
    data = commands.add_parser("competition", help="download a competition's data and description")
    data.add_argument("slug", type=_slug, metavar="SLUG", help="last part of its address")
    data.add_argument(
        "--data-root",
        type=Path,
        metavar="DIR",
        help="where to put it (default: $MLE_MODERNIZER_DATA_ROOT, else MLE-bench's cache)",
    )
    data.add_argument(
        "--metric",
        type=Metric,
        choices=list(Metric),
        metavar="NAME",
        help="its metric, if Kaggle's name for it is not recognised",
    )
    data.add_argument(
        "--max-size",
        type=_size,
        default=20 * 10**9,
        metavar="SIZE",
        help="limit on the archive and its contents (default: 20 GB)",
    )
    data.add_argument("--force", action="store_true", help="replace existing data")
    notebook = commands.add_parser("notebook", help="download a notebook with its metadata file")
    notebook.add_argument("name", type=_name, metavar="OWNER/SLUG", help="last part of its address")
    notebook.add_argument("--into", type=Path, metavar="DIR", help="default: ./SLUG")
    notebook.add_argument("--force", action="store_true", help="overwrite existing files")
    late = commands.add_parser(
        "submit", help="have a CSV scored by a late submission", epilog=_EPILOG
    )
    late.add_argument("csv", type=Path, metavar="CSV", help="the submission")
    late.add_argument("--competition", type=_slug, required=True, metavar="SLUG")
    late.add_argument("--message", default=_MESSAGE, metavar="TEXT", help="note shown at Kaggle")
    late.add_argument("--yes", action="store_true", help="submit without asking")
    late.add_argument(
        "--wait",
        type=positive,
        default=1800.0,
        metavar="SECONDS",
        help="how long to wait for the score (default: 1800)",
    )
    add_setting(late, "target_score")
    add_setting(late, "threshold")
    late.add_argument(
        "--board",
        choices=["public", "private"],
        default="public",
        help="leaderboard score to compare with the target (default: public)",
    )
    late.add_argument("--json", action="store_true", help="print the scores as JSON")
    return parser


def _slug(text: str) -> str:
    try:
        return checked_slug(text)
    except BadInput as error:
        raise argparse.ArgumentTypeError(plain(error.message)) from error


def _name(text: str) -> tuple[str, str]:
    try:
        return checked_name(text)
    except BadInput as error:
        raise argparse.ArgumentTypeError(plain(error.message)) from error


def _size(text: str) -> int:
    try:
        return size(text)
    except BadSetting as error:
        raise argparse.ArgumentTypeError(plain(error.message)) from error


def _competition(given: argparse.Namespace, console: Console) -> int:
    root: Path = given.data_root or default_data_root()
    columns = (TextColumn("{task.description}"), BarColumn())
    with (
        signed_in() as account,
        Progress(
            *columns,
            DownloadColumn(),
            TransferSpeedColumn(),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        ) as progress,
    ):
        task = progress.add_task(given.slug, total=None)
        fetched = fetch_competition(
            account,
            given.slug,
            root,
            most_bytes=given.max_size,
            metric=given.metric,
            replace=given.force,
            on_bytes=lambda done, total: progress.update(task, completed=done, total=total),
        )
    console.print(f"Fetched {fetched.files:,} files into {fetched.public}")
    if fetched.described:
        if fetched.metric is not None:
            console.print(f"Metric: {fetched.metric.value}")
    else:
        named = one_line(fetched.kaggle_metric) or "not told"
        console.print(
            f"Kaggle's metric ({named}) or the sample submission could not be matched: write "
            f"{root / given.slug / 'competition.yaml'}, or fetch again with --metric and --force."
        )
    console.print(
        "Kaggle keeps the answers: take the score from the output (--score-from) or from a late "
        f"submission (jupyter modernize kaggle submit CSV --competition {given.slug})."
    )
    return ExitCode.REPRODUCIBLE


def _notebook(given: argparse.Namespace, console: Console) -> int:
    owner, slug = given.name
    with signed_in() as account:
        into = given.into or Path(slug)
        fetched = fetch_notebook(account, owner, slug, into, replace=given.force)
    console.print(f"Fetched {fetched.notebook} and {fetched.metadata.name}")
    for competition in fetched.competitions:
        console.print(f"Its data: jupyter modernize kaggle competition {one_line(competition)}")
    return ExitCode.REPRODUCIBLE


def _submit(given: argparse.Namespace, console: Console) -> int:
    csv: Path = given.csv
    competition = given.competition
    settings = checked_settings(take_settings(given))
    if not is_file(csv):
        raise BadInput(coded("cli.no-submission", path=str(csv)))
    if not given.yes and not (sys.stdin.isatty() and console.is_terminal):
        raise BadInput(coded("cli.sends-to-kaggle", path=csv.name))
    with signed_in() as account:
        title = check_takes_csv(account, competition)
        if not given.yes and not _allowed(console, csv, title):
            print("Nothing was submitted.", file=sys.stderr)
            return ExitCode.BAD_USAGE
        ref = submit(account, csv, competition, given.message)
        said = Console(stderr=True, highlight=False, markup=False)
        try:
            scores = _waited(said, given.wait, account, ref)
        except KeyboardInterrupt:
            said.print(f"The submission {ref} is at Kaggle and will be scored there.")
            raise
    return _show(given, settings, scores, console)


def _allowed(console: Console, csv: Path, title: str) -> bool:
    question = (
        f"Send {one_line(str(csv))} ({csv.stat().st_size:,} bytes) to Kaggle as a submission to "
        f"{one_line(title)}? It counts among the submissions of the day. [y/N] "
    )
    return console.input(question, markup=False).strip().lower() in ("y", "yes")


def _waited(said: Console, seconds: float, account: Account, ref: int) -> Scores:
    if not said.is_terminal:
        last = [-float(_SECONDS_BETWEEN_LINES)]

        def line(waited: float) -> None:
            if waited - last[0] >= _SECONDS_BETWEEN_LINES:
                last[0] = waited
                said.print(f"Submission {ref}: waiting for the score ({duration(waited)})")

        return wait_for_scores(account, ref, time_limit=seconds, on_wait=line)
    with said.status(f"Submission {ref}: waiting for the score") as status:
        return wait_for_scores(
            account,
            ref,
            time_limit=seconds,
            on_wait=lambda waited: status.update(
                f"Submission {ref}: waiting for the score ({duration(waited)}, "
                "Ctrl+C stops waiting)"
            ),
        )


def _show(
    given: argparse.Namespace, settings: SessionSettings, scores: Scores, console: Console
) -> int:
    score = scores.public if given.board == "public" else scores.private
    grade = with_deviation(
        Grade(
            output_status=OutputStatus.WITH_CSV,
            score=score,
            score_kind=ScoreKind.GRADED,
            target=settings.target_score,
            threshold=settings.threshold,
        )
    )
    if given.json:
        boards = {"public": scores.public, "private": scores.private}
        told = {"submission": scores.ref, **boards, "deviation": grade.deviation}
        print(json.dumps({**told, "within_threshold": grade.within_threshold}))
    else:
        for name, value in (("Public", scores.public), ("Private", scores.private)):
            shown = "not told by Kaggle" if value is None else f"{value:.10g}"
            console.print(f"{name} score: {shown}", style="bold")
        if grade.deviation is not None:
            off = f"{grade.deviation:.2%} of the target"
            if grade.deviation_is_absolute:
                off = f"{grade.deviation:.4g} (absolute)"
            verdict = "inside" if grade.within_threshold else "outside"
            console.print(f"Deviation {off}: {verdict} the band of {grade.threshold:.0%}")
    if settings.target_score is None:
        return ExitCode.REPRODUCIBLE
    return ExitCode.REPRODUCIBLE if grade.within_threshold else ExitCode.NOT_REPRODUCIBLE
