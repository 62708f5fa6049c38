"""The settings of a session: each with its default, bounds, command line option, input and help.

A setting is defined here alone. The options of the command line, the columns of a batch, the page
of settings in the documentation, and the inputs of the panel and of the Settings editor are made
from it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cache
from typing import Annotated

from pydantic import (
    Field,
    GetJsonSchemaHandler,
    StringConstraints,
    ValidationError,
    field_validator,
)
from pydantic.fields import FieldInfo
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.diagnosis import FixScope
from mle_modernizer_server.domain.era import chosen_versions
from mle_modernizer_server.domain.errors import BadSetting, first_problem
from mle_modernizer_server.domain.execution import FilesBeside
from mle_modernizer_server.domain.files import (
    LARGEST_RESOURCE,
    MOST_RESOURCES,
    WebAddress,
    checked_address,
)
from mle_modernizer_server.domain.grade import DistanceMeasure, ScoreKind, ScoreReading
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.domain.model_calls import Budget
from mle_modernizer_server.domain.proposal import FixerName
from mle_modernizer_server.domain.verification import NoiseWish, RehearsalSettings


class OptionGroup(str, Enum):
    """Heading of settings on the command line and in the documentation."""

    GRADING = "grading"
    RUNNING = "running"
    FIXING = "fixing"
    LIMITS = "limits"


@dataclass(frozen=True)
class Flag:
    """A flag of the command line.

    Attributes:
        help: Its meaning, without a full stop; `{default}` is replaced by the default.
        metavar: Placeholder of the value; empty: the choices of an enumeration, else N.
        flag: The flag without `--`; empty: the name of the field.
        also: Another name, without `--`; empty: none.
        unit: Size of the flag's unit in that of the field, for instance 60 for minutes.
        parse: Parser of the flag's text, which raises ValueError; None: derived from the type.
        bare: Text that the flag stands for if none follows it; empty: it needs one.
        repeatable: Whether each flag gives one of several values.
        several: Whether several values may follow each flag.
    """

    help: str
    metavar: str = ""
    flag: str = ""
    also: str = ""
    unit: float = 1
    parse: Callable[[str], object] | None = None
    bare: str = ""
    repeatable: bool = False
    several: bool = False


@dataclass(frozen=True)
class Option(Flag):
    """Form of a setting on the command line and in the documentation.

    Attributes:
        group: Its heading.
        note: Further sentences for the documentation, in Markdown.
    """

    group: OptionGroup = OptionGroup.RUNNING
    note: str = ""

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Return the schema of the setting with its help."""
        words = _DEFAULT.sub("", self.help)
        return {**handler(schema), "description": f"{words[0].upper()}{words[1:]}."}


class Place(str, Enum):
    """Part of the panel's settings that contains an input, in the order of the panel."""

    TARGET = "target"
    MAIN = "main"
    RUNNING = "running"
    FIXING = "fixing"
    GRADING = "grading"
    LIMITS = "limits"


@dataclass(frozen=True)
class Input:
    """Input of a setting in the panel, and in the Settings editor if it is a preference.

    A number or a text is typed, a truth value is a check box, a value with labels a drop-down list.

    Attributes:
        place: The part of the panel's settings it is in.
        label: Its label.
        help: Its meaning, in a sentence.
        unit: Text behind a number; empty: none.
        size: Size of a displayed unit in the setting's own, for instance 60 for minutes.
        labels: Labels of the values, by the value's JSON text without quotes.
        helps: The meaning of a value while it is chosen, instead of `help`.
        empty: Text of an empty field.
        preference: Name of the default for new sessions in the Settings editor; empty: none.
    """

    place: Place
    label: str
    help: str
    unit: str = ""
    size: float = 1
    labels: Mapping[str, str] = field(default_factory=dict)
    helps: Mapping[str, str] = field(default_factory=dict)
    empty: str = ""
    preference: str = ""

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Return the schema of the setting with its input."""
        # Pydantic sorts mappings by their keys.
        ordered = {"labels": list(self.labels.items()), "helps": list(self.helps.items())}
        return {**handler(schema), "input": {**vars(self), **ordered}}


_DEFAULT = re.compile(r" \(default: [^)]*\)")
"""The default in a help text; a schema gives it by itself."""


PackageName = Annotated[
    str, StringConstraints(pattern=r"^[A-Za-z0-9]([A-Za-z0-9._-]{0,98}[A-Za-z0-9])?$")
]
"""A distribution's name: no path, no address, no option."""
_MOST_PACKAGES = 20
_ROWS = RehearsalSettings.model_fields["rows"].default


