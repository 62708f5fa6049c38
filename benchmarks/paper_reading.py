"""How well papers are read: sections, cells of tables and references against a truth made by hand.

    python benchmarks/paper_reading.py PAPERS TRUTH [--show]

PAPERS holds `NAME.tar.gz` (LaTeX) and `NAME.pdf`, TRUTH a `NAME.json` for both:

    {"title": "…",
     "sections": [{"level": 1, "number": "1", "title": "…", "only": "pdf", "optional": false}, …],
     "tables": [{"number": "1", "rows": [["Method", "Accuracy"], …]}, …],
     "references": {"count": 32, "titles": ["…", …]}}

Cells that span are repeated in each column and row, as `TableCell` has them. `only` names the
format that prints a heading, and what is `optional` counts neither as right nor as wrong.

- A section is right where its title stands in its place in the order, with its level.
- A cell is right where its text is right, in its row and column: rows and columns of both tables
  are brought into correspondence in their order, each as a whole. White space, dashes and citations
  are not compared, and a number that the source has with more digits than are printed is rounded.
- A reference is right where one was found with its title.

`+` are those found that no truth has. Seconds are processor time of the process that reads, memory
its peak. Prints and asserts nothing.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import re
import resource
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from mle_modernizer_server.domain.errors import BadPaper
from mle_modernizer_server.domain.paper import Paper, PaperFormat
from mle_modernizer_server.papers.read import read_paper

Rows = Sequence[Sequence[str]]
_CITATION = re.compile(r"\[@[^\]]*\]|\([^()]*\b(?:19|20)\d\d[a-z]?\)")
_DASHES = dict.fromkeys(map(ord, "‐‑‒–—−"), "-") | {ord("∼"): "~", ord("’"): "'"}


def plain(text: str) -> str:
    """A text without what is not compared."""
    text = unicodedata.normalize("NFKC", _CITATION.sub("", text)).translate(_DASHES)
    return re.sub(r"[\s$_^{}\\]", "", text).casefold()


def same(truth: str, read: str) -> bool:
    """Whether a cell says the same, with the digits that are printed."""
    if plain(truth) == plain(read):
        return True
    digits = re.fullmatch(r"-?\d+\.(\d+)", truth)
    if digits is None or not re.fullmatch(r"-?\d+\.\d{5,}", plain(read)):
        return False
    return f"{float(plain(read)):.{len(digits[1])}f}" == truth


def pairs(wide: int, high: int, worth: Callable[[int, int], float]) -> list[tuple[int, int]]:
    """Which of `wide` things correspond to which of `high`, in their order, for the most worth."""
    best = [[0.0] * (high + 1) for _ in range(wide + 1)]
    for one in range(1, wide + 1):
        for other in range(1, high + 1):
            both = best[one - 1][other - 1] + worth(one - 1, other - 1)
            best[one][other] = max(both, best[one - 1][other], best[one][other - 1])
    found: list[tuple[int, int]] = []
    one, other = wide, high
    while one and other:
        if best[one][other] == best[one - 1][other]:
            one -= 1
        elif best[one][other] == best[one][other - 1]:
            other -= 1
        else:
            one, other = one - 1, other - 1
            found.append((one, other))
    return found[::-1]


def right_cells(truth: Rows, read: Rows) -> set[tuple[int, int]]:
    """The cells of the truth, by row and column, that a table has."""
    if not truth or not read:
        return set()

    def alike(one: int, other: int) -> float:
        texts = [plain(row[other]) for row in read]
        return sum(bool(row[one]) and plain(row[one]) in texts for row in truth)

    columns = pairs(len(truth[0]), len(read[0]), alike)

    def equal(one: int, other: int) -> list[int]:
        return [a for a, b in columns if truth[one][a] and same(truth[one][a], read[other][b])]

    rows = pairs(len(truth), len(read), lambda one, other: len(equal(one, other)))
    return {(one, column) for one, other in rows for column in equal(one, other)}


def _matched(truth: Sequence[Rows], read: Sequence[Rows]) -> list[tuple[Rows, Rows]]:
    """Each table of the truth with the table that was read for it: the most alike ones first."""
    alike = [
        (len(right_cells(one, other)), i, j)
        for i, one in enumerate(truth)
        for j, other in enumerate(read)
    ]
    found: dict[int, int] = {}
    for cells, one, other in sorted(alike, key=lambda pair: -pair[0]):
        if cells and one not in found and other not in found.values():
            found[one] = other
    return [(rows, read[found[i]] if i in found else []) for i, rows in enumerate(truth)]


def tables(truth: dict[str, Any], paper: Paper, show: bool) -> Counter[str]:
    """The cells of all tables of the truth: how many, right, and found beside them."""
    counts: Counter[str] = Counter()
    read = [[[cell.text for cell in row] for row in table.rows] for table in paper.tables]
    for rows, found in _matched([one["rows"] for one in truth["tables"]], read):
        right = right_cells(rows, found)
        cells = {(i, j) for i, row in enumerate(rows) for j, text in enumerate(row) if text}
        counts["more"] += sum(bool(text) for row in found for text in row) - len(right)
        counts["cells"] += len(cells)
        counts["right"] += len(right)
        if show and len(right) < len(cells):
            missed = sorted(cells - right)
            print(f"   table of {rows[0]}: {len(cells) - len(right)} of {len(cells)} missed")
            print("      ", [rows[i][j] for i, j in missed[:8]])
            for row in found[:6]:
                print("        |", row)
    return counts


def sections(truth: dict[str, Any], paper: Paper, format: str, show: bool) -> Counter[str]:
    """The sections: how many, found, with the right level and number, and found beside them."""
    wanted = [one for one in truth["sections"] if one.get("only", format) == format]
    optional = {plain(one["title"]) for one in wanted if one.get("optional")}
    wanted = [one for one in wanted if not one.get("optional")]
    read = [one for one in paper.sections if one.title and plain(one.title) not in optional]

    def worth(one: int, other: int) -> float:
        known, found = wanted[one], read[other]
        if plain(known["title"]) != plain(found.title):
            return 0.0
        alike = (known["level"] == found.level) + (known["number"] == found.number)
        return 1.0 + 0.1 * int(alike)

    matched = pairs(len(wanted), len(read), worth)
    level = sum(wanted[one]["level"] == read[other].level for one, other in matched)
    if show:
        seen = {one for one, _ in matched}
        print("   sections missed:", [w["title"] for i, w in enumerate(wanted) if i not in seen])
        seen = {other for _, other in matched}
        print("   sections beside:", [one.heading for i, one in enumerate(read) if i not in seen])
        for one, other in matched:
            known, found = wanted[one], read[other]
            if (known["level"], known["number"]) != (found.level, found.number):
                print("     ", known["level"], known["number"], "≠", found.level, found.heading)
    return Counter(
        sections=len(wanted),
        found=level,
        number=sum(wanted[one]["number"] == read[other].number for one, other in matched),
        beside=len(read) - len(matched),
    )


def references(truth: dict[str, Any], paper: Paper, show: bool) -> Counter[str]:
    """References: how many there are, were found, were looked at, and have the right title."""

    def found(title: str) -> bool:
        return any(
            SequenceMatcher(None, plain(title), plain(one.title)).ratio() > 0.95
            for one in paper.references
        )

    titles = truth["references"]["titles"]
    right = [title for title in titles if found(title)]
    if show and len(right) < len(titles):
        print("   references missed:", [title for title in titles if title not in right])
    return Counter(
        references=truth["references"]["count"],
        listed=len(paper.references),
        looked=len(titles),
        titles=len(right),
    )


def measured(file: str) -> tuple[Paper | str, float, float]:
    """A paper (or why there is none), and what reading it took: seconds and megabytes."""
    try:
        paper: Paper | str = read_paper(Path(file))
    except BadPaper as error:
        paper = repr(error)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return paper, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def main() -> None:
    """Print a line a paper and format, and the sums."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("papers", type=Path)
    parser.add_argument("truth", type=Path)
    parser.add_argument("--show", action="store_true", help="print what is missed")
    parser.add_argument("--only", default="", help="a paper's name")
    options = parser.parse_args()
    pool = multiprocessing.get_context("spawn").Pool(1, maxtasksperchild=1)  # each its own peak
    print("| paper | format | sections | + | numbers | cells | + | references | titles | s | MB |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    for suffix, format in ((".tar.gz", "latex"), (".pdf", "pdf")):
        total: Counter[str] = Counter()
        for file in sorted(options.truth.glob("*.json")):
            place = options.papers / f"{file.stem}{suffix}"
            if not place.exists() or options.only not in file.stem:
                continue
            truth = json.loads(file.read_text(encoding="utf-8"))
            paper, seconds, megabytes = pool.apply(measured, (str(place),))
            if isinstance(paper, str):
                print(f"| {file.stem} | {format} | not read: {paper} |")
                paper = Paper(format=PaperFormat(format), sections=())
            counts = sections(truth, paper, format, options.show)
            counts += tables(truth, paper, options.show)
            counts += references(truth, paper, options.show)
            total += counts
            print(_line(file.stem, format, counts, f"{seconds:.1f} | {megabytes:.0f}"), flush=True)
        print(_line("all", format, total, " | "))


def _line(name: str, format: str, counts: Counter[str], used: str) -> str:
    def share(right: str, all: str) -> str:
        return f"{counts[right]}/{counts[all]}"

    cells = share("right", "cells")
    if name == "all" and counts["cells"]:
        cells += f" ({counts['right'] / counts['cells']:.1%})"
    return (
        f"| {name} | {format} | {share('found', 'sections')} | {counts['beside']} | "
        f"{share('number', 'sections')} | {cells} | {counts['more']} | "
        f"{share('listed', 'references')} | {share('titles', 'looked')} | {used} |"
    )


if __name__ == "__main__":
    main()
