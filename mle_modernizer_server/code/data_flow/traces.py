"""The values that leave a notebook, and their origins."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

from mle_modernizer_server.code.data_flow.computed import Computed
from mle_modernizer_server.code.data_flow.scope import Scope
from mle_modernizer_server.code.data_flow.values import Origin, Value, joined


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


class Recorder(ABC):
    """The state of an evaluation, and the record of the values that leave the notebook.

    Args:
        cell_of: The cell's id by each node.

    Attributes:
        scope: The names.
        elementwise: How many comprehensions and lambdas are being evaluated.
        drawing: How many calls that draw are being evaluated.
        returned: Results of the functions that are active, the innermost last.
        active: The functions that are being called.
        sinks: By the node that writes them.
        trainings: By the node that trains.
        computed: Computations with predictions, by the node.
    """

    def __init__(self, cell_of: Mapping[ast.AST, str]) -> None:
        self.scope = Scope()
        self.elementwise = 0
        self.drawing = 0
        self.returned: list[list[Value]] = []
        self.active: list[ast.AST] = []
        self.sinks: dict[ast.AST, Sink] = {}
        self.trainings: dict[ast.AST, Training] = {}
        self.computed: dict[ast.AST, Computed] = {}
        self._cell_of = cell_of

    @abstractmethod
    def block(self, body: Iterable[ast.stmt]) -> bool:
        """Evaluate statements; return whether the function ends within them."""

    @abstractmethod
    def evaluate(self, node: ast.expr) -> Value:
        """Return the value of an expression, as far as it is known."""

    def sink(self, kind: SinkKind, name: str, node: ast.AST, value: Value) -> None:
        """Note a value that leaves the notebook."""
        earlier = self.sinks.get(node)
        if earlier is not None:
            kind, name, value = earlier.kind, earlier.name, joined(earlier.value, value)
        self.sinks[node] = Sink(kind, name, *self._place(node), value)

    def training(self, node: ast.AST, data: Origin) -> None:
        """Note a call that trains."""
        earlier = self.trainings.get(node)
        data |= Origin.NOTHING if earlier is None else earlier.data
        self.trainings[node] = Training(*self._place(node), data)

    def compute(self, node: ast.AST, what: str) -> None:
        """Note a computation with predictions, unless it is nothing."""
        if what and not self.drawing:
            self.computed[node] = Computed(what, *self._place(node))

    def _place(self, node: ast.AST) -> tuple[str, int]:
        return self._cell_of.get(node, ""), getattr(node, "lineno", 1)
