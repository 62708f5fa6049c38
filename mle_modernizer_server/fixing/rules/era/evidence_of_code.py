"""Evidence of a notebook's era in its code: removed old forms, and new ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from mle_modernizer_server.code.cell_code import CellCode
from mle_modernizer_server.code.program import Program
from mle_modernizer_server.code.used_forms import FormKind, forms_of
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


_SYNTAX = {
    "f-string": (coded("era.f-strings"), "3.6"),
    "walrus": (coded("era.walrus"), "3.8"),
    "match": (coded("era.match"), "3.10"),
}
"""Text and version of Python by piece of syntax."""


def _newer_forms(program: Program, cell: CellCode, known: Sequence[str]) -> Iterator[Evidence]:
    """Yield new forms in a cell; a method's name is evidence only if its library is imported."""
    addresses, lasts, methods = _introduced()
    for form in forms_of(program, cell, lasts):
        name = form.name
        if form.kind is FormKind.SYNTAX:
            said, version = _SYNTAX[name]
            yield _since(cell, said, "python", version)
        elif form.kind is FormKind.ADDRESS and name in addresses:
            yield _since(cell, name, *addresses[name])
        elif form.kind is FormKind.METHOD and name in methods and methods[name][0] in known:
            yield _since(cell, f"{name}()", *methods[name])


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
