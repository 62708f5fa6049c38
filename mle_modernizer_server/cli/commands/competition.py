"""`jupyter modernize competition`: make one of one's own, and list those there are."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import Field
from rich.console import Console

from mle_modernizer_server.cli.arguments import Options, parse_one_of
from mle_modernizer_server.cli.exit_codes import ExitCode
from mle_modernizer_server.cli.flags import Argument
from mle_modernizer_server.cli.option_types import split_choice
from mle_modernizer_server.cli.options import AsJson, DataRoot
from mle_modernizer_server.cli.terminal.safe_text import one_line
from mle_modernizer_server.domain.competition import Metric, Split, SplitKind
from mle_modernizer_server.domain.errors import BadInput
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.domain.settings import Flag
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


def _metric(text: str) -> Metric:
    try:
        return Metric(text)
    except ValueError as error:
        known = ", ".join(metric.value for metric in Metric)
        message = f"{text!r} is no metric; there are {known}"
        raise ValueError(message) from error


class InitOptions(Options):
    """Options of `init`."""

    DESCRIPTION = "make a competition from labelled data"
    EPILOG = _EPILOG

    folder: Annotated[Path, Argument("directory with the data", "DIR")]
    train: Annotated[Path | None, Flag("file with the labelled data", "CSV")] = None
    id_column: Annotated[str | None, Flag("column with the ids", "COLUMN", flag="id")] = None
    targets: Annotated[
        tuple[str, ...],
        Flag("column to predict; repeatable", "COLUMN", flag="target", repeatable=True),
    ] = ()
    metric: Annotated[
        Metric | None, Flag("metric, such as roc_auc or rmse", "NAME", parse=_metric)
    ] = None
    split: Annotated[
        tuple[SplitKind, str | None] | None,
        Flag(
            "how the answers are held out (default: stratified for classes, else random)",
            "random|stratified|group:COLUMN|time:COLUMN",
            parse=split_choice,
        ),
    ] = None
    share: Annotated[float, Flag("default: {default}", "S")] = Field(default=0.2, gt=0, lt=1)
    seed: Annotated[int, Flag("default: {default}", parse=int)] = 0
    name: Annotated[str | None, Flag("default: the directory's name", "TEXT")] = None
    yes: Annotated[bool, Flag("accept all suggestions without asking")] = False
    force: Annotated[bool, Flag("overwrite existing files")] = False


class ListOptions(Options):
    """Options of `list`."""

    DESCRIPTION = "list the competitions below the data root"

    data_root: DataRoot = None
    as_json: AsJson = False


def run(argv: Sequence[str]) -> int:
    """Make or list competitions according to the arguments; return the exit code.

    Raises:
        ModernizerError: The data does not allow it.
        SystemExit: Wrong usage.
    """
    description = "Make a competition from labelled data, or list the competitions."
    kinds: Mapping[str, type[Options]] = {"init": InitOptions, "list": ListOptions}
    given = parse_one_of(kinds, "competition", argv, description, _EPILOG)
    console = Console(soft_wrap=True, highlight=False)
    if isinstance(given, InitOptions):
        return _init(given, console)
    assert isinstance(given, ListOptions)
    return _list(given, console)


def _init(given: InitOptions, console: Console) -> int:
    folder = given.folder
    found = look_at(folder, train=given.train, targets=given.targets, id_column=given.id_column)
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
        kind, column = _ask(console, question, shown, split_choice)
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
        except ValueError as error:
            console.print(one_line(str(error), 1_000), markup=False)


def _list(given: ListOptions, console: Console) -> int:
    root = given.data_root or default_data_root()
    there = Competitions(root)
    competitions, problems = there.list()
    problems += there.without_root()
    if given.as_json:
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