class Mode(str, Enum):
    """Who decides between two runs."""

    STEP = "step"
    """The user reviews every fix."""
    AUTO = "auto"
    """Fixes are applied to a scratch copy; one review of the whole difference at the end."""


def _parse_score_pattern(text: str) -> ScoreReading:
    if text.count("{}") != 1:
        raise ValueError(f"{text!r} needs {{}} once, where the number stands")
    return ScoreReading(pattern=text)


ALL_FILES = "all"
"""In place of an address: all files that the notebook downloads, if their addresses are known."""


def _parse_address(text: str) -> str:
    try:
        return ALL_FILES if text == ALL_FILES else checked_address(text)
    except ValueError as error:
        raise ValueError(f"{text!r} is not fetched: {error}") from error


def _parse_package(text: str) -> str:
    try:
        return SessionSettings(packages=(text,)).packages[0]
    except ValueError as error:
        raise ValueError(
            f"{text!r} is no package's name, which has letters, digits, `.`, `_` and `-` alone"
        ) from error


def _parse_era(text: str) -> str:
    if text.strip():
        chosen_versions(text)
    return text


def _parse_fixers(text: str) -> tuple[FixerName, ...]:
    names = [name.strip() for name in text.split(",")]
    known = [fixer.value for fixer in FixerName]
    if not all(name in known for name in names) or len(set(names)) != len(names):
        raise ValueError(f"{text!r} is not rules, llm, or both with a comma")
    return tuple(FixerName(name) for name in names)


def _parse_rehearsal(text: str) -> RehearsalSettings:
    try:
        return RehearsalSettings(rows=int(text))
    except ValueError as error:
        raise ValueError(f"{text!r} is not a number of rows from 20 to 1000000") from error


_GRADING, _RUNNING = OptionGroup.GRADING, OptionGroup.RUNNING
_FIXING, _LIMITS = OptionGroup.FIXING, OptionGroup.LIMITS


