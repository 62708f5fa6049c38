"""`jupyter modernize competition`: make one of one's own, and list those there are."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from rich.console import Console

from mle_modernizer_server.cli.arguments import Arguments
from mle_modernizer_server.cli.exit_codes import ExitCode
from mle_modernizer_server.cli.options import PROGRAM
from mle_modernizer_server.cli.terminal.safe_text import one_line
from mle_modernizer_server.domain.competition import Metric, Split, SplitKind
from mle_modernizer_server.domain.errors import BadInput
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.grading.competitions import Competitions, default_data_root
from mle_modernizer_server.grading.metric_facts import FACTS
from mle_modernizer_server.grading.new_competition import (
    Plan,
    look_at,
    make_competition,
    usual_split,
)
from mle_modernizer_server.words import one_text

_Answer = TypeVar("_Answer")
_EPILOG = """\
`init` splits the labelled data in DIR into public training and test data and private
answers, and writes competition.yaml and a description beside them. On a terminal it asks for
what no option gives, and Enter accepts the suggestion; elsewhere suggestions are used.
Put DIR below the data root: its name is the competition's slug.
"""


def competition(argv: Sequence[str]) -> int:
    """Make or list competitions according to the arguments; return the exit code.

    Raises:
        ModernizerError: The data does not allow it.
        SystemExit: Wrong usage.
    """
    given = _parser().parse_args(argv)
    console = Console(soft_wrap=True, highlight=False)
    return _list(given, console) if given.command == "list" else _init(given, console)


def _parser() -> argparse.ArgumentParser:
    parser = Arguments(
        prog=f"{PROGRAM} competition",
        description="Make a competition from labelled data, or list the competitions.",
        epilog=_EPILOG,
        allow_abbrev=False,
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="init|list")
    init = commands.add_parser("init", help="make a competition from labelled data", epilog=_EPILOG)
    init.add_argument("folder", type=Path, metavar="DIR", help="directory with the data")
    init.add_argument("--train", type=Path, metavar="CSV", help="file with the labelled data")
    init.add_argument("--id", dest="id_column", metavar="COLUMN", help="column with the ids")
    init.add_argument(
        "--target",
        dest="targets",
        action="append",
        metavar="COLUMN",
        help="column to predict; repeatable",
    )
    init.add_argument(
        "--metric", type=_metric, metavar="NAME", help="metric, such as roc_auc or rmse"
    )
    init.add_argument(
        "--split",
        type=_split,
        metavar="random|stratified|group:COLUMN|time:COLUMN",
        help="how the answers are held out (default: stratified for classes, else random)",
    )
    init.add_argument("--share", type=_share, default=0.2, metavar="S", help="default: 0.2")
    init.add_argument("--seed", type=int, default=0, metavar="N", help="default: 0")
    init.add_argument("--name", metavar="TEXT", help="default: the directory's name")
    init.add_argument("--yes", action="store_true", help="accept all suggestions without asking")
    init.add_argument("--force", action="store_true", help="overwrite existing files")
    listing = commands.add_parser("list", help="list the competitions below the data root")
    listing.add_argument("--data-root", type=Path, metavar="DIR")
    listing.add_argument("--json", action="store_true")
    return parser


def _metric(text: str) -> Metric:
    try:
        return Metric(text)
    except ValueError as error:
        known = ", ".join(metric.value for metric in Metric)
        message = f"{text!r} is no metric; there are {known}"
        raise argparse.ArgumentTypeError(message) from error


def _split(text: str) -> tuple[SplitKind, str | None]:
    kind, _, column = text.partition(":")
    try:
        split = SplitKind(kind)
    except ValueError as error:
        message = f"{text!r} is not random, stratified, group:COLUMN or time:COLUMN"
        raise argparse.ArgumentTypeError(message) from error
    needs_column = split in (SplitKind.GROUP, SplitKind.TIME)
    if needs_column != bool(column):
        what = "needs a column, as in group:patient" if needs_column else "takes no column"
        raise argparse.ArgumentTypeError(f"{kind} {what}")
    return split, column or None


def _share(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number between 0 and 1")
    return value


def _init(given: argparse.Namespace, console: Console) -> int:
    folder: Path = given.folder
    found = look_at(
        folder, train=given.train, targets=tuple(given.targets or ()), id_column=given.id_column
    )
    may_ask = not given.yes and sys.stdin.isatty() and console.is_terminal
    console.print(f"Labelled data: {one_line(found.train.name)}, {found.task.value}", markup=False)
    if may_ask and not given.targets:
        text = _ask(console, "Target column(s), with commas", ", ".join(found.target_columns), str)
        found = look_at(
            folder,
            train=found.train,
            targets=tuple(name.strip() for name in text.split(",")),
            id_column=given.id_column,
        )
    if not found.metrics and given.metric is None:
        raise BadInput(coded("cli.no-metric-fits"))
    metric = given.metric or found.metrics[0]
    if may_ask and given.metric is None:
        offered = ", ".join(metric.value for metric in found.metrics)
        metric = _ask(console, f"Metric ({offered}, or another)", metric.value, _metric)
    kind, column = given.split or (usual_split(found, metric), None)
    if may_ask and given.split is None:
        shown = kind.value if column is None else f"{kind.value}:{column}"
        question = "Split (random, stratified, group:COLUMN, time:COLUMN)"
        kind, column = _ask(console, question, shown, _split)
    plan = Plan(
        id_column=found.id_column,
        target_columns=found.target_columns,
        metric=metric,
        split=Split(kind, given.share, given.seed, column),
        name=given.name or folder.resolve().name,
    )
    files = make_competition(folder, found, plan, force=given.force)
    key = plan.id_column or "row_id, which is added"
    console.print(f"Id column: {one_line(key)}", markup=False)
    console.print(f"Target: {one_line(', '.join(plan.target_columns))}", markup=False)
    console.print(f"Metric: {plan.metric.value}; split: {kind.value}, seed {given.seed}")
    for file in files:
        console.print(f"wrote {one_line(str(file), 1_000)}", markup=False)
    console.print(
        "Other files were left where they are: put what a notebook needs into prepared/public. "
        "Edit prepared/public/description.md to say what the data is."
    )
    return ExitCode.REPRODUCIBLE


def _ask(console: Console, question: str, default: str, read: Callable[[str], _Answer]) -> _Answer:
    """Ask on the terminal until the answer can be used; Enter takes the default."""
    while True:
        text = console.input(f"{question} [{default}]: ", markup=False).strip()
        try:
            return read(text or default)
        except argparse.ArgumentTypeError as error:
            console.print(one_line(str(error), 1_000), markup=False)


def _list(given: argparse.Namespace, console: Console) -> int:
    root = given.data_root or default_data_root()
    there = Competitions(root)
    competitions, problems = there.list()
    problems += there.without_root()
    if given.json:
        rows = [
            {"id": each.id, "metric": each.metric.value, "name": each.name} for each in competitions
        ]
        print(
            json.dumps(
                {
                    "data_root": str(root),
                    "competitions": rows,
                    "problems": [one_text(problem) for problem in problems],
                }
            )
        )
        return ExitCode.REPRODUCIBLE
    for each in competitions:
        better = "higher" if each.higher_is_better else "lower"
        console.print(f"{each.id}: {FACTS[each.metric].title} ({better} is better)", markup=False)
    for problem in problems:
        print(f"Note: {one_line(problem, 1_000)}", file=sys.stderr)
    return ExitCode.REPRODUCIBLE
