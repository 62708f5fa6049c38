"""Modules, functions and classes that moved or have another name now."""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import dotted, dotted_name, expression
from mle_modernizer_server.fixing.rules.engine.context import (
    Answer,
    Change,
    Context,
    Fix,
    NewImport,
    Unsure,
    one,
)
from mle_modernizer_server.fixing.rules.rule import Move

_USUAL_NAMES = {
    "numpy": "np",
    "pandas": "pd",
    "matplotlib.pyplot": "plt",
    "statsmodels.api": "sm",
}
_BARE_PACKAGES = ("matplotlib", "urllib")
"""Packages whose modules are not there before somebody imports them."""
_NUMPY_STARS = frozenset({"numpy", "pylab", "matplotlib.pylab"})
_IMPORT_ERRORS = frozenset({"ImportError", "ModuleNotFoundError", "Exception"})


def fix_import(context: Context, node: cst.Import | cst.ImportFrom, fix: Move) -> Answer:
    """Make an import statement take things from their new modules."""
    if _guarded(context, node):
        return None
    if isinstance(node, cst.Import):
        return _plain_import(node, fix)
    if node.relative:
        return None
    return _from_import(context, node, fix)


def fix_reference(context: Context, node: cst.Attribute | cst.Name, fix: Move) -> Answer:
    """Rewrite `module.thing`, or a name that a star import used to bring."""
    parent = context.parent(node)
    if isinstance(parent, (cst.AssignTarget, cst.Param, cst.ImportAlias)) or any(
        isinstance(above, (cst.Import, cst.ImportFrom)) for above in context.cell.ancestors(node)
    ):
        return None
    for name in context.qualnames(node):
        new = fix.names.get(name)
        if new is None:
            continue
        if isinstance(node, cst.Name):
            if _only_a_label(parent, node):
                return None
            if name.startswith("builtins.") and new.startswith("builtins."):
                return _renamed(context, node, new.removeprefix("builtins."))
            return _star_imported(context, node, new)
        return _other_module(context, node, fix, new) or _attribute(context, node, new)
    return None


def _only_a_label(parent: cst.CSTNode | None, node: cst.Name) -> bool:
    """Return whether it is the last part of `np.add.reduce`, or a keyword argument's name."""
    return (isinstance(parent, cst.Attribute) and parent.attr is node) or (
        isinstance(parent, cst.Arg) and parent.keyword is node
    )


def _other_module(context: Context, node: cst.Attribute, fix: Move, new: str) -> Fix | None:
    """Change `import statsmodels.formula.api as sm` if `statsmodels.api` was intended.

    Only if the module has a usual name, the other one has that name, and everything the notebook
    takes from it moved.
    """
    if not isinstance(node.value, cst.Name):
        return None
    local = node.value.value
    module = _split(new)[0]
    if _USUAL_NAMES.get(module) != local or context.refers_to(node.value, module):
        return None
    imports = []
    for cell in context.program.cells:
        for other, place in cell.places.items():
            if isinstance(other, cst.Attribute) and dotted_name(other.value) == local:
                if isinstance(place.parent, (cst.ImportAlias, cst.ImportFrom)):
                    continue
                moved = {fix.names.get(name) for name in context.qualnames(other)}
                if moved != {f"{module}.{other.attr.value}"}:
                    return None
            elif isinstance(other, cst.ImportAlias) and other.asname is not None:
                imports += [(other, place.parent)] * (dotted_name(other.asname.name) == local)
    if not imports or not all(isinstance(parent, cst.Import) for _, parent in imports):
        return None
    return Fix(
        tuple(Change(alias, alias.with_changes(name=dotted(module))) for alias, _ in imports)
    )


def _guarded(context: Context, node: cst.CSTNode) -> bool:
    """Return whether the node is in a `try` that expects the import to fail, or its `except`."""
    for above in context.cell.ancestors(node):
        if isinstance(above, cst.Try):
            for handler in above.handlers:
                names = {"ImportError"} if handler.type is None else _caught(handler.type)
                if names & _IMPORT_ERRORS:
                    return True
    return False


