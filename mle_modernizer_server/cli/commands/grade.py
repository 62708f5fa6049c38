"""`jupyter modernize grade`: one submission, without a notebook."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, ClassVar, Literal

from rich.console import Console

from mle_modernizer_server.cli.arguments import Groups, Options, parse_options
from mle_modernizer_server.cli.exit_codes import ExitCode
from mle_modernizer_server.cli.flags import Argument
from mle_modernizer_server.cli.options import DataRoot
from mle_modernizer_server.cli.terminal.safe_text import one_line
from mle_modernizer_server.domain.errors import BadInput, UnknownCompetition
from mle_modernizer_server.domain.grade import (
    DistanceMeasure,
    FloorKind,
    Grade,
    OutputStatus,
    ScoreKind,
)
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.domain.settings import Flag, SessionSettings, checked_settings
from mle_modernizer_server.grading.competitions import Competitions, default_data_root
from mle_modernizer_server.grading.distance import with_deviation
from mle_modernizer_server.grading.grader import grade_csv
from mle_modernizer_server.grading.metric_facts import FACTS
from mle_modernizer_server.grading.mlebench_adapter import grade_with_mlebench
from mle_modernizer_server.untrusted.files import is_file
from mle_modernizer_server.words import text

_EPILOG = """\
exit codes:
  0  the submission is valid (and inside the band, if a target score was given)
  1  it is invalid, or outside the band
  2  bad usage or input: no such file or competition
