"""A folder a library: what is in its YAML, its codemods and its cases belongs together."""

from __future__ import annotations

import importlib
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from mle_modernizer_server.fixing.rules import libraries
from mle_modernizer_server.fixing.rules.engine.registry import hand_written
from mle_modernizer_server.fixing.rules.knowledge import all_rules
from mle_modernizer_server.fixing.rules.rule import Hand
from tests.fixing.rules.executed.case import Case
from tests.fixing.rules.test_knowledge import NOT_EXECUTED

FOLDER = Path(libraries.__path__[0])
CASES = Path(__file__).parent
FILES = sorted(FOLDER.glob("*/*.yaml"))
LONGEST_LINE = 120
WIDTH = 60
"""Columns within which a list of texts fits in any case, with its key and quotes."""
DEFAULTS = (("kind", "removed"), ("meaning", "rename"))


LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@cache
def content_of(file: Path) -> dict[str, Any]:
    content: dict[str, Any] = yaml.load(file.read_text("utf-8"), Loader=LOADER)
    return content


def rules_of(file: Path) -> list[str]:
    return [rule["id"] for rule in content_of(file)["rules"]]


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_rule_file_lists_are_in_brackets_if_they_fit(file: Path) -> None:
    lines = file.read_text("utf-8").splitlines()
    assert not [number for number, line in enumerate(lines, 1) if len(line) > LONGEST_LINE]
    wide = []
    nodes = [yaml.compose(file.read_text("utf-8"), Loader=LOADER)]
    while nodes:
        node = nodes.pop()
        if isinstance(node, yaml.MappingNode):
            nodes += [value for _, value in node.value]
        elif isinstance(node, yaml.SequenceNode):
            nodes += node.value
            items = [item.value for item in node.value if isinstance(item, yaml.ScalarNode)]
            fits = sum(map(len, items)) + 4 * len(items) < WIDTH - node.start_mark.column
            if not node.flow_style and fits and len(items) == len(node.value):
                wide.append(node.start_mark.line + 1)
    assert wide == [], "a short list in brackets: [a, b, c]"
    repeated = [
        rule["id"]
        for rule in content_of(file)["rules"]
        if any(rule.get(key) == value for key, value in DEFAULTS)
    ]
    assert repeated == [], "kind: removed and meaning: rename are the defaults"


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_rule_file_has_its_cases_in_a_module_of_its_name(file: Path) -> None:
    name = "cases" if file.stem == "rules" else f"cases_{file.stem}"
    module = CASES / file.parent.name / f"{name}.py"
    found: list[Case] = []
    if module.exists():
        cases = importlib.import_module(f"{__package__}.{file.parent.name}.{name}")
        found = [*cases.LOUD, *cases.SILENT]
    own = set(rules_of(file))
    assert {case.rule for case in found} <= own
    by_id = {one.id: one for one in all_rules()}
    fixed = {one for one in own if one in by_id and by_id[one].automatic}
    executed = {rule for case in found if case.fix for rule in (case.rule, *case.also)}
    assert fixed - executed <= set(NOT_EXECUTED)


def test_every_file_of_rules_is_in_the_folder_of_its_library() -> None:
    for file in FILES:
        library = content_of(file)["library"]
        assert file.parent.name in (library.lower(), f"{library}2")


def test_a_codemod_stands_in_the_folder_of_its_rules() -> None:
    folder = {rule: file.parent.name for file in FILES for rule in rules_of(file)}
    shared = "sklearn.whole_numbers"
    for rule, codemods in hand_written().items():
        for one in codemods:
            *_, library, module = one.module.split(".")
            assert library == folder[rule] or f"{library}.{module}" == shared


def test_every_codemod_belongs_to_a_rule_and_the_other_way_round() -> None:
    named = {one.id for one in all_rules() for fix in one.fixes if isinstance(fix, Hand)}
    assert named == set(hand_written())


def test_no_codemod_asks_for_the_id_of_its_rule() -> None:
    asking = [
        file
        for file in FOLDER.rglob("*.py")
        if file.stem != "aliases" and re.search(r"\.rule\.id\b", file.read_text("utf-8"))
    ]
    assert asking == []


def test_every_table_is_read_by_a_codemod() -> None:
    tables = [
        f'table("{content_of(file)["library"]}", "{name}", '
        for file in FILES
        for name in content_of(file).get("tables", ())
    ]
    codemods = "\n".join(path.read_text("utf-8") for path in FOLDER.glob("*/*.py"))
    assert {table: codemods.count(table) for table in tables} == dict.fromkeys(tables, 1)
