"""The shape of the rooms: few boxes, no circle, no fragment that belongs to somebody else."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
MOST_BOXES = {"execution": 20, "workflow": 15}
SHORTEST = 60
"""Lines of a module that a single other one imports: a shorter one belongs into that."""


@pytest.fixture(scope="module")
def rooms() -> ModuleType:
    """`scripts/rooms.py`, which prints the same for people."""
    spec = importlib.util.spec_from_file_location("rooms", ROOT / "scripts" / "rooms.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def graph(rooms: ModuleType) -> dict[str, set[str]]:
    found: dict[str, set[str]] = rooms.file_graph()
    return found


def test_no_files_import_one_another_in_a_circle(
    rooms: ModuleType, graph: dict[str, set[str]]
) -> None:
    assert rooms.circles(graph) == []


@pytest.mark.parametrize("room", sorted(MOST_BOXES))
def test_a_room_has_few_boxes_on_clear_floors(
    room: str, rooms: ModuleType, graph: dict[str, set[str]]
) -> None:
    boxes = rooms.boxes(graph, room)
    assert len(boxes) <= MOST_BOXES[room], sorted(boxes)
    assert rooms.circles(boxes) == []


def test_every_folder_says_what_is_in_it(rooms: ModuleType) -> None:
    silent = [
        str(path.relative_to(ROOT))
        for path in rooms.PACKAGE.rglob("__init__.py")
        if len(path.read_text("utf-8").split()) < 5 and len(list(path.parent.glob("*.py"))) > 1
    ]
    assert silent == []


def test_no_fragment_stands_apart_from_its_only_user(
    rooms: ModuleType, graph: dict[str, set[str]]
) -> None:
    importers: dict[str, set[str]] = {}
    for module, targets in graph.items():
        for target in targets:
            importers.setdefault(target, set()).add(module)
    lone = []
    for path in rooms.PACKAGE.rglob("*.py"):
        name = rooms.module_name(path)
        is_sent = "inside" in path.parts  # its text runs in a kernel
        is_codemod = name.startswith("fixing.rules.libraries.")
        if path.name == "__init__.py" or is_sent or is_codemod:
            continue
        users = importers.get(name, set())
        short = len(path.read_text("utf-8").splitlines()) < SHORTEST
        if (
            short
            and len(users) == 1
            and next(iter(users)).rpartition(".")[0] == name.rpartition(".")[0]
        ):
            lone.append(f"{name} (only {next(iter(users))})")
    assert lone == []


def test_circles_and_floors_are_seen(rooms: ModuleType) -> None:
    assert rooms.circles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}) == [["a", "b", "c"]]
    assert rooms.floors({"a": {"b"}, "b": {"c"}, "c": set()}) == 3
