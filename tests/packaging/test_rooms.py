"""The shape of the rooms: few boxes, no circle, a map in every folder."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
MOST_BOXES = {"execution": 20, "workflow": 15}
SERIES = (
    "fixing.rules.libraries.",  # codemods
    "code.types.",  # what is known of one library each
    "improving.candidates.",  # codemods
    "execution.kernel.inside.",  # sent into a kernel as text
    "execution.sandboxes.socket_relay",  # sent into a sandbox as text
    "execution.pip.runner",  # likewise
    "web.",  # routes of one subject each
)
"""Where a short file is one of many alike, or is read as text."""


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


def test_rooms_have_few_boxes_on_clear_floors(
    rooms: ModuleType, graph: dict[str, set[str]]
) -> None:
    for room in sorted({name.split(".")[0] for name in graph if "." in name}):
        boxes = rooms.boxes(graph, room)
        assert rooms.circles(boxes) == [], room
        assert len(boxes) <= MOST_BOXES.get(room, len(boxes)), sorted(boxes)


def test_no_file_is_a_fragment_of_another(rooms: ModuleType, graph: dict[str, set[str]]) -> None:
    fragments = [
        f"{name} belongs into {importer}"
        for name, path in rooms.modules().items()
        if path.name != "__init__.py"
        and not any(name.startswith(series) for series in SERIES)
        and len(path.read_text("utf-8").splitlines()) < 60
        and len(importers := [other for other in graph if name in graph[other]]) == 1
        for importer in importers
        # The folder's own map is its door, and another room's only importer is no reason to move.
        if importer != name.rpartition(".")[0] and importer.split(".")[0] == name.split(".")[0]
    ]
    assert fragments == []


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
