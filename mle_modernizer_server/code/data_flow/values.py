"""The abstract value of an expression: the facts that hold without a run."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Flag, auto


class Origin(Flag):
    """The things that a value depends on."""

    NOTHING = 0
    """Literals, ids, lengths, random numbers."""
    PREDICTED = auto()
    """The prediction of a fitted object."""
    FITTED = auto()
    """A fitted object, or an attribute of one."""
    TRAIN = auto()
    """The data of the competition, test data and sample submission apart."""
    TEST = auto()
    SAMPLE = auto()
    """The sample submission."""
    OLD = auto()
    """A submission that was there before."""
    PART = auto()
    """A slice of the training data with a written-out bound."""
    OBJECT = auto()
    """An instance of a class of some library: perhaps a model."""
    CODED = auto()
    """Codes in place of class labels."""
    UNKNOWN = auto()
    """Something the code does not show."""


CODES = "__codes__"
"""Name in place of expressions whose values are codes of class labels."""
MODEL = Origin.PREDICTED | Origin.FITTED
NOTHING = Origin.NOTHING


@dataclass(frozen=True)
class Value:
    """The known facts of a value.

    Attributes:
        origins: Its origins, without those of its columns.
        columns: Of a table, or an object's attributes: the known origins of each.
        constant: The number, text, True, False or None that it is; `...` if unknown.
        text: The text that it is, with `*` for unknown parts; empty if it is none.
        items: Of a tuple or a list that is written out.
        function: A function of the notebook.
        methods: Of a class of the notebook, or of its instance.
        is_class: It is the class itself.
        module: It is a module or comes from one: the dotted name.
        file: It writes into the file of this name.
    """

    origins: Origin = Origin.NOTHING
    columns: Mapping[str, Origin] = field(default_factory=dict)
    constant: object = ...
    text: str = ""
    items: tuple[Value, ...] | None = None
    function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | None = None
    methods: Mapping[str, ast.FunctionDef] = field(default_factory=dict)
    is_class: bool = False
    module: str = ""
    file: str = ""

    @property
    def all(self) -> Origin:
        """Return the origins of the value and all its parts."""
        every = self.origins
        for origins in self.columns.values():
            every |= origins
        return every

    def column(self, name: str) -> Origin:
        """Return the origins of a column."""
        return self.columns.get(name, self.origins)

    def plus(self, origins: Origin) -> Value:
        """Return the value with more origins, and no exact value any more."""
        return replace(self, origins=self.origins | origins, constant=...)

    def with_column(self, name: str, origins: Origin, *, whole: bool = True) -> Value:
        """Return the value with a column written, in part or as a whole."""
        if not whole:
            origins |= self.column(name)
        return replace(self, columns={**self.columns, name: origins}, constant=...)


UNKNOWN = Value(Origin.UNKNOWN)
PLAIN = Value()


def constant(value: object) -> Value:
    """Return a literal."""
    return Value(constant=value, text=value if isinstance(value, str) else "")


def of(origins: Origin) -> Value:
    """Return a value of which only its origins are known."""
    return Value(origins)


def together(*values: Value) -> Origin:
    """Return the origins of some values together."""
    origins = Origin.NOTHING
    for value in values:
        origins |= value.all
    return origins


def joined(one: Value, other: Value) -> Value:
    """Return a value that is one or the other."""
    if one == other:
        return one
    columns = {
        name: one.column(name) | other.column(name) for name in {**one.columns, **other.columns}
    }
    items = None
    if one.items is not None and other.items is not None and len(one.items) == len(other.items):
        items = tuple(joined(*pair) for pair in zip(one.items, other.items, strict=True))
    return Value(
        origins=one.origins | other.origins,
        columns=columns,
        text=one.text if one.text == other.text else "",
        items=items,
        function=one.function or other.function,
        methods={**other.methods, **one.methods},
        module=one.module or other.module,
        file=one.file or other.file,
    )


def table(*values: Value) -> Value:
    """Return a table of other tables' columns, side by side."""
    origins = Origin.NOTHING
    columns: dict[str, Origin] = {}
    for value in values:
        origins |= value.origins
        for name, more in value.columns.items():
            columns[name] = columns.get(name, Origin.NOTHING) | more
    return Value(origins, columns)
