"""List the facts of some code that matter to the honesty of an experiment."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping

from mle_modernizer_server.code.cell_syntax import magic_of
from mle_modernizer_server.code.experiment.fact import Fact, FactKind
from mle_modernizer_server.code.experiment.learning import learned
from mle_modernizer_server.code.experiment.parameters import parameters
from mle_modernizer_server.code.experiment.reach import private_answers, reached
from mle_modernizer_server.code.experiment.rows import thinnings
from mle_modernizer_server.code.experiment.written_out import written_out
from mle_modernizer_server.code.expressions import dotted, literal, tail


def facts_of(tree: ast.Module, aliases: Mapping[str, str]) -> Counter[Fact]:
    """Return the facts of a cell with their numbers.

    Args:
        tree: The cell, in its canonical form.
        aliases: Full names by the notebook's names, see `import_aliases`.
    """
    return Counter(fact for fact, _ in located_facts(tree, aliases))


def facts_by_line(tree: ast.Module, aliases: Mapping[str, str]) -> dict[Fact, list[int]]:
    """Return the facts of a cell, each with its lines in order."""
    facts: dict[Fact, list[int]] = {}
    for fact, line in located_facts(tree, aliases):
        facts.setdefault(fact, []).append(line)
    return {fact: sorted(lines) for fact, lines in facts.items()}


def located_facts(tree: ast.Module, aliases: Mapping[str, str]) -> Iterator[tuple[Fact, int]]:
    """Yield the facts of a cell, each with its line."""
    for node in ast.walk(tree):
        for fact in (*reached(node, aliases), *learned(node, aliases), *_arguments(node, aliases)):
            yield fact, getattr(node, "lineno", 1)
    yield from private_answers(tree)
    yield from written_out(tree, aliases)
    for key, line in thinnings(tree, aliases):
        yield Fact(FactKind.THINNING, key), line
    for name, value, line in parameters(tree, aliases):
        yield Fact(FactKind.PARAMETER, name, value), line


def _arguments(node: ast.AST, aliases: Mapping[str, str]) -> Iterator[Fact]:
    """Yield the named arguments of a call, and the literals among its other ones."""
    if not isinstance(node, ast.Call) or magic_of(node) is not None:
        return
    function = tail(dotted(node.func, aliases))
    for keyword in node.keywords:
        if keyword.arg:
            yield Fact(FactKind.ARGUMENT, f"{function}.{keyword.arg}")
    for value in map(literal, node.args):
        if value is not ...:
            yield Fact(FactKind.WRITTEN, repr(value))
