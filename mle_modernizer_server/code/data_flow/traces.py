"""Where values leave a notebook, and what they depend on there."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from mle_modernizer_server.code.data_flow.computed import Computed
from mle_modernizer_server.code.data_flow.values import Origin, Value


class SinkKind(str, Enum):
    """Where a value leaves the notebook."""

    SUBMISSION = "submission"
    METRIC = "metric"
    SHOWN = "shown"


@dataclass(frozen=True)
class Sink:
    """A value that leaves the notebook.

    Attributes:
        kind: Where to.
        name: The file's name, or the metric's.
        cell_id: The cell with the code.
        line: Its line there, from 1.
        value: What is known of it.
    """

    kind: SinkKind
    name: str
    cell_id: str
    line: int
    value: Value


@dataclass(frozen=True)
class Training:
    """A call that trains, and what its data depend on."""

    cell_id: str
    line: int
    data: Origin


@dataclass(frozen=True)
class Trace:
    """What the values that leave a notebook depend on.

    Attributes:
        sinks: Those values, in the order in which they were first met.
        trainings: The calls that train.
        computed: What is computed with predictions and scores.
        complete: Whether all cells could be followed.
    """

    sinks: tuple[Sink, ...] = ()
    trainings: tuple[Training, ...] = ()
    computed: tuple[Computed, ...] = ()
    complete: bool = True