def _caught(node: cst.BaseExpression) -> set[str]:
    if isinstance(node, cst.Tuple):
        return {dotted_name(element.value) for element in node.elements}
    return {dotted_name(node)}


def _moved(name: str, names: dict[str, str]) -> str | None:
    """Return the new address of a name: its own, or that of its longest module that moved."""
    parts = name.split(".")
    for end in range(len(parts), 0, -1):
        new = names.get(".".join(parts[:end]))
        if new is not None:
            rest = parts[end:]
            return ".".join((new, *rest))
    return None


def _split(address: str) -> tuple[str, str]:
    """Return the module and the path inside it."""
    if ":" in address:
        module, _, path = address.partition(":")
        return module, path
    module, _, name = address.rpartition(".")
    return module, name


def _plain_import(node: cst.Import, fix: Move) -> Answer:
    names = []
    for alias in node.names:
        old = dotted_name(alias.name)
        new = _moved(old, fix.names)
        if new is not None and ":" not in new:
            asname = alias.asname
            if asname is None and "." not in new and "." in old:
                return Unsure(f"`{old}` is spelled out wherever it is used")
            if asname is None and "." not in old:
                asname = cst.AsName(cst.Name(old))  # its name at all uses
            elif asname is not None and dotted_name(asname.name) == new:
                asname = None
            names.append(alias.with_changes(name=dotted(new), asname=asname))
        else:
            names.append(alias)
    if all(new is old for new, old in zip(names, node.names, strict=True)):
        return None
    return one(node, node.with_changes(names=names))


def _from_import(context: Context, node: cst.ImportFrom, fix: Move) -> Answer:
    module = dotted_name(node.module)
    if isinstance(node.names, cst.ImportStar):
        new = _moved(module, fix.names)
        if new is None or ":" in new:
            return None
        return one(node, node.with_changes(module=dotted(new)))
    moved = {}
    for alias in node.names:
        new = _moved(f"{module}.{dotted_name(alias.name)}", fix.names)
        if new is not None:
            moved[alias] = new
    if not moved:
        return None
    targets = {_split(new)[0] for new in moved.values()}
    plain = all(_split(new)[1] == dotted_name(alias.name) for alias, new in moved.items())
    if len(moved) == len(node.names) and len(targets) == 1 and plain and "" not in targets:
        return one(node, node.with_changes(module=dotted(targets.pop())))
    return _split_import(context, node, moved)


def _split_import(
    context: Context, node: cst.ImportFrom, moved: dict[cst.ImportAlias, str]
) -> Answer:
    """Split an import statement: some names stay, the others come from another module each."""
    assert not isinstance(node.names, cst.ImportStar)
    kept = [alias for alias in node.names if alias not in moved]
    statements: list[cst.BaseSmallStatement] = []
    if kept:
        kept[-1] = kept[-1].with_changes(comma=node.names[-1].comma)
        statements.append(node.with_changes(names=kept, semicolon=cst.MaybeSentinel.DEFAULT))
    by_module: dict[str, list[str]] = {}
    definitions = []
    for alias, new in moved.items():
        module, path = _split(new)
        local = dotted_name(alias.asname.name) if alias.asname else dotted_name(alias.name)
        first, _, rest = path.partition(".")
        if module == "builtins":
            if local != path:
                definitions.append(f"{local} = {path}")
            continue
        if rest:
            by_module.setdefault(module, []).append(first)
            definitions.append(f"{local} = {path}")
        else:
            text = first if first == local else f"{first} as {local}"
            by_module.setdefault(module, []).append(text)
    for module, names in by_module.items():
        for line in _import_lines(module, names):
            statements.append(_small(line))
    statements.extend(_small(line) for line in definitions)
    return _in_place(context, node, statements)


def _import_lines(module: str, names: list[str]) -> list[str]:
    if module:
        return [f"from {module} import {', '.join(dict.fromkeys(names))}"]
    return [f"import {name}" for name in names]


def _small(line: str) -> cst.BaseSmallStatement:
    statement = cst.parse_statement(line)
    assert isinstance(statement, cst.SimpleStatementLine)
    return statement.body[0]


