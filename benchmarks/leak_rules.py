"""How many planted leaks the rules find, and how many sound notebooks they complain about.

`leaks/planted.yaml` holds notebooks with one leak each, `leaks/clean.yaml` notebooks without.
A leak counts as found if its kind is reported for the cell it is in. Nothing runs.

    python benchmarks/leak_rules.py [--notebooks FOLDER --target COLUMN ...]

With `--notebooks` it lists what the rules say of the notebooks in a folder, each with its code.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from mle_modernizer_server.domain.improvement import Leak, LeakKind
from mle_modernizer_server.domain.notebook import Cell, CellType, Notebook
from mle_modernizer_server.domain.own_competition import SplitKind
from mle_modernizer_server.improving.code.pipeline import Pipeline
from mle_modernizer_server.improving.guards.leakage import leaks

_FOLDER = Path(__file__).parent / "leaks"


@dataclass(frozen=True)
class Sample:
    """A notebook with what is known of its competition, and the leak that was planted.

    Attributes:
        name: What is special about it.
        cells: Sources of its code cells.
        target: Columns that are to be predicted.
        split: How the competition's own data are split.
        column: The group's or the time's column.
        finds: The planted leak; None where there is none.
        at: The code cell it is in, from 1.
    """

    name: str
    cells: Sequence[str]
    target: Sequence[str] = field(default=("y",))
    split: SplitKind = SplitKind.RANDOM
    column: str | None = None
    finds: LeakKind | None = None
    at: int = 0

    def found(self) -> list[Leak]:
        """What the rules say of it."""
        cells = tuple(
            Cell(id=f"c{number}", type=CellType.CODE, source=source)
            for number, source in enumerate(self.cells)
        )
        return leaks(Pipeline(Notebook(cells=cells)), self.target, self.split, self.column)


def samples(name: str) -> list[Sample]:
    """The notebooks of one file."""
    known = yaml.safe_load((_FOLDER / f"{name}.yaml").read_text("utf-8"))
    return [
        Sample(
            name=one["name"],
            cells=one["cells"],
            target=[one["target"]] if isinstance(one["target"], str) else one["target"],
            split=SplitKind(one.get("split", "random")),
            column=one.get("column"),
            finds=LeakKind(one["finds"]) if "finds" in one else None,
            at=one.get("at", 0),
        )
        for one in known
    ]


def strangers(folder: Path, target: Sequence[str]) -> Iterator[Sample]:
    """The notebooks below a folder, as competitions with these targets and a random split."""
    for path in sorted(folder.rglob("*.ipynb")):
        cells = json.loads(path.read_text("utf-8")).get("cells", [])
        sources = ["".join(one["source"]) for one in cells if one["cell_type"] == "code"]
        yield Sample(str(path.relative_to(folder)), sources, target)


def main() -> None:
    """Print what is missed and what is wrongly reported, and the shares."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--notebooks", type=Path)
    parser.add_argument("--target", nargs="+", default=["y"])
    given = parser.parse_args()
    if given.notebooks is not None:
        _list(strangers(given.notebooks, given.target))
        return
    planted, clean = samples("planted"), samples("clean")
    seen = 0
    for one in planted:
        found = one.found()
        hit = any((leak.kind, leak.cell) == (one.finds, one.at) for leak in found)
        seen += hit
        if not hit:
            print(f"missed: {one.name}: {[(leak.kind.value, leak.cell) for leak in found]}")
    alarms = 0
    for one in clean:
        found = one.found()
        alarms += bool(found)
        for leak in found:
            print(f"false alarm: {one.name}: {leak.kind.value} in cell {leak.cell}, {leak.line}")
    print(f"planted leaks found: {seen} of {len(planted)}")
    print(f"sound notebooks with an alarm: {alarms} of {len(clean)} ({alarms / len(clean):.1%})")


def _list(known: Iterator[Sample]) -> None:
    count = with_leaks = 0
    for one in known:
        found = one.found()
        count += 1
        with_leaks += bool(found)
        for leak in found:
            line = one.cells[leak.cell - 1].splitlines()[leak.line - 1].strip()
            where = f"{one.name}: cell {leak.cell}, line {leak.line}"
            print(f"{where}: {leak.kind.value} {leak.name}: {line[:100]}")
    print(f"notebooks with a leak: {with_leaks} of {count}")


if __name__ == "__main__":
    main()
