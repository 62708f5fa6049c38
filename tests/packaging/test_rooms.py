"""The shape of the rooms: few boxes, no circle, a map in every folder."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
MOST_BOXES = {"execution": 20, "workflow": 15}


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


def test_circles_and_floors_are_seen(rooms: ModuleType) -> None:
    assert rooms.circles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}) == [["a", "b", "c"]]
    assert rooms.floors({"a": {"b"}, "b": {"c"}, "c": set()}) == 3
