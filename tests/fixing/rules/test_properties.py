"""Every rule over code nobody wrote for it: what holds whatever the code is."""

from __future__ import annotations

import ast
import difflib
import re
from functools import cache
from importlib import util
from pathlib import Path

import pytest

from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.fixing.rules.engine.context import Run
from mle_modernizer_server.fixing.rules.engine.engine import Outcome, modernize
from mle_modernizer_server.fixing.rules.knowledge import all_rules
from mle_modernizer_server.fixing.rules.rule import Python2, Rule
from tests.fixing.rules.rewriting import notebook
from tests.thoroughness import some

RULES = [one for one in all_rules() if one.automatic]
PACKAGES = ("nbclient", "nbformat", "seaborn")
"""Installed with the tests: old idioms, new ones, and names that are only alike."""
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")


def files(package: str) -> list[Path]:
    found = util.find_spec(package)
    assert found is not None
    assert found.origin is not None
    return sorted(Path(found.origin).parent.rglob("*.py"))


def applied_to(before: Notebook) -> Outcome:
    return modernize(before, RULES, Run(), lambda *_: True)


@cache
def identifiers(text: str) -> frozenset[str]:
    return frozenset(_IDENTIFIER.findall(text))


def is_about(rule: Rule, text: str) -> bool:
    """Whether anything of an rule occurs in a text at all."""
    signs = [sign for fix in rule.fixes if isinstance(fix, Python2) for sign in fix.signs]
    return bool(rule.identifiers & identifiers(text)) or any(
        re.search(sign, text, re.MULTILINE) for sign in signs
    )


def check(sources: list[str]) -> None:
    """The properties of one notebook."""
    before = notebook(*sources)
    outcome = applied_to(before)
    everything = "\n".join(sources)
    for one in outcome.applied:
        assert is_about(one.rule, everything), f"{one.rule.id} changes what has none of its names"
    for old, new in zip(before.cells, outcome.notebook.cells, strict=True):
        if old.source == new.source:
            continue
        ast.parse(new.source)
        rules = [one.rule for one in outcome.applied if one.cell_id == old.id]
        assert rules, "a change has an entry"
        assert_only_lines_concerned(old.source, new.source, rules)
    assert applied_to(outcome.notebook).notebook == outcome.notebook


def assert_only_lines_concerned(old: str, new: str, rules: list[Rule]) -> None:
    """A line that goes belongs to a statement with something of an rule, or to an import."""
    lines = old.split("\n")
    spans = [
        (node.lineno - 1, node.end_lineno or node.lineno)
        for node in ast.walk(ast.parse(old))
        if isinstance(node, ast.stmt)
    ]
    matcher = difflib.SequenceMatcher(None, lines, new.split("\n"), autojunk=False)
    for tag, first, last, _, _ in matcher.get_opcodes():
        if tag not in ("replace", "delete"):
            continue
        around = [span for span in spans if span[0] < last and first < span[1]]
        inner = min(around, key=lambda span: span[1] - span[0], default=(first, last))
        text = "\n".join(lines[min(first, inner[0]) : max(last, inner[1])])
        shared = any(is_about(rule, text) for rule in rules)
        assert shared or "import" in text, f"not concerned, and changed: {lines[first:last]}"


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, id=f"{package}/{path.name}")
        for package in PACKAGES
        for path in some(files(package), 8)
    ],
)
def test_whole_packages_keep_their_meaning_to_python(path: Path) -> None:
    check([path.read_text(encoding="utf-8")])