def _in_place(
    context: Context, node: cst.ImportFrom, statements: list[cst.BaseSmallStatement]
) -> Answer:
    """Replace a small statement by others: on lines of their own, or between its semicolons."""
    line = context.parent(node)
    if not statements:
        return Unsure("nothing would be left of the import")
    if len(statements) == 1 and isinstance(node, cst.ImportFrom):
        return one(node, statements[0].with_changes(semicolon=node.semicolon))
    if not isinstance(line, cst.SimpleStatementLine) or len(line.body) > 1:
        last = statements[-1].with_changes(semicolon=node.semicolon)
        return Fix((Change(node, cst.FlattenSentinel([*statements[:-1], last])),))
    first = line.with_changes(body=[statements[0]])
    rest = [cst.SimpleStatementLine([statement]) for statement in statements[1:]]
    return Fix((Change(line, cst.FlattenSentinel([first, *rest])),))


def _attribute(context: Context, node: cst.Attribute, new: str) -> Answer:
    module, path = _split(new)
    if module == "builtins":
        root = path.partition(".")[0]
        if context.program.lookup(root, node).bindings:
            return Unsure(f"the notebook has a `{root}` of its own")
        return one(node, _bracketed(path, node))
    flat = new.replace(":", ".")
    base: cst.BaseExpression = node.value
    while True:
        prefix = next(iter(context.qualnames(base)), "")
        if prefix not in ("", *_BARE_PACKAGES) and flat.startswith(f"{prefix}."):
            text = f"{context.code(base)}.{flat[len(prefix) + 1 :]}"
            return one(node, _bracketed(text, node))
        if not isinstance(base, cst.Attribute):
            break
        base = base.value
    if not module:
        module, path = new, ""
    known = context.known_as(node, f"{module}.{path}") if path and "." not in path else None
    if known is not None:
        return one(node, _bracketed(known, node))
    root = _USUAL_NAMES.get(module, module.rpartition(".")[2])
    if path and module.count(".") >= 1 and module not in _USUAL_NAMES:
        local, imports = context.imported(node, module, path.split(".")[0], path.split(".")[0])
        text = ".".join((local, *path.split(".")[1:]))
    else:
        local, imports = context.module(node, module, root)
        text = f"{local}.{path}" if path else local
    return one(node, _bracketed(text, node), imports)


def _bracketed(text: str, node: cst.Attribute) -> cst.BaseExpression:
    return expression(text).with_changes(lpar=node.lpar, rpar=node.rpar)


def _renamed(context: Context, node: cst.Name, new: str) -> Answer:
    """Rename a function that exists without an import and has another name now."""
    if context.program.lookup(new, node).bindings:
        return Unsure(f"the notebook has a `{new}` of its own")
    return one(node, node.with_changes(value=new))


def _is_still_there(context: Context, node: cst.Name, new: str) -> bool:
    """Return whether NumPy's own star import, or pylab's, imports a name that one of SciPy
    imported.
    """
    if not _NUMPY_STARS.intersection(context.program.stars):
        return False
    starred = (star for cell in context.program.cells for star in cell.star_imports)
    family = [star for star in starred if star in (*_NUMPY_STARS, "scipy")]
    if family and family[-1] != "scipy":
        return new.startswith("numpy.") and new.endswith(f".{node.value}")
    return new == f"numpy.{node.value}"


def _star_imported(context: Context, node: cst.Name, new: str) -> Answer:
    """Import a name that `from module import *` no longer brings under its old name."""
    if context.program.lookup(node.value, node).bindings or _is_still_there(context, node, new):
        return None
    module, path = _split(new)
    if module == "builtins":
        return None
    if "." in path:
        return Unsure("it came with a star import and is a method now")
    local = node.value
    if not module:
        added = NewImport(context.cell.cell_id, path, "", local)
    else:
        added = NewImport(context.cell.cell_id, module, path, local)
    if (module or path, path) in context.promised:
        return None
    context.promised[module or path, path] = local
    return Fix((), (added,))
