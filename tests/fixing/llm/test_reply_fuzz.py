"""Mutated replies: only the parser's own error comes out, and never half a patch."""

from __future__ import annotations

import random
import re

from hypothesis import given, settings
from hypothesis import strategies as st

from mle_modernizer_server.code.cell_syntax import parse_cell
from mle_modernizer_server.domain.notebook import Cell, CellType, Notebook
from mle_modernizer_server.domain.proposal import apply_edits
from mle_modernizer_server.fixing.llm.patch import PatchRules, build_patch
from mle_modernizer_server.fixing.llm.reply import (
    OperationKind,
    UnusableReply,
    parse_reply,
    plan_so_far,
)
from tests.thoroughness import tries

BOOK = Notebook(
    cells=(
        Cell(id="a", type=CellType.CODE, source="import os\nx = 1  # one"),
        Cell(id="text", type=CellType.MARKDOWN, source="# Title"),
        Cell(id="b", type=CellType.CODE, source="for i in range(3):\n    y = i\n    z = y + 1"),
        Cell(id="c", type=CellType.CODE, source="%time w = 2\nv = [1,\n     2]"),
    )
)
RULES = PatchRules(ids={cell.id: cell.id for cell in BOOK.cells}, cut=frozenset({"c"}))
SEEDS = (
    "=== PLAN ===\n- a: new\n=== REPLACE CELL a ===\nimport sys\nx = 2\n=== END ===\n",
    "=== PLAN ===\n- b\n=== EDIT CELL b ===\n<<<<<<< SEARCH\n    y = i\n=======\n    y = 2 * i\n"
    ">>>>>>> REPLACE\n<<<<<<< SEARCH\n    z = y + 1\n=======\n    z = y\n>>>>>>> REPLACE\n"
    "=== INSERT CELL AFTER b ===\nprint(z)\n=== DELETE CELL a ===\n=== END ===\n",
    "Plan:\n1. all\n```python\n=== CELL a ===\nimport os\nx = 3\n=== CELL text ===\n# Title\n"
    "=== CELL b ===\nfor i in range(3):\n    y = i\n=== NEW CELL ===\nu = 1\n=== CELL c ===\n"
    "%time w = 2\nv = [1,\n     2]\n```\n",
    "=== NO FIX ===\nNothing to do.\n=== END ===\n",
)
FRAGMENTS = (
    "=== END ===", "=== PLAN ===", "```", "```python", "=======", "<<<<<<< SEARCH", "===",
    ">>>>>>> REPLACE", "=== CELL a ===", "=== REPLACE CELL zzz ===", "=== DELETE CELL text ===",
    "\r\n", "\x00", "\ud800", "\u2028", "\\", "'''", "(", "%%bash", "!", "?", "\t", "é", "=" * 300,
    "=== INSERT CELL AT START ===", "=== MARKDOWN CELL text ===", "# " + "x" * 500,
)  # fmt: skip

_HEADER = re.compile(r"^\s*={3,}.*\b(?:REPLACE|EDIT|INSERT|DELETE)\b.*===\s*$", re.MULTILINE | re.I)
_BLOCK = re.compile(r"^<{5,9}\s?SEARCH\s*$", re.MULTILINE | re.IGNORECASE)


def survive(text: str, complete: bool | None) -> bool:
    """Read a reply; whether it was taken. What is taken must be whole and sound."""
    plan_so_far(text)
    try:
        reply = parse_reply(text, complete=complete)
        if reply.no_fix:
            return True
        found = build_patch(reply, BOOK, RULES)
    except UnusableReply as error:
        assert str(error)
        return False
    edited = apply_edits(BOOK, found.edits)
    assert edited != BOOK
    named = {edit.cell_id for edit in found.edits}
    assert len(named) == len(found.edits)
    for cell in edited.cells:
        if cell.id not in named:
            assert cell == BOOK.cell(cell.id)
        elif cell.type is CellType.CODE:
            parse_cell(cell.source)
    if all(operation.kind is not OperationKind.CELL for operation in reply.operations):
        assert len(_HEADER.findall(text)) == len(reply.operations)
        # two edits of one cell are one mistake, and neither is carried out
        carried_out = len(found.edits) + len(found.mistakes)
        assert len(found.edits) <= len(reply.operations)
        assert carried_out == len(reply.operations) or found.mistakes
        blocks = sum(len(operation.blocks) for operation in reply.operations)
        assert len(_BLOCK.findall(text)) == blocks
    return True


def mutated(text: str, chance: random.Random) -> str:
    for _ in range(chance.randint(1, 4)):
        lines = text.split("\n")
        at = chance.randrange(len(lines))
        what = chance.randrange(8)
        if what == 0:
            del lines[at]
        elif what == 1:
            lines.insert(at, lines[chance.randrange(len(lines))])
        elif what == 2:
            lines.insert(at, chance.choice(FRAGMENTS))
        elif what == 3:
            lines[at] += chance.choice(FRAGMENTS)
        elif what == 4:
            other = chance.randrange(len(lines))
            lines[at], lines[other] = lines[other], lines[at]
        text = "\n".join(lines)
        if not text:
            return text
        spot = chance.randrange(len(text))
        if what == 5:
            text = text[:spot]
        elif what == 6:
            text = text[:spot] + chr(chance.randrange(0x2100)) + text[spot + 1 :]
        elif what == 7:
            text = text[:spot] + text[spot + chance.randrange(1, 12) :]
    return text


def test_thousands_of_mutated_replies_never_break_the_parser() -> None:
    chance = random.Random(20260)
    taken = sum(
        survive(mutated(chance.choice(SEEDS), chance), chance.choice((True, True, None, False)))
        for _ in range(tries(1_500, 6_000))
    )
    assert taken > tries(75, 300)  # the mutations must not all be fatal, or nothing was tested


@settings(max_examples=tries(80, 300))
@given(
    st.lists(
        st.one_of(
            st.sampled_from(FRAGMENTS),
            st.sampled_from([line for seed in SEEDS for line in seed.split("\n")]),
            st.text(max_size=30),
        ),
        max_size=25,
    ),
    st.sampled_from((True, None, False)),
)
def test_any_heap_of_lines_is_read_or_refused(lines: list[str], complete: bool | None) -> None:
    survive("\n".join(lines), complete)
