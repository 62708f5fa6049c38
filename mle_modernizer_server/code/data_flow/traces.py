"""The values that leave a notebook, and their origins."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from mle_modernizer_server.code.data_flow.computed import Computed
from mle_modernizer_server.code.data_flow.values import Origin, Value


class SinkKind(str, Enum):
    """A way out of the notebook."""

    SUBMISSION = "submission"
    METRIC = "metric"
    SHOWN = "shown"


@dataclass(frozen=True)
class Sink:
    """A value that leaves the notebook.

    Attributes:
        kind: Its way out.
        name: The file's name, or the metric's.
        cell_id: The cell with the code.
        line: Its line there, from 1.
        value: Its value, as far as it is known.
    """

    kind: SinkKind
    name: str
    cell_id: str
    line: int
    value: Value


@dataclass(frozen=True)
class Training:
    """A call that trains, and the origins of its data."""

    cell_id: str
    line: int
    data: Origin


@dataclass(frozen=True)
class Trace:
    """The dependences of the values that leave a notebook.

    Attributes:
        sinks: Those values, in the order in which they were first met.
        trainings: The calls that train.
        computed: Computations with predictions and scores.
        complete: Whether all cells could be followed.
    """

    sinks: tuple[Sink, ...] = ()
    trainings: tuple[Training, ...] = ()
    computed: tuple[Computed, ...] = ()
    complete: bool = True