class SessionSettings(Value):
    """The user's settings; every field defaults to the paper's value.

    A field with an `Option` has a flag of the command line, a field with an `Input` an input in the
    panel.
    """

    mode: Annotated[
        Mode,
        Input(
            Place.MAIN,
            "Mode",
            "Whether you decide about every fix, or auto mode decides.",
            labels={
                "step": "Step: review every fix",
                "auto": "Auto: fix a scratch copy, review once",
            },
            helps={
                "step": "After each run you decide on every proposed change.",
                "auto": "Fixes are tried on a copy until it is reproducible; you decide on all of "
                "them once.",
            },
            preference="mode",
        ),
    ] = Mode.STEP
    """Who decides between two runs: `--step` or `--auto`."""
    competition: Annotated[
        str | None,
        Option(
            "competition whose metric and answers apply (default: found from the paths in the "
            "notebook)",
            metavar="SLUG",
            note="Without one the notebook is only run and its errors fixed.",
            group=_GRADING,
        ),
    ] = None
    target_score: Annotated[
        float | None,
        Option(
            "the score the notebook once had",
            metavar="S",
            note="Without one, no deviation is computed.",
            group=_GRADING,
        ),
        Input(
            Place.TARGET,
            "Target score",
            "What the notebook once scored.",
            helps={
                "null": "What the notebook once scored. Without a target score errors are fixed, "
                "but it cannot be determined whether the score is reproduced."
            },
            empty="none",
        ),
    ] = None
    threshold: Annotated[
        float,
        Option(
            "deviation from the target that still counts as reproduced (default: {default}, ten "
            "percent)",
            metavar="T",
            group=_GRADING,
        ),
        Input(
            Place.MAIN,
            "Threshold",
            "How far the score may be from the target to count as reproduced.",
            unit="%",
            size=0.01,
            preference="threshold",
        ),
    ] = Field(default=0.1, gt=0, le=10)
    distance: Annotated[
        DistanceMeasure,
        Option(
            "base of the threshold: the target score (the default, as in the paper), or its "
            "distance from the floor, the score of a prediction without knowledge",
            note="More about the [distance to the target](competitions.md#distance-to-the-target).",
            group=_GRADING,
        ),
        Input(
            Place.GRADING,
            "Threshold is a share of",
            "The floor is what the sample submission or the best constant prediction scores.",
            labels={
                "target": "the target score",
                "floor": "what the target is above the floor",
            },
        ),
    ] = DistanceMeasure.TARGET
    score_reading: Annotated[
        ScoreReading | None,
        Option(
            "if no submission is graded, read the score from the cells' output: the text around "
            "it with {} for the number, e.g. 'Validation AUC: {}'; the last match counts. {} "
            "alone is the value that a cell returns",
            metavar="TEXT",
            flag="score-from",
            parse=_parse_score_pattern,
            group=_GRADING,
        ),
    ] = None
    target_kind: Annotated[
        ScoreKind,
        Option(
            "kind of the target score; only scores of the same kind are compared (default: "
            "{default})",
            group=_GRADING,
        ),
        Input(
            Place.GRADING,
            "The target score was",
            "Only scores of the same kind are compared: a leaderboard score is not a validation "
            "score.",
            labels={
                "graded": "graded (a leaderboard, the answers)",
                "printed": "printed by a cell, e.g. a validation score",
                "typed": "typed, from somewhere else",
            },
        ),
    ] = ScoreKind.GRADED
    sandbox: Annotated[
        str | None,
        Option(
            "where the notebook runs (default: the best one that isolates). `process` does not "
            "isolate and is never selected automatically",
            metavar="NAME",
            group=_RUNNING,
        ),
    ] = None
    environment: Annotated[
        str | None,
        Option(
            "Python and packages: a kernelspec, a conda environment, an interpreter or "
            "environment, the server's, or one made for the notebook with today's packages (own) "
            "or the original ones (own-time) (default: its kernelspec's or the server's if "
            "all imports are there, else own)",
            metavar="NAME|PATH|server|own|own-time",
            note="More about [environments](environments.md).",
            group=_RUNNING,
        ),
    ] = Field(default=None, min_length=1, max_length=1000)
    time_limit: Annotated[
        float,
        Option(
            "time limit for the whole notebook (default: {default})",
            metavar="SECONDS",
            note="Kernel start and `!pip install` lines do not count. With `--auto` and no limit "
            "given, a notebook that only ran out of time runs once more with an hour.",
            group=_RUNNING,
        ),
        Input(
            Place.RUNNING,
            "Time limit",
            "For all cells together; starting the kernel and pip lines do not count.",
            unit="min",
            size=60,
            preference="timeLimit",
        ),
    ] = Field(default=600.0, gt=0, le=7 * 24 * 3600)
    """Seconds of wall-clock time for the notebook."""
    extend_time_limit: bool = False
    """In auto mode, if no cell fails and no fixer can shorten the notebook: run it once more with a
    longer limit, up to an hour. For users who set no limit."""
    rules_seconds: Annotated[
        float,
        Option(
            "processor time for the rules each time they examine the notebook (default: {default})",
            metavar="SECONDS",
            flag="rules-time",
            note="Waiting for a busy machine does not count, up to ten times that. What they "
            "examined by then is used.",
            group=_RUNNING,
        ),
    ] = Field(default=30.0, ge=1, le=3600)
    """Processor time for the rules each time they examine the notebook, in seconds."""
    era: Annotated[
        str | None,
        Option(
            "when the notebook was written: a year, or versions such as 'pandas 0.23, sklearn "
            "0.19' (default: inferred from the notebook)",
            metavar="ERA",
            parse=_parse_era,
            group=_RUNNING,
        ),
        Input(
            Place.RUNNING,
            "Written in",
            "Only if the guess is wrong: a year, or versions such as pandas 0.23.",
            empty="not known",
        ),
    ] = Field(default=None, max_length=200)
    network: Annotated[
        bool,
        Option(
            "give runs access to public web servers and nothing else; the servers reached are "
            "reported (default: no network)",
            note="More about [a run with the network](security.md#a-run-with-the-network).",
            group=_RUNNING,
        ),
        Input(
            Place.RUNNING,
            "Network",
            "What runs can reach. Without a network, a notebook cannot send anything anywhere.",
            labels={
                "false": "None",
                "true": "Public web servers (asked before the run)",
            },
        ),
    ] = False
    caches: Annotated[
        bool,
        Option(
            "let runs read the data and weights that you have downloaded before (Keras, PyTorch, "
            "nltk, Hugging Face, fastai, seaborn), read-only; never a token (default: no)",
            note="More about [downloads](environments.md#downloads).",
            group=_RUNNING,
        ),
        Input(
            Place.RUNNING,
            "Offer my downloaded data and weights",
            "Runs can read the caches of Keras, PyTorch, nltk, Hugging Face, fastai and seaborn in "
            "your home folder, never change them. Access tokens stay hidden.",
        ),
    ] = False
    files_beside: Annotated[
        FilesBeside,
        Option(
            "which files of the notebook's folder a run can see, read-only or as copies: those "
            "the code names (the default), all except hidden ones, or none",
            group=_RUNNING,
        ),
        Input(
            Place.RUNNING,
            "Files beside the notebook",
            "Which files of the notebook’s folder a run can see. Your files are never changed.",
            labels={
                "named": "Those that the code names",
                "folder": "The whole folder",
                "none": "None",
            },
        ),
    ] = FilesBeside.NAMED
    file_choices: dict[str, str] = Field(default_factory=dict, max_length=200)
    """By path in the code, the intended file, if several have its name."""
    resources: Annotated[
        tuple[WebAddress, ...],
        Option(
            "fetch a file (`all`: those that the notebook downloads, such as weights, if their "
            "addresses are known) from public servers once, outside the sandbox, and keep it for "
            f"the notebook's runs (at most {LARGEST_RESOURCE // 1_000_000} MB); repeatable. "
            "`resources` lists and removes fetched files",
            metavar="URL",
            flag="fetch",
            parse=_parse_address,
            repeatable=True,
            note="More about [files of the network](security.md#files-of-the-network).",
            group=_RUNNING,
        ),
    ] = ()
    ask_above: float | None = Field(default=None, ge=0)
    """Megabytes of packages above which creating an environment needs the user's consent; None:
    never ask."""
    packages: Annotated[
        tuple[PackageName, ...],
        Option(
            "add a package, by its name on the package index, to the environment made for the "
            "notebook; nothing is installed into yours; repeatable",
            metavar="NAME",
            flag="package",
            parse=_parse_package,
            repeatable=True,
            group=_RUNNING,
        ),
    ] = ()
    fixers: Annotated[
        tuple[FixerName, ...],
        Option(
            "who proposes fixes, in this order (default: rules, then the model if configured)",
            metavar="rules|llm|rules,llm",
            flag="fixer",
            parse=_parse_fixers,
            group=_FIXING,
        ),
    ] = (FixerName.RULES, FixerName.LLM)
    scope: Annotated[
        FixScope,
        Option(
            "fix the whole notebook at once, or the first failing cell (default: {default})",
            group=_FIXING,
        ),
        Input(
            Place.MAIN,
            "When a cell fails",
            "How much of the notebook a fix may change at once.",
            labels={
                "file": "Run on, fix all at once",
                "cell": "Stop, fix it, continue",
            },
            helps={
                "file": "A fix may change any cell; the next run starts from the first cell.",
                "cell": "A fix changes the failing cell; the run continues from there if that is "
                "sound.",
            },
            preference="scope",
        ),
    ] = FixScope.FILE
    max_fixes: Annotated[
        int,
        Option(
            "stop after N fixes (default: {default})",
            group=_FIXING,
        ),
        Input(
            Place.FIXING,
            "Fixes at most",
            "A session ends after this many fixes.",
            preference="maxFixes",
        ),
    ] = Field(default=16, ge=0, le=1000)
    measure_noise: Annotated[
        NoiseWish,
        Option(
            "with --auto, before calibrating a score: repeat runs to find out whether a silent "
            "library change or noise explains the deviation (default: if a run takes less than a "
            "minute)",
            note="See [why the score is off](cli.md#why-is-the-score-off).",
            group=_FIXING,
        ),
    ] = NoiseWish.WHEN_CHEAP
    noise_runs: Annotated[
        int,
        Option(
            "number of runs that measure the noise of a score (default: {default})",
            group=_FIXING,
        ),
    ] = Field(default=5, ge=3, le=10)
    rehearsal: Annotated[
        RehearsalSettings | None,
        Option(
            "first run on a sample of the data with a short training, to find errors soon; ROWS "
            f"is the approximate number of rows per table (default: {_ROWS})",
            metavar="ROWS",
            flag="rehearse",
            parse=_parse_rehearsal,
            bare=str(_ROWS),
            note="Put it after the notebook's name. More about "
            "[rehearsing](users.md#rehearsing-on-a-sample).",
            group=_FIXING,
        ),
    ] = None
    rehearsed_fixes: Annotated[
        int,
        Option(
            "with --auto and --rehearse: run on all data after N fixes on the sample (default: "
            "{default})",
            group=_FIXING,
        ),
        Input(
            Place.FIXING,
            "Fixes on the sample",
            "If it rehearses, auto mode runs on all data after this many.",
        ),
    ] = Field(default=6, ge=1, le=1000)
    max_tokens: Annotated[
        int | None,
        Option(
            "stop when the model has used N tokens",
            group=_LIMITS,
        ),
        Input(
            Place.LIMITS,
            "Tokens at most",
            "What the model may use in a session.",
            empty="no limit",
            preference="maxTokens",
        ),
    ] = Field(default=None, ge=1)
    """Input and output tokens of all fixes together; None: no bound."""
    max_usd: Annotated[
        float | None,
        Option(
            "stop when the model has cost USD",
            metavar="USD",
            flag="max-cost",
            group=_LIMITS,
        ),
        Input(
            Place.LIMITS,
            "Cost at most",
            "What the model may cost in a session.",
            unit="USD",
            empty="no limit",
            preference="maxCost",
        ),
    ] = Field(default=None, gt=0)
    """Upper bound of the model's cost in US dollars; None: no bound."""
    max_seconds: Annotated[
        float | None,
        Option(
            "stop after M minutes of work",
            metavar="M",
            flag="max-minutes",
            unit=60,
            group=_LIMITS,
        ),
        Input(
            Place.LIMITS,
            "Work at most",
            "Runs and fixes together.",
            unit="min",
            size=60,
            empty="no limit",
            preference="maxMinutes",
        ),
    ] = Field(default=None, gt=0)
    """Seconds of work, without waiting in a queue; None: no bound."""
    patience: Annotated[
        int,
        Option(
            "stop after N fixes in a row without progress (default: {default})",
            group=_LIMITS,
        ),
        Input(
            Place.LIMITS,
            "Fixes without progress",
            "Auto mode stops after this many in a row.",
            preference="patience",
        ),
    ] = Field(default=3, ge=1, le=1000)
    alternatives: Annotated[
        int,
        Option(
            "number of model fixes tried in parallel in auto mode (default: {default})",
            metavar="1..4",
            group=_LIMITS,
        ),
        Input(
            Place.LIMITS,
            "Fixes tried at the same time",
            "Auto mode requests this many from the model and keeps the best.",
            labels={"1": "1", "2": "2", "3": "3", "4": "4"},
            preference="alternatives",
        ),
    ] = Field(default=1, ge=1, le=4)
    allow_experiment_changes: Annotated[
        bool,
        Option(
            "apply edits that change data, features, model, parameters, seeds or splits without "
            "asking",
            group=_LIMITS,
        ),
        Input(
            Place.LIMITS,
            "Change the experiment without asking",
            "Apply edits of its data, features, model, parameters, seed or split.",
            preference="allowExperimentChanges",
        ),
    ] = False

    @property
    def budget(self) -> Budget:
        """Return the budget of the session."""
        return Budget(
            fixes=self.max_fixes,
            tokens=self.max_tokens,
            usd=self.max_usd,
            seconds=self.max_seconds,
        )

    @field_validator("target_score")
    @classmethod
    def _finite(cls, value: float | None) -> float | None:
        if value is not None and not math.isfinite(value):
            raise ValueError("the target score must be a finite number")
        return value

    @field_validator("packages")
    @classmethod
    def _few(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if len(value) > _MOST_PACKAGES:
            raise ValueError(f"at most {_MOST_PACKAGES} packages can be named")
        return value

    @field_validator("resources")
    @classmethod
    def _few_resources(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if len(value) > MOST_RESOURCES:
            raise ValueError(f"at most {MOST_RESOURCES} addresses can be fetched for a notebook")
        return value

    @field_validator("era")
    @classmethod
    def _readable(cls, value: str | None) -> str | None:
        era = (value or "").strip() or None
        if era is not None:
            chosen_versions(era)
        return era


@cache
def setting_options() -> dict[str, tuple[FieldInfo, Option]]:
    """Return the settings with a flag, by name."""
    return {
        name: (field, option)
        for name, field in SessionSettings.model_fields.items()
        for option in field.metadata
        if isinstance(option, Option)
    }


def flag_of(name: str) -> str:
    """Return the flag of a setting or of another option, with its dashes."""
    _, option = setting_options().get(name, (None, None))
    return f"--{(option and option.flag) or name.replace('_', '-')}"


def checked_settings(given: Mapping[str, object]) -> SessionSettings:
    """Return the settings of a session; those that are absent have their defaults.

    Raises:
        BadSetting: One of them is out of its range.
    """
    try:
        return SessionSettings.model_validate(given)
    except ValidationError as error:
        raise refused_setting(*first_problem(error)) from error


def refused_setting(where: str, why: str) -> BadSetting:
    """Return the refusal of a setting by its path, such as `rehearsal.rows`."""
    name = where.partition(".")[0]
    field = SessionSettings.model_fields.get(name)
    labels = (each.label for each in field.metadata if isinstance(each, Input)) if field else ()
    label = next(iter(labels), name.replace("_", " "))
    setting = f"{name} ({flag_of(name)})" if name in setting_options() else name
    return BadSetting(coded("setting.refused", label=label, setting=setting, why=why))
