"""The addresses that a fix writes, to keep it from writing names that the packages lack."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import libcst as cst

from mle_modernizer_server.code.cell_code import Imported
from mle_modernizer_server.code.program import Program
from mle_modernizer_server.code.tree import descendants, dotted_name
from mle_modernizer_server.fixing.rules.engine.context import Fix


def lacking_name(program: Program, fix: Fix, lacking: Collection[str]) -> str | None:
    """Return an address in the code of a fix that the packages lack; None if they have all.

    Args:
        program: The notebook before the fix.
        fix: The fix.
        lacking: Addresses that they lack.
    """
    for address in _addresses(program, fix):
        for absent in lacking:
            if address == absent or address.startswith(f"{absent}."):
                return absent
    return None


def _addresses(program: Program, fix: Fix) -> Iterator[str]:
    added = {new.alias or new.name or new.module: new for new in fix.imports}
    for new in fix.imports:
        yield f"{new.module}.{new.name}" if new.name else new.module
    for change in fix.changes:
        whole = isinstance(change.new, cst.FlattenSentinel)
        for top in change.new if isinstance(change.new, cst.FlattenSentinel) else (change.new,):
            if whole and top is change.node:
                continue
            for node in descendants(top):
                if isinstance(node, cst.Import):
                    yield from (dotted_name(alias.name) for alias in node.names)
                elif isinstance(node, cst.ImportFrom) and not node.relative:
                    yield from _taken(node)
                elif isinstance(node, cst.Attribute) and (text := dotted_name(node)):
                    root, _, rest = text.partition(".")
                    if root in added:
                        new = added[root]
                        yield (
                            f"{new.module}.{new.name}.{rest}"
                            if new.name
                            else (f"{new.module}.{rest}")
                        )
                        continue
                    bounds = [one.bound for one in program.lookup(root, change.node).bindings]
                    for bound in bounds:
                        if isinstance(bound, Imported):
                            yield f"{bound.qualname}.{rest}"


def _taken(node: cst.ImportFrom) -> Iterator[str]:
    module = dotted_name(node.module)
    if isinstance(node.names, cst.ImportStar):
        yield module
        return
    for alias in node.names:
        yield f"{module}.{dotted_name(alias.name)}"
