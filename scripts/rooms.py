"""Print the structure of each room of the package: boxes, arrows, floors, and circles of files.

A box is a file or folder directly in a room, an arrow an import of one box by another, the floors
are the longest chain of arrows, a circle is a set of files that import one another. Imports that
only a type checker sees count as arrows, too.

    python scripts/rooms.py [ROOM ...]
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Mapping
from graphlib import TopologicalSorter
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "mle_modernizer_server"

Graph = Mapping[str, set[str]]


def module_name(path: Path, package: Path = PACKAGE) -> str:
    """Return `domain.session` for `<package>/domain/session.py`, `domain` for its `__init__.py`."""
    parts = path.relative_to(package).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def modules(package: Path = PACKAGE) -> dict[str, Path]:
    """Return the file of each module of the package, by names without the package's."""
    return {module_name(path, package): path for path in sorted(package.rglob("*.py"))}


def file_graph(package: Path = PACKAGE) -> dict[str, set[str]]:
    """Return the imports of each module of the package, by names without the package's."""
    paths = modules(package)
    return {
        name: {
            target
            for target in _imported(path, package.name, name, paths)
            if target not in (name, "")
        }
        for name, path in paths.items()
    }


def _imported(path: Path, package: str, name: str, known: Iterable[str]) -> set[str]:
    modules = set(known)
    inside = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found.update(_within(alias.name, package) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            if node.level:
                base = inside[: len(inside) - node.level + 1]
                origin = ".".join([*base, *([node.module] if node.module else [])])
            elif node.module and (node.module + ".").startswith(f"{package}."):
                origin = _within(node.module, package)
            else:
                continue
            for alias in node.names:
                inner = f"{origin}.{alias.name}" if origin else alias.name
                found.add(inner if inner in modules else origin)
    return found & modules


def _within(name: str, package: str) -> str:
    return name.removeprefix(f"{package}.") if name.startswith(f"{package}.") else ""


def boxes(graph: Graph, room: str) -> dict[str, set[str]]:
    """Return the files and folders directly in a room, and their imports of each other."""
    prefix = f"{room}."

    def box(module: str) -> str | None:
        return module[len(prefix) :].split(".")[0] if module.startswith(prefix) else None

    inside: dict[str, set[str]] = {name: set() for name in map(box, graph) if name is not None}
    for module, targets in graph.items():
        origin = box(module)
        for target in targets if origin is not None else ():
            other = box(target)
            if origin is not None and other is not None and other != origin:
                inside[origin].add(other)
    return inside


def circles(graph: Graph) -> list[list[str]]:
    """Return the sets of nodes that reach one another, each sorted (Tarjan's algorithm)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(node: str) -> None:
        index[node] = low[node] = len(index)
        stack.append(node)
        for target in sorted(graph.get(node, ())):
            if target not in index:
                visit(target)
                low[node] = min(low[node], low[target])
            elif target in stack:
                low[node] = min(low[node], index[target])
        if low[node] == index[node]:
            members = stack[stack.index(node) :]
            del stack[stack.index(node) :]
            if len(members) > 1:
                found.append(sorted(members))

    for node in graph:
        if node not in index:
            visit(node)
    return found


def floors(graph: Graph) -> int | None:
    """Return the length of the longest chain of arrows, in boxes; None if it is a circle."""
    if circles(graph):
        return None
    height: dict[str, int] = {}
    for node in TopologicalSorter(graph).static_order():
        height[node] = 1 + max((height[target] for target in graph.get(node, ())), default=0)
    return max(height.values(), default=0)


def rooms(graph: Graph) -> list[str]:
    """Return the folders of the package, by name."""
    return sorted({name.split(".")[0] for name in graph if "." in name})


def main(asked: list[str]) -> None:
    """Print the table."""
    graph = file_graph()
    print(f"{'room':28} {'files':>6} {'lines':>7} {'boxes':>6} {'arrows':>7} {'floors':>7}")
    for room in asked or rooms(graph):
        inside = boxes(graph, room)
        folder = PACKAGE / Path(*room.split("."))
        files = list(folder.rglob("*.py"))
        lines = sum(len(path.read_text("utf-8").splitlines()) for path in files)
        arrows = sum(len(targets) for targets in inside.values())
        height = floors(inside)
        shown = "circle" if height is None else str(height)
        print(f"{room:28} {len(files):>6} {lines:>7} {len(inside):>6} {arrows:>7} {shown:>7}")
        for circle in circles(inside) if height is None else ():
            print(f"  boxes in a circle: {', '.join(circle)}")
    for circle in circles(graph):
        print(f"files in a circle: {', '.join(circle)}")


if __name__ == "__main__":
    main(sys.argv[1:])
