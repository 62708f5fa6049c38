"""The values of a batch: its notebooks, its arms, the settings for all of them."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from enum import Enum

from pydantic import Field, JsonValue

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.model_calls import Usage
from mle_modernizer_server.domain.proposal import FixerName
from mle_modernizer_server.domain.settings import SessionSettings

MOST_REPEATS = 1000
_NO_NAME = re.compile(r"[^A-Za-z0-9._-]+")
_LONGEST_NAME = 40


class Line(Value):
    """One notebook of a batch, and its own settings."""

    number: int
    """Its line in the manifest, or its place in the folder, from 1."""
    notebook: str
    """Absolute path."""
    name: str
    """Its name in results: its path in the folder or the manifest."""
    settings: dict[str, JsonValue] = Field(default_factory=dict)
    """Fields of `SessionSettings` that go before those of the whole batch."""
    resources: dict[str, float] = Field(default_factory=dict)
    """Resources it needs of a worker besides the slot: `GPU` (number), `MEMORY` (bytes)."""
    seconds: float | None = None
    """Expected duration of its work; None if unknown."""


class Problem(Value):
    """A problem with one line of the manifest, or with one notebook."""

    line: int
    name: str
    message: str


class Work(str, Enum):
    """Kind of work on a notebook."""

    RUN = "run"
    """Run, grade, diagnose; change nothing."""
    MODERNIZE = "modernize"
    """Auto mode: fix and run until it is reproducible, or nothing more can be done."""


class Arm(Value):
    """One way in which each notebook is worked on."""

    name: str
    work: Work
    settings: dict[str, JsonValue] = Field(default_factory=dict)
    """Fields of `SessionSettings` that make this arm; they go before all others."""
    model: str | None = None
    """The language model; None: the one that is configured."""

    @property
    def learns(self) -> bool:
        """Return whether it uses rules and a model, so that a model's fixes become rules."""
        return self.work is Work.MODERNIZE and "fixers" not in self.settings


_PLAIN_ARMS = {
    arm.name: arm
    for arm in (
        Arm(name="today", work=Work.RUN),
        Arm(name="its-own-time", work=Work.RUN, settings={"environment": "own-time"}),
        Arm(name="modernized", work=Work.MODERNIZE),
        Arm(name="rules", work=Work.MODERNIZE, settings={"fixers": [FixerName.RULES.value]}),
    )
}
ARMS = (*_PLAIN_ARMS, "model:NAME")
"""The names of arms."""


def arm_of(name: str) -> Arm:
    """Return the arm of a name.

    Raises:
        ValueError: There is none.
    """
    kind, colon, model = name.partition(":")
    if kind == "model" and colon and model.strip():
        settings: dict[str, JsonValue] = {"fixers": [FixerName.LLM.value]}
        return Arm(name=name, work=Work.MODERNIZE, settings=settings, model=model.strip())
    if name not in _PLAIN_ARMS:
        raise ValueError(f"there is no arm {name!r}; there are {', '.join(ARMS)}")
    return _PLAIN_ARMS[name]


class Limits(Value):
    """Limits for all work of a batch together; None is no bound."""

    usd: float | None = Field(default=None, gt=0)
    tokens: int | None = Field(default=None, ge=1)
    """Input and output."""
    requests_per_minute: float | None = Field(default=None, gt=0)
    tokens_per_minute: float | None = Field(default=None, gt=0)

    @property
    def bounded(self) -> bool:
        """Return whether any limit is set."""
        return any(value is not None for value in self.model_dump().values())

    def are_reached(self, usage: Usage) -> bool:
        """Return whether no money or no tokens are left after so much use."""
        tokens = usage.input_tokens + usage.output_tokens
        return (self.usd is not None and (usage.cost_usd or 0.0) >= self.usd) or (
            self.tokens is not None and tokens >= self.tokens
        )


class Study(Value):
    """Settings for the whole of a batch; stored in its folder.

    It contains no key and no file of answers: the model's key is read from the environment of the
    worker that needs it, and answers are below the data root, of which it has only the path.
    """

    id: str
    version: str
    """Of MLE Modernizer."""
    what: str
    """The folder, glob or manifest, as entered."""
    arms: tuple[Arm, ...]
    repeat: int = Field(default=1, ge=1, le=MOST_REPEATS)
    settings: dict[str, JsonValue] = Field(default_factory=dict)
    """Fields of `SessionSettings` that hold for all notebooks."""
    data_root: str
    sandbox: str | None = None
    containers: dict[str, JsonValue] = Field(default_factory=dict)
    """Settings of the sandbox `docker`."""
    rules_path: str | None = None
    learn: bool = True
    """Whether a model's successful fix becomes a rule for later notebooks."""
    try_own_time: bool = False
    """Whether a fix that teaches a rule is also run in the original library versions."""
    base_url: str | None = None
    model: str | None = None

    def differences(self, other: Study) -> list[str]:
        """Return the names of the settings in which two studies differ.

        If there are any, results of the two must not share a table.
        """
        defaults = SessionSettings().model_dump(mode="json")
        mine, others = (
            {**one.model_dump(), "settings": {**defaults, **one.settings}} for one in (self, other)
        )
        return [name for name in mine if name not in _FREE_TO_DIFFER and mine[name] != others[name]]


_FREE_TO_DIFFER = ("id", "version", "what")


class Job(Value):
    """One notebook in one arm, once: a unit of work with one result."""

    key: str
    """Prefix of its files; the same in every start of the batch on every machine."""
    line: Line
    arm: str
    repetition: int
    """From 1."""


def jobs_of(lines: Iterable[Line], study: Study) -> Iterator[Job]:
    """Return the jobs of a study, line by line."""
    for line in lines:
        for arm in study.arms:
            for repetition in range(1, study.repeat + 1):
                key = _key(line, arm.name, repetition)
                yield Job(key=key, line=line, arm=arm.name, repetition=repetition)


def _key(line: Line, arm: str, repetition: int) -> str:
    stem = line.name.rpartition("/")[2].removesuffix(".ipynb")
    plain = _NO_NAME.sub("-", stem)[:_LONGEST_NAME].strip("-.") or "notebook"
    known = json.dumps([line.name, line.settings, arm, repetition], sort_keys=True)
    return f"{plain}-{hashlib.sha256(known.encode()).hexdigest()[:16]}"
