"""Patches of both kinds as data: cheats, and faithful edits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from textwrap import dedent
from typing import Any

import yaml

from mle_modernizer_server.domain.notebook import Cell, CellType, Notebook, source_hash
from mle_modernizer_server.domain.proposal import CellEdit, EditKind
from mle_modernizer_server.fixing.integrity import classify
from tests.fixing.rules.executed.discovered import EVERY
from tests.fixing.rules.rewriting import cells

_HERE = Path(__file__).parent
_TARGETS = {
    "survival": frozenset({"Survived"}),
    "prices": frozenset({"Price"}),
    "network": frozenset({"Label"}),
}
ONLY_RUNS = frozenset(
    {"a rule's labels in place of the labels", "the outputs of an earlier run of the notebook"}
)
"""Cheats that no reading of the code sees: their values do depend on the model, in the text."""


@dataclass(frozen=True)
class Example:
    """A patch and what it is for.

    Attributes:
        name: What it does.
        kind: What kind of cheat or of faithful edit it is.
        notebook: What it was made for.
        edits: The patch.
        base: Name of the notebook, where it is one of the shared ones.
    """

    name: str
    kind: str
    notebook: Notebook
    edits: tuple[CellEdit, ...]
    base: str = ""


def edit(cell_id: str, before: str, after: str) -> CellEdit:
    """An edit of a cell as a model's reply makes it."""
    made = CellEdit(
        id=f"edit-{cell_id}",
        kind=EditKind.MODIFY,
        cell_id=cell_id,
        base_source=before,
        base_hash=source_hash(before),
        new_source=after,
    )
    return made.model_copy(update={"meaning": classify(made)})


def notebook_of(sources: dict[str, str]) -> Notebook:
    """A notebook of code cells by id."""
    return Notebook(
        cells=tuple(
            Cell(id=name, type=CellType.CODE, source=source.rstrip("\n"))
            for name, source in sources.items()
        )
    )


@cache
def _written(name: str) -> dict[str, Any]:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    data: dict[str, Any] = yaml.load((_HERE / name).read_text("utf-8"), Loader=loader)
    return data


def names_of_cheats() -> tuple[str, ...]:
    """What the cheats of `cheats.yaml` are called."""
    return tuple(item["name"] for item in _written("cheats.yaml")["cheats"])


@cache
def cheats() -> tuple[Example, ...]:
    """The cheats of `cheats.yaml`."""
    data = _written("cheats.yaml")
    return tuple(_example(item, data["notebooks"]) for item in data["cheats"])


def targets_of(example: Example) -> frozenset[str]:
    """The columns that hold predictions, as the competition of a cheat's notebook says."""
    return _TARGETS.get(example.base, frozenset())


HELD_OUT = ("held_out.yaml", "held_out_second.yaml", "held_out_third.yaml")
"""The parts that were written after the checks, the older one first."""


@cache
def held_out_cheats(part: str = HELD_OUT[0]) -> tuple[Example, ...]:
    """The cheats of a held-out part."""
    notebooks = _written("cheats.yaml")["notebooks"]
    return tuple(_example(item, notebooks) for item in _written(part)["cheats"])


@cache
def faithful() -> tuple[Example, ...]:
    """The faithful edits of `faithful.yaml`: code before and after, in a notebook of its own."""
    return _faithful("faithful.yaml")


@cache
def held_out_faithful(part: str = HELD_OUT[0]) -> tuple[Example, ...]:
    """The faithful edits of a held-out part, as `faithful`."""
    return _faithful(part)


def _faithful(name: str) -> tuple[Example, ...]:
    data = _written(name)
    notebooks = _written("cheats.yaml")["notebooks"]
    setup = _written("faithful.yaml")["setup"]
    found = [_example(item, notebooks) for item in data["patches"]]
    for item in data["edits"]:
        around = {
            "before": setup,
            "edited": item["old"],
            "after": item.get("then", "x = 1"),
        }
        found.append(
            Example(
                name=item.get("name", item["new"].splitlines()[0]),
                kind=item["kind"],
                notebook=notebook_of(around),
                edits=(edit("edited", item["old"].rstrip("\n"), item["new"].rstrip("\n")),),
            )
        )
    return tuple(found)


def of_rules() -> Iterator[Example]:
    """The edits that the rules make of their own executed examples, as if a model had made them."""
    for case in EVERY:
        if not case.fix:
            continue
        try:
            setup, new = cells(dedent(case.setup), case.code, rules=(case.rule, *case.also))
        except AssertionError:
            continue  # needs the errors of a run
        if new != case.code:
            book = notebook_of({"before": setup, "edited": case.code})
            made = edit("edited", book.cells[1].source, new)
            yield Example(case.rule, "rule", book, (made,))


def _example(item: dict[str, Any], notebooks: dict[str, dict[str, str]]) -> Example:
    notebook = notebook_of(notebooks[item["notebook"]])
    return Example(
        item["name"], item["kind"], notebook, _edits(item["edits"], notebook), item["notebook"]
    )


def _edits(changes: Sequence[dict[str, str]], notebook: Notebook) -> tuple[CellEdit, ...]:
    sources = {cell.id: cell.source for cell in notebook.cells}
    after = dict(sources)
    for change in changes:
        name = change["cell"]
        if change["old"] in after[name]:
            after[name] = after[name].replace(
                change["old"].rstrip("\n"), change["new"].rstrip("\n")
            )
    return tuple(
        edit(name, source, after[name]) for name, source in sources.items() if after[name] != source
    )
