"""Names during the evaluation of a notebook, and the names that share an object."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from mle_modernizer_server.code.data_flow.meanings import BUILTINS
from mle_modernizer_server.code.data_flow.values import (
    CODES,
    PLAIN,
    UNKNOWN,
    Origin,
    Value,
    joined,
)
from mle_modernizer_server.code.expressions import root_name

_ITERATING = frozenset({"enumerate", "iter", "list", "reversed", "sorted", "zip"})
Snapshot = tuple[dict[str, Value], ...]


class Scope:
    """Names and their values, the innermost function's first."""

    def __init__(self) -> None:
        self._frames: list[dict[str, Value]] = [{CODES: Value(Origin.CODED)}]
        self._aliases: dict[str, frozenset[str]] = {}

    def __getitem__(self, name: str) -> Value:
        for frame in reversed(self._frames):
            if name in frame:
                return frame[name]
        return PLAIN if name in BUILTINS else UNKNOWN

    def __contains__(self, name: str) -> bool:
        return any(name in frame for frame in self._frames)

    def bind(self, name: str, value: Value, roots: Iterable[str] = ()) -> None:
        """Bind a name to a value.

        Args:
            name: The name.
            value: Its value from now on.
            roots: Names that share the value or a part of it: a change of one changes all.
        """
        self._frames[-1][name] = value
        shared = {root for root in roots if root != name and root in self}
        for root in list(shared):
            shared |= self._aliases.get(root, frozenset()) - {name}
        self._aliases[name] = frozenset(shared)

    def change(self, name: str, value: Value) -> None:
        """Replace the value of a name in the scope that binds it, if one does."""
        for frame in reversed(self._frames):
            if name in frame:
                frame[name] = value
                return

    def mutate(self, name: str, origins: Origin, column: str = "") -> None:
        """Add origins to the value of a name, and of all that share it."""
        for one in {name} | self._aliases.get(name, frozenset()):
            if one in self:
                value = self[one].plus(origins)
                if column and column in value.columns:
                    value = value.with_column(column, origins, whole=False)
                self.change(one, value)

    def write_column(self, name: str, column: str, origins: Origin, *, whole: bool) -> None:
        """Write a column of the table of a name."""
        if name in self:
            self.change(name, self[name].with_column(column, origins, whole=whole))
        for one in self._aliases.get(name, frozenset()):
            if one in self:
                self.change(one, self[one].with_column(column, origins, whole=False))

    def fit_all(self, origins: Origin) -> None:
        """Add origins to all objects: one was trained, and the code does not show which."""
        for frame in self._frames:
            for name, value in list(frame.items()):
                if value.origins & Origin.OBJECT and not value.is_class:
                    frame[name] = value.plus(origins | Origin.FITTED)

    def enter(self, names: dict[str, Value]) -> None:
        """Begin a function."""
        self._frames.append(dict(names))

    def leave(self) -> dict[str, Value]:
        """End a function; returns its names."""
        return self._frames.pop()

    def snapshot(self) -> Snapshot:
        """Return all current values."""
        return tuple(dict(frame) for frame in self._frames)

    def restore(self, snapshot: Snapshot) -> None:
        """Restore earlier values."""
        self._frames = [dict(frame) for frame in snapshot]

    def join(self, snapshots: list[Snapshot]) -> None:
        """Continue with values that are those of one snapshot or another."""
        merged: list[dict[str, Value]] = []
        for frames in zip(*snapshots, strict=True):
            frame = dict(frames[0])
            for other in frames[1:]:
                for name, value in other.items():
                    frame[name] = joined(frame[name], value) if name in frame else value
            merged.append(frame)
        self._frames = merged


def root_names(node: ast.AST) -> set[str]:
    """Return the names whose parts an expression may return, as a loop's iterable does."""
    match node:
        case ast.List(parts) | ast.Tuple(parts):
            pass
        case ast.Call(ast.Attribute(owner, "items" | "values"), arguments):
            parts = [*arguments, owner]
        case ast.Call(ast.Attribute(owner, "fit")):
            parts = [owner]
        case ast.Call(ast.Name(name), parts) if name in _ITERATING:
            pass
        case _:
            return {root_name(node)} - {""}
    return set[str]().union(*map(root_names, parts))
