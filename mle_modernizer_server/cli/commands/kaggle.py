"""`jupyter modernize kaggle`: data, notebooks and scores from Kaggle, with the user's token."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, ClassVar, Literal

from pydantic import Field
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn

from mle_modernizer_server.cli.arguments import Groups, Options, parse_one_of
from mle_modernizer_server.cli.exit_codes import ExitCode
from mle_modernizer_server.cli.flags import Argument
from mle_modernizer_server.cli.terminal.safe_text import one_line
from mle_modernizer_server.domain.competition import Metric
from mle_modernizer_server.domain.errors import BadInput
from mle_modernizer_server.domain.grade import Grade, OutputStatus, ScoreKind
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.domain.settings import Flag, SessionSettings, checked_settings
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


class CompetitionOptions(Options):
    """Options of `competition`."""

    DESCRIPTION = "download a competition's data and description"

    slug: Annotated[str, Argument("last part of its address", "SLUG", parse=checked_slug)]
    data_root: Annotated[
        Path | None,
        Flag("where to put it (default: $MLE_MODERNIZER_DATA_ROOT, else MLE-bench's cache)", "DIR"),
    ] = None
    metric: Annotated[
        Metric | None, Flag("its metric, if Kaggle's name for it is not recognised", "NAME")
    ] = None
    max_size: Annotated[
        int, Flag("limit on the archive and its contents (default: 20 GB)", "SIZE", parse=size)
    ] = 20 * 10**9
    force: Annotated[bool, Flag("replace existing data")] = False


class DownloadOptions(Options):
    """Options of `notebook`."""

    DESCRIPTION = "download a notebook with its metadata file"

    name: Annotated[
        tuple[str, str],
        Argument("last part of its address", "OWNER/SLUG", parse=checked_name),
    ]
    into: Annotated[Path | None, Flag("default: ./SLUG", "DIR")] = None
    force: Annotated[bool, Flag("overwrite existing files")] = False


class SubmitOptions(Options):
    """Options of `submit`."""

    DESCRIPTION = "have a CSV scored by a late submission"
    EPILOG = _EPILOG
    GROUPS: ClassVar[Groups] = {"": ("target_score", "threshold", "board", "as_json")}

    csv: Annotated[Path, Argument("the submission", "CSV")]
    competition: Annotated[str, Flag("", "SLUG", parse=checked_slug)]
    message: Annotated[str, Flag("note shown at Kaggle", "TEXT")] = _MESSAGE
    yes: Annotated[bool, Flag("submit without asking")] = False
    wait: Annotated[
        float, Flag("how long to wait for the score (default: {default})", "SECONDS")
    ] = Field(default=1800.0, gt=0)
    board: Annotated[
        Literal["public", "private"],
        Flag("leaderboard score to compare with the target (default: {default})"),
    ] = "public"
    as_json: Annotated[bool, Flag("print the scores as JSON", flag="json")] = False


def run(argv: Sequence[str]) -> int:
    """Run the command for Kaggle; return its exit code.

    Raises:
        ModernizerError: There is no token or no network, or Kaggle refuses.
        SystemExit: Wrong usage.
    """
    kinds: Mapping[str, type[Options]] = {
        "competition": CompetitionOptions,
        "notebook": DownloadOptions,
        "submit": SubmitOptions,
    }
    description = "Download data and notebooks from Kaggle, and have Kaggle score a submission."
    given = parse_one_of(kinds, "kaggle", argv, description, _EPILOG)
    console = Console(soft_wrap=True, highlight=False, markup=False)
    if isinstance(given, CompetitionOptions):
        return _competition(given, console)
    if isinstance(given, DownloadOptions):
        return _notebook(given, console)
    assert isinstance(given, SubmitOptions)
    return _submit(given, console)


def _competition(given: CompetitionOptions, console: Console) -> int:
    root = given.data_root or default_data_root()
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


def _notebook(given: DownloadOptions, console: Console) -> int:
    owner, slug = given.name
    with signed_in() as account:
        into = given.into or Path(slug)
        fetched = fetch_notebook(account, owner, slug, into, replace=given.force)
    console.print(f"Fetched {fetched.notebook} and {fetched.metadata.name}")
    for competition in fetched.competitions:
        console.print(f"Its data: jupyter modernize kaggle competition {one_line(competition)}")
    return ExitCode.REPRODUCIBLE


def _submit(given: SubmitOptions, console: Console) -> int:
    csv = given.csv
    competition = given.competition
    settings = checked_settings(given.settings)
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


def _show(given: SubmitOptions, settings: SessionSettings, scores: Scores, console: Console) -> int:
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
    if given.as_json:
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
