"""Check that the docstrings, comments and test names of each room are in plain English.

    python scripts/plain_english.py [--worst N]

CONTRIBUTING.md has the rules. A room is a folder of the package, or a folder of the checkout.
`--worst` prints the texts to rewrite first.
"""

from __future__ import annotations

import argparse
import ast
import io
import re
import subprocess
import sys
import tokenize
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

PACKAGE = "mle_modernizer_server"
CODE = (PACKAGE, "benchmarks", "examples", "scripts", "src")
TESTS = ("tests", "ui-tests")
LONGEST_TEST_NAME = 60
LIMITS = {"what": 2.0, "where": 2.0, "dialect": 4.0, "wh-functions": 1.0, "long-test-names": 1.0}
"""Hits per 1,000 words, per cent of the functions with a docstring, per cent of the tests."""
PATTERNS = {
    "what": re.compile(r"\bwhat(ever)?\b", re.IGNORECASE),
    "where": re.compile(r"\bwhere(ver)?\b", re.IGNORECASE),
    "dialect": re.compile(
        r"\b(told|tells?|said|says?|shown|kept|held(?![- ]out)|given|gives?|gave|stands?|stood|"
        r"lies|lay|beside|"
        r"gone|asked|wanted|wish(es)?|mend(s|ed|ing)?|came of|comes of|goes on|put up|has its say|"
        r"speaks? of|taken apart|made of it|at rest|by hand|on the way)\b",
        re.IGNORECASE,
    ),
}
_WORD = re.compile(r"[A-Za-z][A-Za-z'’-]*")
_WH_WORD = re.compile(r"(what|whether|which|who|how|where|why|whatever)\b", re.IGNORECASE)
_TEST = re.compile(r"^ *(?:async )?def (test_\w+)", re.MULTILINE)
_TS_COMMENT = re.compile(r"/\*\*?(.*?)\*/|(?<![:'\"])//([^\n]*)", re.DOTALL)
_DIRECTIVES = ("#!", "# noqa", "# type:", "# ruff")


@dataclass(frozen=True)
class Text:
    """A docstring or a comment.

    Attributes:
        place: File and line.
        words: The text.
        of_function: Whether it is the docstring of a function.
    """

    place: str
    words: str
    of_function: bool = False


@dataclass
class Room:
    """The texts and the test names of a room."""

    texts: list[Text] = field(default_factory=list)
    tests: list[str] = field(default_factory=list)

    def figures(self) -> dict[str, float]:
        """Return the figures that `LIMITS` bounds."""
        words = sum(len(_WORD.findall(text.words)) for text in self.texts) or 1
        found = {
            name: 1000 * sum(len(pattern.findall(text.words)) for text in self.texts) / words
            for name, pattern in PATTERNS.items()
        }
        functions = [text for text in self.texts if text.of_function]
        wh_words = [text for text in functions if _WH_WORD.match(text.words.strip())]
        long = [name for name in self.tests if len(name) > LONGEST_TEST_NAME]
        found["wh-functions"] = 100 * len(wh_words) / (len(functions) or 1)
        found["long-test-names"] = 100 * len(long) / (len(self.tests) or 1)
        return {name: round(figure, 1) for name, figure in found.items()}


def python_texts(file: str, source: str) -> Iterator[Text]:
    """Return the docstrings, the texts under attributes and the comments of a Python file."""
    for node in ast.walk(ast.parse(source)):
        body = getattr(node, "body", None)
        for at, statement in enumerate(body if isinstance(body, list) else []):
            match statement:
                case ast.Expr(ast.Constant(str(words))):
                    is_function = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
                    yield Text(f"{file}:{statement.lineno}", words, is_function and at == 0)
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT and not token.string.startswith(_DIRECTIVES):
            yield Text(f"{file}:{token.start[0]}", token.string.lstrip("# "))


def typescript_texts(file: str, source: str) -> Iterator[Text]:
    """Return the comments of a TypeScript file."""
    for match in _TS_COMMENT.finditer(source):
        words = re.sub(r"^\s*\*", "", match[1] or match[2] or "", flags=re.MULTILINE)
        yield Text(f"{file}:{source.count(chr(10), 0, match.start()) + 1}", words)


def rooms() -> dict[str, Room]:
    """Return the rooms of the checkout with their texts."""
    listed = subprocess.run(["git", "ls-files"], capture_output=True, text=True, check=True)
    found: dict[str, Room] = defaultdict(Room)
    for name in listed.stdout.splitlines():
        file = Path(name)
        top = file.parts[0]
        if top not in (*CODE, *TESTS) or file.suffix not in (".py", ".ts", ".tsx"):
            continue
        if not file.is_file():  # deleted and not committed yet
            continue
        depth = 3 if name.startswith(f"{PACKAGE}/fixing/") else 2
        depth = depth if top in (PACKAGE, "src", "tests") else 1
        room = found["/".join(file.parts[: min(depth, len(file.parts) - 1)])]
        source = file.read_text("utf-8")
        if file.suffix == ".py":
            room.tests += _TEST.findall(source) if top in TESTS else []
            room.texts += python_texts(name, source) if top in CODE else []
        else:
            room.texts += typescript_texts(name, source)
    return dict(sorted(found.items()))


def worst(texts: list[Text], count: int) -> list[Text]:
    """Return the texts with the most hits for their length."""

    def density(text: Text) -> float:
        hits = sum(len(pattern.findall(text.words)) for pattern in PATTERNS.values())
        return hits / (8 + len(text.words.split()))

    return sorted(texts, key=density, reverse=True)[:count]


def main() -> int:
    """Run the command; return 1 if a figure is above its limit."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--worst", type=int, default=0, help="texts to print for each room")
    options = parser.parse_args()
    failed = False
    for name, room in rooms().items():
        figures = room.figures()
        above = [key for key, figure in figures.items() if figure > LIMITS[key]]
        failed = failed or bool(above)
        if above or options.worst:
            print(f"{name}: {', '.join(f'{key} {figure}' for key, figure in figures.items())}")
        for key in above:
            print(f"  {key}: {figures[key]} (at most {LIMITS[key]})")
        for text in worst(room.texts, options.worst or 3 * bool(above)):
            print(f"  {text.place}: {' '.join(text.words.split())[:160]}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
