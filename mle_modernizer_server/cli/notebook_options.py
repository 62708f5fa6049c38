"""Options of the commands that run one notebook: one value per command."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, ClassVar

from pydantic import Field

from mle_modernizer_server.cli.arguments import PROGRAM, Groups, parse_options
from mle_modernizer_server.cli.exit_codes import EXIT_CODES_HELP
from mle_modernizer_server.cli.flags import Argument
from mle_modernizer_server.cli.option_types import block_role, split_choice
from mle_modernizer_server.cli.options import ModelOptions, RunningOptions
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
from mle_modernizer_server.domain.settings import Flag, OptionGroup, flag_of
from mle_modernizer_server.domain.verification import MOST_RUNS, VerificationKind

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


def _of_course(name: str, what: str) -> Flag:
    """Return the flag of a field of a course."""
    return Flag(f"with --refine: {what} (default: {Course.model_fields[name].default})")


Runs = Annotated[int, Flag(f"maximum number of runs, 2 to {MOST_RUNS} (default: {MOST_RUNS})")]
_RUNS = Field(default=MOST_RUNS, ge=2, le=MOST_RUNS)


class NotebookOptions(RunningOptions):
    """Options of every command that runs one notebook.

    Attributes:
        force: Overwrite files that exist (never the notebook itself).
    """

    EPILOG = EXIT_CODES_HELP
    GROUPS: ClassVar[Groups] = {**RunningOptions.GROUPS, "result": ("report", "force")}

    notebook: Annotated[Path, Argument("the .ipynb file", "NOTEBOOK")]
    report: Annotated[
        Path | None,
        Flag(
            "write every run, score, error, fix and cost to this file: HTML for .html, "
            "Markdown for .md, else JSON",
            "FILE",
        ),
    ] = None
    force: Annotated[bool, Flag("overwrite these files if they exist, never the notebook")] = False

    @property
    def outputs(self) -> tuple[Path | None, ...]:
        """Return the files to write."""
        return (self.report,)


class ModernizeOptions(NotebookOptions, ModelOptions):
    """Options of `jupyter modernize NOTEBOOK`.

    Attributes:
        finish: Put the run's outputs into the written notebook.
        learn: Folder for the rules that a model's fixes teach.
        try_own_time: Test the claim of a rule in the notebook's original libraries first.
        prove: Finally put the result to the proof.
    """

    USAGE = f"{PROGRAM} NOTEBOOK [options]\n       {PROGRAM} COMMAND … [options]"
    DESCRIPTION = _COMMANDS_HELP
    EPILOG = f"{_ENVIRONMENT_HELP}\n{EXIT_CODES_HELP}"
    GROUPS: ClassVar[Groups] = {
        **RunningOptions.GROUPS,
        "fixing": ("auto", "step", OptionGroup.FIXING, "yes", "llm_base_url", "llm_model"),
        "limits": (OptionGroup.LIMITS,),
        "result": (
            *("output", "finish", "report", "force", "learn", "try_own_time"),
            *("verify", "prove", "runs"),
        ),
    }
    EXCLUSIVE = ("auto", "step")

    auto: Annotated[
        bool, Flag("fix a scratch copy without asking and show the whole difference at the end")
    ] = False
    step: Annotated[bool, Flag("ask about every fix (the default; needs a terminal)")] = False
    yes: Annotated[bool, Flag("with --auto: do not ask about the cost estimate")] = False
    output: Annotated[
        Path | None, Flag("write the modernized notebook to this file", "NB", also="out")
    ] = None
    finish: Annotated[
        bool,
        Flag(
            "also store the outputs of the run in --output, with a record of their origin in its "
            "metadata"
        ),
    ] = False
    learn: Annotated[
        Path | None,
        Flag("write rules learned from a model's fixes to this folder, for --rules-path", "DIR"),
    ] = None
    try_own_time: Annotated[
        bool,
        Flag(
            "with --learn: first run the original notebook with its original libraries; code that "
            "fails there too teaches no rule"
        ),
    ] = False
    verify: Annotated[
        VerificationKind | None,
        Flag(
            "finally repeat the run: once, or up to --runs times with a test of the scores against "
            "the target"
        ),
    ] = None
    prove: Annotated[
        bool,
        Flag(
            "finally show with shuffled data that the score comes from training (three more runs); "
            "with --auto this is always done if a model or you changed the notebook"
        ),
    ] = False
    runs: Runs = _RUNS

    @property
    def outputs(self) -> tuple[Path | None, ...]:
        """Return the files to write."""
        return (self.output, self.report)


class RunOptions(NotebookOptions, ModelOptions):
    """Options of `jupyter modernize run`: run, grade and diagnose once."""

    DESCRIPTION = "Run a notebook, grade its submission and show what is wrong; change nothing."
    GROUPS: ClassVar[Groups] = {
        **NotebookOptions.GROUPS,
        "what a model would be sent": ("show_prompt", "scope", "llm_base_url", "llm_model"),
    }

    show_prompt: Annotated[
        Path | None,
        Flag(
            "write what a model would be sent for a fix of this run to this file. Nothing is sent, "
            "and no model has to be configured",
            "TXT",
        ),
    ] = None

    @property
    def outputs(self) -> tuple[Path | None, ...]:
        """Return the files to write."""
        return (self.report, self.show_prompt)


class VerifyOptions(NotebookOptions):
    """Options of `jupyter modernize verify`: run again and again."""

    DESCRIPTION = (
        "Run a notebook repeatedly, each time in a fresh kernel, and test whether its "
        "scores are consistent with the target. Stops early if the answer is certain. "
        "Nothing is changed."
    )
    GROUPS: ClassVar[Groups] = {**NotebookOptions.GROUPS, "verification": ("runs",)}

    runs: Runs = _RUNS


class ProveOptions(NotebookOptions):
    """Options of `jupyter modernize prove`: run on shuffled data."""

    DESCRIPTION = (
        "Run a notebook unchanged, on shuffled labels and on shuffled test rows, to "
        "show whether its result comes from training. If a run takes longer than two minutes, "
        "a sample of the training data is used. Nothing is changed."
    )
    EPILOG = _PROOF_CODES_HELP


class ImproveOptions(NotebookOptions, ModelOptions):
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
    EPILOG = _IMPROVE_CODES_HELP
    GROUPS: ClassVar[Groups] = {
        **RunningOptions.GROUPS,
        "comparison": (
            *("candidates", "budget", "folds", "partitions", "fold_split", "fold_seed"),
            *("ablate", "refine", "rounds", "steps", "models", "ensembles", "most_runs"),
            *("llm_base_url", "llm_model", "blocks", "roles"),
        ),
        "result": ("output", "report", "force"),
    }

    candidates: Annotated[
        tuple[Path, ...],
        Flag(
            "compare these versions of the notebook instead of known changes; repeatable",
            "OTHER.ipynb",
            flag="with",
            several=True,
        ),
    ] = ()
    budget: Annotated[
        float | None,
        Flag("time for all runs together; candidates that do not fit are left out", "MINUTES"),
    ] = Field(default=None, gt=0)
    folds: Annotated[
        int,
        Flag(
            "1 to 20 (default: {default}); the notebook runs once on each. 1 is a single hold-out "
            "set: weak evidence, by which nothing is called better",
            "K",
        ),
    ] = Field(default=DEFAULT_FOLDS, ge=FEWEST_FOLDS, le=MOST_FOLDS)
    partitions: Annotated[
        int,
        Flag(
            f"1 to {MOST_PARTITIONS} (default: {{default}}); what looks better on the folds but "
            "cannot be told apart is run on those of other partitions of the rows, too"
        ),
    ] = Field(default=DEFAULT_PARTITIONS, ge=1, le=MOST_PARTITIONS)
    fold_split: Annotated[
        tuple[SplitKind, str | None] | None,
        Flag(
            "how rows are assigned to folds (default: as the competition itself seems to be split)",
            "random|stratified|group:COLUMN|time:COLUMN",
            flag="fold-by",
            parse=split_choice,
        ),
    ] = None
    fold_seed: Annotated[int, Flag("the same seed gives the same folds", "N")] = Field(
        default=0, ge=0, le=2**31 - 1
    )
    ablate: Annotated[
        bool,
        Flag(
            "first run the notebook without one of its parts at a time, to find the most valuable "
            "part, where changes are tried first, and parts that are better left out"
        ),
    ] = False
    refine: Annotated[
        bool,
        Flag(
            "measure what each part is worth, then improve the most valuable parts step by step "
            "from the best version so far: by known changes and the catalogue, or by the model if "
            "one is configured"
        ),
    ] = False
    rounds: Annotated[
        int | None, _of_course("rounds", "number of rounds, each on another part")
    ] = None
    steps: Annotated[int | None, _of_course("steps", "steps in a round")] = None
    models: Annotated[
        int | None,
        _of_course("models", "models of the catalogue that the language model inserts"),
    ] = None
    ensembles: Annotated[
        int | None, _of_course("ensembles", "ensembles that the language model makes")
    ] = None
    most_runs: Annotated[
        int | None,
        _of_course("most_runs", "maximum number of notebook runs of the whole search"),
    ] = None
    blocks: Annotated[
        bool, Flag("show the parts of the notebook and what each does; nothing runs")
    ] = False
    roles: Annotated[
        tuple[tuple[int, BlockRole], ...],
        Flag(
            "what a block does, by its number in --blocks, e.g. 4=features; repeatable",
            "NUMBER=ROLE",
            flag="role",
            parse=block_role,
            several=True,
        ),
    ] = ()
    output: Annotated[
        Path | None,
        Flag(
            "write the best version of the notebook to this file, if one is better",
            "FILE",
            also="out",
        ),
    ] = None

    def check(self, parser: argparse.ArgumentParser) -> None:
        """Check flags together."""
        super().check(parser)
        if self.candidates and self.output is not None:
            parser.error("--out writes a version that was found; with --with the files are there")
        if self.candidates and (self.ablate or self.refine):
            parser.error("--ablate and --refine are for a search of known changes, not for --with")
        chosen = self._chosen_of_course()
        if chosen and not self.refine:
            parser.error(f"{flag_of(next(iter(chosen)))} needs --refine")
        try:
            Course.model_validate(chosen)
        except ValueError:
            parser.error("--most-runs is from 1 to 1000, the others of --refine are from 0 to 20")

    @property
    def course(self) -> Course | None:
        """Return the course of a refinement; None if none is requested."""
        return Course.model_validate(self._chosen_of_course()) if self.refine else None

    def _chosen_of_course(self) -> dict[str, int]:
        given = {name: getattr(self, name) for name in Course.model_fields if hasattr(self, name)}
        return {name: value for name, value in given.items() if value is not None}

    @property
    def outputs(self) -> tuple[Path | None, ...]:
        """Return the files to write."""
        return (self.output, self.report)


class TargetOptions(NotebookOptions):
    """Options of `jupyter modernize target`: run in the original libraries."""

    DESCRIPTION = (
        "Find the target score of a notebook: run it unchanged in the libraries of its "
        "own time and grade it. The lock file is kept with the environment "
        "(`environments`). Without a competition, its outputs are compared with those "
        "saved in its file."
    )
    EPILOG = _TARGET_CODES_HELP


class DiffOptions(NotebookOptions):
    """Options of `jupyter modernize diff`: compare today with the original libraries.

    Attributes:
        modernized: The file to run today in place of the notebook.
    """

    DESCRIPTION = (
        "Run a notebook with its original libraries and with today's, and show "
        "the first cell that gives a different result today, with the values then and now."
    )
    EPILOG = _DIFF_CODES_HELP

    modernized: Annotated[
        Path | None,
        Flag(
            "the modernized notebook, which runs today (default: the notebook itself)",
            "MODERNIZED",
            flag="with",
        ),
    ] = None


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
    EPILOG = _BACKPORT_CODES_HELP
    GROUPS: ClassVar[Groups] = {
        **RunningOptions.GROUPS,
        "result": ("lock", "remove", "report", "force"),
    }

    lock: Annotated[
        Path | None,
        Flag("write the lock file here (default: pylock.NAME.toml beside the notebook)", "TOML"),
    ] = None
    remove: Annotated[
        bool,
        Flag(
            "remove the notebook's kernel from the menu; nothing runs. Its environment stays until "
            "`environments --remove`"
        ),
    ] = False


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
    if argv and argv[0] in COMMANDS:
        return parse_options(COMMANDS[argv[0]], argv[0], argv[1:])
    return parse_options(ModernizeOptions, "", argv)
