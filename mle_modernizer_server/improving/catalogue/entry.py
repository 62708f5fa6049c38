"""An entry of the catalogue, and the reader of its files."""

from __future__ import annotations

from enum import Enum
from pathlib import Path

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.competition import Metric
from mle_modernizer_server.domain.improvement import BlockRole
from mle_modernizer_server.untrusted.files import read_regular
from mle_modernizer_server.untrusted.parsing import read_yaml

_LARGEST_FILE = 1_000_000
"""Bytes."""


class TaskKind(str, Enum):
    """The task of an entry."""

    REGRESSION = "regression"
    BINARY = "binary"
    MULTICLASS = "multiclass"
    RANKING = "ranking"
    IMBALANCE = "imbalance"
    TEXT = "text"
    TIME_SERIES = "time-series"
    IMAGES = "images"


class Entry(Value):
    """A model or a recipe.

    Attributes:
        id: Its name in the catalogue, in kebab-case.
        title: Its name for people.
        about: Description and advice when to use it, one to three sentences.
        tasks: Tasks it is for.
        metrics: Metrics it is made for; empty if it suits any.
        role: The block of a notebook that it changes.
        packages: The least version of each required package, by import name.
        source: Address of its description.
        reaches: Lower bound of the example's `score`; the higher the better.
        in_place: Constructor of an estimator that can replace a notebook's model, with full
            addresses; empty if none can.
        example: Self-contained code that binds `score`.
    """

    model_config = ConfigDict(extra="forbid")

    id: str = Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=60)
    title: str = Field(min_length=3, max_length=100)
    about: str = Field(min_length=10, max_length=600)
    tasks: tuple[TaskKind, ...] = Field(min_length=1)
    metrics: tuple[Metric, ...] = ()
    role: BlockRole
    packages: dict[str, str] = Field(default_factory=dict)
    source: str = Field(max_length=300)
    reaches: float = 0.0
    in_place: str = Field(default="", max_length=1_000)
    example: str = Field(max_length=4_000)


_ENTRIES: TypeAdapter[tuple[Entry, ...]] = TypeAdapter(tuple[Entry, ...])


def read_entries(path: Path) -> tuple[Entry, ...]:
    """Read the entries of a file.

    Raises:
        ValueError: It cannot be read, or is no file of entries; the message explains why.
    """
    try:
        content = read_yaml(read_regular(path, _LARGEST_FILE))
        return _ENTRIES.validate_python(content or ())
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise ValueError(f"{where}: {first['msg']}") from error
    except OSError as error:
        raise ValueError(str(error)) from error