"""


class GradeOptions(Options):
    """Options of the command."""

    DESCRIPTION = "Grade a submission against a competition's private answers."
    EPILOG = _EPILOG
    GROUPS: ClassVar[Groups] = {
        "": (
            *("competition", "data_root", "target_score", "threshold", "distance", "target_kind"),
            *("grader", "mlebench_python", "as_json"),
        )
    }
    HELP: ClassVar[Mapping[str, str]] = {
        "competition": "default: the only one below the data root",
        "target_kind": "kind of the target score; only scores of the same kind are compared "
        "(default: the kind of the score)",
    }

    csv: Annotated[Path | None, Argument("the submission, possibly compressed", "CSV")] = None
    score: Annotated[
        float | None,
        Flag("compare this score with the target instead of grading a CSV", "S"),
    ] = None
    data_root: DataRoot = None
    grader: Annotated[
        Literal["own", "mlebench"],
        Flag(
            "`mlebench` uses the graders of the package mlebench, if you have it and its prepared "
            "data"
        ),
    ] = "own"
    mlebench_python: Annotated[
        str | None,
        Flag("the Python that has the package mlebench (default: found automatically)", "PYTHON"),
    ] = None
    as_json: Annotated[bool, Flag("print the whole grade as JSON", flag="json")] = False

    def check(self, parser: argparse.ArgumentParser) -> None:
        """Require a CSV or a score."""
        if (self.csv is None) == (self.score is None):
            parser.error("name a CSV, or a score with --score")


def run(argv: Sequence[str]) -> int:
    """Grade a CSV according to the arguments; return the exit code.

    Raises:
        ModernizerError: There is no such file, competition or grader.
        SystemExit: Wrong usage.
    """
    given = parse_options(GradeOptions, "grade", argv)
    kind = ScoreKind.GRADED if given.score is None else ScoreKind.TYPED
    settings = checked_settings({"target_kind": kind, **given.settings})
    console = Console(soft_wrap=True, highlight=False)
    if given.csv is None:
        return _typed(given, settings, console)
    if not is_file(given.csv):
        raise BadInput(coded("cli.no-submission", path=given.csv))
    root = given.data_root or default_data_root()
    if given.grader == "mlebench":
        return _by_mlebench(given, given.csv, settings.competition, root, console)
    competitions = Competitions(root)
    slug = settings.competition or _only(competitions)
    competition = competitions.get(slug)
    result = grade_csv(given.csv, competition, root)
    result = with_deviation(
        result.model_copy(
            update={
                "target": settings.target_score,
                "target_kind": settings.target_kind,
                "threshold": settings.threshold,
                "measure": settings.distance,
            }
        )
    )
    if given.as_json:
        print(result.model_dump_json(indent=2))
    else:
        _show(console, slug, result)
    if result.score is None:
        answers_fault = result.output_status is OutputStatus.WITH_CSV
        return ExitCode.BAD_USAGE if answers_fault else ExitCode.NOT_REPRODUCIBLE
    inside = settings.target_score is None or result.within_threshold
    return ExitCode.REPRODUCIBLE if inside else ExitCode.NOT_REPRODUCIBLE


def _only(competitions: Competitions) -> str:
    found = competitions.list()[0]
    if len(found) == 1:
        return found[0].id
    names = ", ".join(competition.id for competition in found[:10]) or "none"
    raise UnknownCompetition(
        coded("cli.name-competition", root=str(competitions.root), names=names)
    )


def _show(console: Console, slug: str, result: Grade) -> None:
    if result.score is None or result.metric is None:
        console.print(one_line(result.reason, 2_000), markup=False, style="bold red")
        return
    facts = FACTS[result.metric]
    better = "higher" if facts.higher_is_better else "lower"
    console.print(
        f"{slug}: {facts.title} {result.score:.10g} ({better} is better)",
        markup=False,
        style="bold",
    )
    for candidate in result.candidates:
        if candidate.note:
            console.print(one_line(candidate.note, 1_000), markup=False)
    if result.floor is not None:
        what = "the sample submission"
        if result.floor_kind is FloorKind.CONSTANT:
            what = "a constant prediction"
        both = result.floor_kind is FloorKind.CONSTANT and result.baseline is not None
        sample = f"; the sample submission {result.baseline:.6g}" if both else ""
        console.print(f"Floor: {what} scores {result.floor:.6g}{sample}")
    if result.reason:
        console.print(one_line(result.reason, 2_000), markup=False)
    _show_distance(console, result)
    for trap in result.traps:
        corrected = "" if trap.corrected is None else f" Without that: {trap.corrected:.10g}"
        console.print(f"Trap: {one_line(trap.what, 1_000)}{corrected}", markup=False)


def _show_distance(console: Console, result: Grade) -> None:
    if result.deviation is not None:
        off = f"{result.deviation:.4g} (absolute)"
        if not result.deviation_is_absolute:
            off = f"{result.deviation:.2%} of the target"
        if result.floor_deviation is not None:
            off += f", {result.floor_deviation:.2%} of what the target is above the floor"
        verdict = "inside" if result.within_threshold else "outside"
        console.print(f"Deviation {off}: {verdict} the band of {result.threshold:.0%}")


def _typed(given: GradeOptions, settings: SessionSettings, console: Console) -> int:
    """Compare a figure that somebody typed with a target; nothing is graded."""
    if settings.target_score is None:
        raise BadInput(coded("cli.score-without-target"))
    if given.grader == "mlebench" or settings.distance is DistanceMeasure.FLOOR:
        raise BadInput(coded("cli.score-not-graded"))
    result = with_deviation(
        Grade(
            output_status=OutputStatus.WITHOUT_CSV,
            score=given.score,
            score_kind=ScoreKind.TYPED,
            target=settings.target_score,
            target_kind=settings.target_kind,
            threshold=settings.threshold,
        )
    )
    if given.as_json:
        print(result.model_dump_json(indent=2))
    else:
        console.print(f"Typed score {given.score:.10g}; it was not graded", style="bold")
        if result.reason:
            console.print(text(result.reason), markup=False)
        _show_distance(console, result)
    return ExitCode.REPRODUCIBLE if result.within_threshold else ExitCode.NOT_REPRODUCIBLE


def _by_mlebench(
    given: GradeOptions, csv: Path, competition: str | None, root: Path, console: Console
) -> int:
    if competition is None:
        raise BadInput(coded("cli.grader-competition"))
    python = given.mlebench_python
    report = grade_with_mlebench(csv, competition, root, python=python)
    if given.as_json:
        print(json.dumps({"score": report.score, "lower_is_better": report.lower_is_better}))
    elif report.score is None:
        console.print(one_line(report.words, 2_000), markup=False, style="bold red")
    else:
        better = "lower" if report.lower_is_better else "higher"
        console.print(f"{competition}: {report.score} ({better} is better; MLE-bench)")
    return ExitCode.NOT_REPRODUCIBLE if report.score is None else ExitCode.REPRODUCIBLE
