"""The requirements of a method that a paper states, with places and values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from mle_modernizer_server.domain.paper import (
    Evidence,
    Paper,
    PaperTable,
    Place,
    Requirement,
    Statement,
    Topic,
)
from mle_modernizer_server.reproducing.sentences import Sentence, sentences

_FILE = Path(__file__).with_name("requirements.yaml")
_MOST_EVIDENCE = 5
_CITED = re.compile(r"\[((?:@[^\s;\]]+)(?:; ?@[^\s;\]]+)*|\d{1,3}(?:, ?\d{1,3})*)\]")
FOLLOWS = re.compile(
    r"\b(?:following|follow|same (?:as|settings?|setup|hyper-?parameters|architecture|split|"
    r"preprocessing|(?:[\w-]+ ){1,3}as)|as (?:in|described in|used (?:in|by)|proposed (?:in|by))|"
    r"identical to|based on|adopt(?:ed)?|borrow(?:ed)?)\b",
    re.IGNORECASE,
)
_OURS = re.compile(r"\b(?:[Ww]e|[Oo]ur|is set|are set|was set|were|was|used)\b")
SETUP = re.compile(
    r"experiment|setup|setting|implementation|training|detail|hyper|appendix|method|data|evaluation",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class _Rule:
    name: str
    topic: Topic
    states: tuple[re.Pattern[str], ...]
    only_if: tuple[re.Pattern[str], ...]
    unless: tuple[re.Pattern[str], ...]
    assumption: str

    @property
    def named(self) -> re.Pattern[str]:
        """Return a pattern of its name in words."""
        words = self.name.replace("_", "[ -]?").replace("optimiser", "optimi[sz]er")
        return re.compile(rf"\b{words}s?\b", re.IGNORECASE)


@cache
def _rules() -> tuple[_Rule, ...]:
    entries: dict[str, dict[str, Any]] = yaml.safe_load(_FILE.read_text("utf-8"))

    def patterns(entry: dict[str, Any], field: str) -> tuple[re.Pattern[str], ...]:
        return tuple(re.compile(text, re.IGNORECASE) for text in entry.get(field, ()))

    return tuple(
        _Rule(
            name=name,
            topic=Topic(entry["topic"]),
            states=patterns(entry, "states"),
            only_if=patterns(entry, "only_if"),
            unless=patterns(entry, "unless"),
            assumption=str(entry.get("assumption", "")),
        )
        for name, entry in entries.items()
    )


def checklist_of(paper: Paper) -> tuple[Requirement, ...]:
    """Return the requirements of a paper's method, with the paper's statements about each."""
    said = list(sentences(paper))
    whole = " ".join(sentence.text for sentence in said)
    networks = len(re.findall(r"\b(?:neural|networks?|deep|layers?|epochs?)\b", whole, re.I))
    return tuple(
        _requirement(rule, paper, said)
        for rule in _rules()
        if _applies(rule, whole, about_networks=networks > 5)
    )


def _applies(rule: _Rule, text: str, *, about_networks: bool) -> bool:
    """Return whether a requirement makes sense for a paper."""
    if rule.only_if and not any(pattern.search(text) for pattern in rule.only_if):
        return False
    return about_networks or not any(pattern.search(text) for pattern in rule.unless)


def _requirement(rule: _Rule, paper: Paper, said: Sequence[Sentence]) -> Requirement:
    found = [*_in_tables(rule, paper.tables), *_in_sentences(rule, said)]
    found.sort(key=lambda one: -one[0])
    evidence = tuple(item for _, item in found[:_MOST_EVIDENCE])
    if not evidence:
        statement = Statement.NOT_STATED
    elif not evidence[0].value and evidence[0].references and FOLLOWS.search(evidence[0].quote):
        statement = Statement.CITED
    else:
        statement = Statement.STATED
    return Requirement(
        name=rule.name,
        topic=rule.topic,
        statement=statement,
        value=next((item.value for item in evidence if item.value), ""),
        evidence=evidence,
        assumption=rule.assumption if statement is not Statement.STATED else "",
    )


def _in_sentences(rule: _Rule, said: Iterable[Sentence]) -> list[tuple[float, Evidence]]:
    found: list[tuple[float, Evidence]] = []
    for sentence in said:
        # A year or a number in a citation is no value.
        words = _CITED.sub(lambda cited: " " * len(cited[0]), sentence.text)
        match = next((hit for pattern in rule.states if (hit := pattern.search(words))), None)
        if match is None and FOLLOWS.search(words) and _CITED.search(sentence.text):
            match = rule.named.search(words)  # "the same batch size as [3]"
        if match is None:
            continue
        value = match.groupdict().get("v") or ""
        references = tuple(
            key.strip().lstrip("@")
            for cited in _CITED.findall(sentence.text)
            for key in re.split(r"[;,]", cited)
        )
        weight = (
            2.0 * bool(value)
            + bool(_OURS.search(sentence.text))
            + 1.5 * bool(SETUP.search(sentence.section.title))
            - 0.5 * (len(sentence.text) > 400)
            - (sentence.section.title.lower() in ("abstract", "introduction", "conclusion"))
        )
        evidence = Evidence(
            value=" ".join(value.split()),
            quote=sentence.text[:500],
            place=sentence.place,
            references=references,
        )
        found.append((weight, evidence))
    return found


def _in_tables(rule: _Rule, tables: Sequence[PaperTable]) -> list[tuple[float, Evidence]]:
    """Find the requirement in tables of settings: a row whose first cell names it."""
    name = re.compile(
        rf"^(?:\w+ )?{rule.name.replace('_', '[ _-]?')}s?$".replace("optimiser", "optimi[sz]er"),
        re.IGNORECASE,
    )
    found: list[tuple[float, Evidence]] = []
    for index, table in enumerate(tables):
        for row_index, row in enumerate(table.rows):
            if not name.match(row[0].text.strip(" :")) or len(row) < 2:
                continue
            values = list(dict.fromkeys(cell.text for cell in row[1:] if cell.text))
            place = Place(section=table.section, table=index, row=row_index, page=table.page)
            quote = " | ".join(cell.text for cell in row)[:500]
            if values:
                found.append((5.0, Evidence(value=" / ".join(values), quote=quote, place=place)))
    return found
