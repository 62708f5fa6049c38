"""Evidence of a notebook's era in its code: removed old forms, and new ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache

import libcst as cst

from mle_modernizer_server.code.cell_code import CellCode
from mle_modernizer_server.code.program import Program
from mle_modernizer_server.code.tree import imported
from mle_modernizer_server.domain.era import Evidence
from mle_modernizer_server.domain.message import Parameter, coded
from mle_modernizer_server.fixing.rules.engine.matches import RuleMatch
from mle_modernizer_server.fixing.rules.era.evidence import of_python_2
from mle_modernizer_server.fixing.rules.era.releases import histories
from mle_modernizer_server.fixing.rules.rule import ChangeKind, Confirm, Python2


def of_code(program: Program, matches: Sequence[RuleMatch]) -> tuple[Evidence, ...]:
    """Return the evidence in the code: uses of removed names, and of recently added ones.

    Args:
        program: The notebook.
        matches: The rules that match it.
    """
    found: dict[tuple[str, str, str], Evidence] = {}

    def note(item: Evidence) -> None:
        key = (item.library, item.at_least, item.below)
        if key not in found or (item.certain and not found[key].certain):
            found[key] = item

    for one in matches:
        rule = one.rule
        if not one.fixed or rule.silent or rule.confirm is not Confirm.NOTHING:
            continue
        if rule.kind is not ChangeKind.REMOVED:
            continue
        if rule.library == "python" and rule.since == "3.0":
            syntax = any(isinstance(fix, Python2) and not fix.always for fix in rule.fixes)
            said = coded("era.python-2-form", what=rule.what)
            note(of_python_2(said, one.cell_id, certain=syntax))
        else:
            note(
                Evidence(
                    text=coded(
                        "era.gone", library=rule.library, version=rule.since, what=rule.what
                    ),
                    cell_id=one.cell_id,
                    library=rule.library,
                    below=rule.since,
                )
            )
    for cell in program.unparsed:
        if "Python 2" in cell.why:
            note(of_python_2(coded("era.python-2"), cell.cell_id))
    used = libraries(program)
    for cell_code in program.cells:
        for item in _newer_forms(program, cell_code, used):
            note(item)
    return tuple(found.values())


def libraries(program: Program) -> tuple[str, ...]:
    """Return the import names of the libraries a notebook uses, of those with known releases."""
    return tuple(
        name for name in histories() if any(name in cell.imported for cell in program.cells)
    )


_TELLING = frozenset(
    {cst.Import, cst.ImportFrom, cst.Attribute, cst.Call}
    | {cst.FormattedString, cst.NamedExpr, cst.Match}
)


def _newer_forms(program: Program, cell: CellCode, known: Sequence[str]) -> Iterator[Evidence]:
    """Yield new forms in a cell; a method's name is evidence only if its library is imported."""
    addresses, lasts, methods = _introduced()
    for node in cell.places:
        if type(node) not in _TELLING:  # isinstance takes long
            continue
        used: Iterable[str] = ()
        if isinstance(node, (cst.Import, cst.ImportFrom)):
            used = imported(node)
        elif isinstance(node, cst.Attribute) and node.attr.value in lasts:
            used = program.qualnames(node)
        yield from (_since(cell, one, *addresses[one]) for one in used if one in addresses)
        if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
            name = node.func.attr.value
            if name in methods and methods[name][0] in known:
                yield _since(cell, f"{name}()", *methods[name])
        elif isinstance(node, cst.FormattedString):
            yield _since(cell, coded("era.f-strings"), "python", "3.6")
        elif isinstance(node, cst.NamedExpr):
            yield _since(cell, coded("era.walrus"), "python", "3.8")
        elif isinstance(node, cst.Match):
            yield _since(cell, coded("era.match"), "python", "3.10")


def _since(cell: CellCode, what: Parameter, library: str, version: str) -> Evidence:
    return Evidence(
        text=coded("era.uses", what=what, library=library, version=version),
        cell_id=cell.cell_id,
        library=library,
        at_least=version,
    )


Introduced = dict[str, tuple[str, str]]


@cache
def _introduced() -> tuple[Introduced, frozenset[str], Introduced]:
    """Return library and version by address, the addresses' last parts, the same by method."""
    addresses = {
        address: (library, version)
        for library, history in histories().items()
        for address, version in history.introduced.items()
    }
    methods = {
        name: (library, version)
        for library, history in histories().items()
        for name, version in history.methods.items()
    }
    return addresses, frozenset(name.rpartition(".")[2] for name in addresses), methods
