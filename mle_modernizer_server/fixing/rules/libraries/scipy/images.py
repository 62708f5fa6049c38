"""`scipy.misc.imread`, `imresize`, `imsave` and `toimage` were removed; Pillow did the work.

https://docs.scipy.org/doc/scipy/release/1.3.0-notes.html

The functions are written into the cell: no other library reads and scales quite the same way.
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import dotted_name
from mle_modernizer_server.fixing.rules.engine.context import (
    Answer,
    Change,
    Context,
    Fix,
    Unsure,
    one,
)
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.removal import used, without_names
from mle_modernizer_server.fixing.rules.engine.shapes import local_name
from mle_modernizer_server.fixing.rules.generic.definitions import (
    blank_before,
    define,
    top_statement,
)
from mle_modernizer_server.fixing.rules.tables import table

_MODULES = ("scipy.misc", "scipy.misc.pilutil", "scipy.ndimage")
_TEXTS = table("scipy", "image-functions", dict[str, str])


@codemod("scipy-misc-imread", on=cst.ImportFrom)
def written_out(context: Context, node: cst.ImportFrom) -> Answer:
    """Rewrite `from scipy.misc import imresize` as the function itself."""
    gone = _gone(context, node)
    if not gone or isinstance(node.names, cst.ImportStar):
        return None
    line = context.parent(node)
    if not isinstance(line, cst.SimpleStatementLine) or len(line.body) > 1:
        return Unsure("the import shares its line with other statements")
    unused = {dotted_name(alias.name) for alias in gone if not _is_called(context, node, alias)}
    if unused:
        return without_names(context, node, unused)
    kept = [alias for alias in node.names if alias not in gone]
    new: list[cst.CSTNode] = []
    if kept:
        kept[-1] = kept[-1].with_changes(comma=node.names[-1].comma)
        new.append(line.with_changes(body=[node.with_changes(names=kept)]))
    definitions = [_definition(alias) for alias in gone]
    body = list(getattr(context.parent(line), "body", ()))
    last = line
    for statement in body[body.index(line) + 1 :]:
        if not _imports(statement):
            break
        last = statement
    then = body[body.index(last) + 1 :]
    if context.parent(line) is context.cell.module:
        definitions = [_apart(one) for one in definitions]
        footer = blank_before(then[0]) if then else []
        definitions[-1] = definitions[-1].with_deep_changes(definitions[-1].body, footer=footer)
    if not new and (last is line or line.leading_lines or line.trailing_whitespace.comment):
        definitions[0] = definitions[0].with_changes(leading_lines=line.leading_lines)
        return Fix((Change(line, cst.FlattenSentinel(definitions)),))
    if last is line:
        return Fix((Change(line, cst.FlattenSentinel([*new, *definitions])),))
    return Fix(
        (
            Change(line, cst.FlattenSentinel(new)),
            Change(last, cst.FlattenSentinel([last, *definitions])),
        )
    )


def _gone(context: Context, node: cst.ImportFrom) -> list[cst.ImportAlias]:
    """Return the removed functions of an import."""
    if node.relative or dotted_name(node.module) not in _MODULES:
        return []
    if isinstance(node.names, cst.ImportStar):
        return []
    if any(isinstance(above, cst.Try) for above in context.cell.ancestors(node)):
        return []
    gone = [alias for alias in node.names if dotted_name(alias.name) in _TEXTS]
    if dotted_name(node.module) == "scipy.ndimage":
        gone = [alias for alias in gone if dotted_name(alias.name) == "imread"]
    return gone


def _is_called(context: Context, node: cst.ImportFrom, alias: cst.ImportAlias) -> bool:
    """Return whether the notebook uses the function, or has cells that cannot be parsed."""
    if context.program.unparsed:
        return True
    return used(context, f"{dotted_name(node.module)}.{dotted_name(alias.name)}")


def _imports(node: cst.CSTNode) -> bool:
    return isinstance(node, cst.SimpleStatementLine) and all(
        isinstance(part, (cst.Import, cst.ImportFrom)) for part in node.body
    )


def _apart(function: cst.FunctionDef) -> cst.FunctionDef:
    return function.with_changes(leading_lines=[cst.EmptyLine(indent=False)] * 2)


def _definition(alias: cst.ImportAlias) -> cst.FunctionDef:
    name = dotted_name(alias.name)
    function = cst.parse_statement(_TEXTS[name])
    assert isinstance(function, cst.FunctionDef)
    return function.with_changes(name=cst.Name(local_name(alias)))


@codemod("scipy-misc-imread", on=cst.Attribute, names=_TEXTS)
def imported(context: Context, node: cst.Attribute) -> Answer:
    """Rewrite `scipy.misc.imread(f)` as `imread(f)`, with the function above it."""
    name = node.attr.value
    if not _is_use(context, node, name):
        return None
    if context.program.lookup(name, node).bindings:
        written = [cell for cell in context.program.cells if f"def {name}(" in cell.source]
        if any(cell.number <= context.cell.number for cell in written):
            return one(node, cst.Name(name, lpar=node.lpar, rpar=node.rpar))
        if not any(_TEXTS[name].splitlines()[1] in cell.source for cell in written):
            return Unsure(f"the notebook has a `{name}` of its own")
    uses = [use for use in context.cell.places if _is_use(context, use, name)]
    statement = top_statement(context, node)
    if statement is None or uses[0] is not node:
        return None  # the first use in the cell changes them all
    defined = define(context, _TEXTS[name], statement)
    return Fix((defined, *(Change(use, cst.Name(name)) for use in uses)))


def _is_use(context: Context, node: cst.CSTNode, name: str) -> bool:
    return (
        isinstance(node, cst.Attribute)
        and node.attr.value == name
        and any(context.refers_to(node, f"{module}.{name}") for module in _MODULES)
    )
