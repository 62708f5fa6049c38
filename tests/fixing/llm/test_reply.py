"""What counts as a usable reply."""

from __future__ import annotations

import pytest

from mle_modernizer_server.domain.notebook import Cell, CellType, Notebook
from mle_modernizer_server.domain.proposal import EditKind, apply_edits
from mle_modernizer_server.fixing.llm.patch import Patch, PatchRules, build_patch
from mle_modernizer_server.fixing.llm.reply import UnusableReply, parse_reply, plan_so_far
from mle_modernizer_server.words import one_text

LONG = "\n".join(f"value_{number} = {number}" for number in range(40))
BOOK = Notebook(
    cells=(
        Cell(id="a", type=CellType.CODE, source="x = 1\ny = 2\n"),
        Cell(id="text", type=CellType.MARKDOWN, source="# Title\n```python\nx\n```"),
        Cell(id="b", type=CellType.CODE, source=LONG),
        Cell(id="py2", type=CellType.CODE, source="print 'hello'\nz = 3"),
        Cell(id="magic", type=CellType.CODE, source="%matplotlib inline\n!ls\nq = 1"),
    )
)


def patch(text: str, **rules: object) -> Patch:
    ids = {cell.id: cell.id for cell in BOOK.cells}
    reply = parse_reply(text, complete=True)
    return build_patch(reply, BOOK, PatchRules(ids=ids, **rules))  # type: ignore[arg-type]


def after(text: str) -> Notebook:
    return apply_edits(BOOK, patch(text).edits)


def source(text: str, cell_id: str) -> str:
    cell = after(text).cell(cell_id)
    assert cell is not None
    return cell.source


def reason(text: str, complete: bool | None = True, **rules: object) -> str:
    with pytest.raises(UnusableReply) as caught:
        ids = {cell.id: cell.id for cell in BOOK.cells}
        reply = parse_reply(text, complete=complete)
        build_patch(reply, BOOK, PatchRules(ids=ids, **rules))  # type: ignore[arg-type]
    return str(caught.value)


def edit(search: str, replace: str, cell: str = "b") -> str:
    return (
        f"=== EDIT CELL {cell} ===\n<<<<<<< SEARCH\n{search}\n=======\n{replace}\n"
        ">>>>>>> REPLACE\n=== END ==="
    )


@pytest.mark.parametrize(
    "text",
    [
        "=== REPLACE CELL a ===\nx = 5\n=== END ===",
        "=== REPLACE CELL a ===\n```python\nx = 5\n```\n=== END ===",
        "```\n=== PLAN ===\n- a\n=== REPLACE CELL a ===\nx = 5\n=== END ===\n```",
        "```\n=== REPLACE CELL a ===\nx = 5\n```\nThat should do.",
        "=== REPLACE CELL a ===\n```python\nx = 5\n```\nThat should do.",
        "Sure!\n\n**=== REPLACE CELL a ===**\n\nx = 5\n\n=== END ===\nAnything else?",
        "=== REPLACE CELL `a` (code, 1f2e) ===\nx = 5\n=== END ===",
        "=== replace cell a ===\r\nx = 5\r\n=== end ===\r\n",
        "==== REPLACE CODE CELL a ====\nx = 5\n==== END ====",
        "  === REPLACE CELL a ===\nx = 5\n  === END ===",
        edit("x = 1\ny = 2", "x = 5", "a"),
    ],
)
def test_one_meaning_in_many_dresses(text: str) -> None:
    assert source(text, "a") == "x = 5\n"


def test_lines_are_found_exactly_and_only_they_change() -> None:
    assert source(edit("value_7 = 7", "value_7 = 70"), "b") == LONG.replace("= 7\n", "= 70\n", 1)


def test_spaces_at_line_ends_do_not_hinder_a_match() -> None:
    assert "value_7 = 70\n" in source(edit("value_7 = 7   ", "value_7 = 70"), "b")


def test_a_piece_of_a_line_may_be_searched() -> None:
    assert "other_17 = 17" in source(edit("value_17", "other_17"), "b")


def test_deleted_lines_leave_no_empty_one() -> None:
    assert source(edit("value_7 = 7", ""), "b") == LONG.replace("value_7 = 7\n", "")


def test_several_blocks_each_see_the_original() -> None:
    text = (
        "=== EDIT CELL a ===\n<<<<<<< SEARCH\nx = 1\n=======\ny = 2\n>>>>>>> REPLACE\nand then\n"
        "<<<<<<< SEARCH\ny = 2\n=======\nx = 1\n>>>>>>> REPLACE\n=== END ==="
    )
    assert source(text, "a") == "y = 2\nx = 1\n"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (edit("value", "v"), "40 times"),
        (edit("value_99 = 1", "v"), "is not in cell b"),
        (edit("", "v"), "is empty"),
        (edit("x", "y", "nope"), "no cell 'nope'"),
        (edit("value_7 = 7", "value_7 = ("), "not valid Python"),
        ("=== EDIT CELL b ===\nvalue_7 = 70\n=== END ===", "no search/replace block"),
        ("=== EDIT CELL b ===\n<<<<<<< SEARCH\nvalue_7 = 7\n=== END ===", "not closed"),
        ("=== EDIT CELL b ===\n<<<<<<< SEARCH\na\n>>>>>>> REPLACE\n=== END ===", "no ======="),
        ("=== EDIT CELL b ===\nvalue\n=======\nv\n>>>>>>> REPLACE\n=== END ===", "outside"),
        (
            "=== EDIT CELL b ===\n<<<<<<< SEARCH\nvalue_1 = 1\n=======\n=======\n"
            ">>>>>>> REPLACE\n=== END ===",
            "two =======",
        ),
        (
            "=== EDIT CELL b ===\n<<<<<<< SEARCH\nvalue_1 = 1\nvalue_2 = 2\n=======\nq = 1\n"
            ">>>>>>> REPLACE\n<<<<<<< SEARCH\nvalue_2 = 2\n=======\nq = 2\n>>>>>>> REPLACE\n"
            "=== END ===",
            "overlap",
        ),
        ("=== REPLACE CELL a ===\n\n=== END ===", "Nothing stands under"),
        ("=== REPLACE CELL a ===\nx = 1\ny = 2\n=== END ===", "changes nothing"),
        ("=== REPLACE CELL text ===\n# New\n=== END ===", "no code cell"),
        ("=== DELETE CELL text ===\n=== END ===", "no code cell"),
        ("=== INSERT CELL AFTER a ===\nif:\n=== END ===", "not valid Python"),
        ("=== CELL a ===\nx = 5\n=== END ===", "without the code cells b, py2, magic"),
        ("=== CELL a ===\nx = 5\n=== DELETE CELL b ===\n=== END ===", "mixes"),
        ("=== NO FIX ===\nNo.\n=== DELETE CELL b ===\n=== END ===", "Decide for one"),
        ("```python\nx = 5\n```", "changes no cell"),
        ("   \n ", "empty"),
        ("=== PLAN ===\n- a\n=== REPLACE CEL a ===\nx = 5\n=== DELETE CELL b ===", "not one of"),
        (
            "=== DELETE CELL a ===\n=== END ===\n=== DELETE CELL b ===\n=== END ===",
            "behind the END",
        ),
        ("=== REPLACE CELL a ===\n```\nx = 5\n```\ny = 6\n=== END ===", "behind the closing fence"),
        ("=== REPLACE CELL a ===\nx = 5\n```\ny = 6\n=== END ===", "not valid Python"),
    ],
)
def test_what_cannot_be_used_says_why(text: str, words: str) -> None:
    assert words in reason(text)


def test_cut_off_reply_is_detected_by_flag_or_missing_end() -> None:
    text = "=== REPLACE CELL a ===\nx = 5\n"
    assert "cut off" in reason(text + "=== END ===", complete=False)
    assert "cut off" in reason(text, complete=None)
    assert parse_reply(text, complete=True).operations
    assert parse_reply(text + "=== END ===", complete=None).operations


def test_cells_shown_in_part_take_search_and_replace_only() -> None:
    whole = "=== REPLACE CELL b ===\nq = 1\n=== END ==="
    assert "not shown whole" in reason(whole, cut=frozenset({"b"}))
    assert patch(edit("value_7 = 7", "q = 7"), cut=frozenset({"b"})).edits


def test_a_cell_that_never_was_python_3_may_stay_broken() -> None:
    assert source(edit("z = 3", "z = 4", "py2"), "py2") == "print 'hello'\nz = 4"


def test_magics_and_shell_lines_are_code() -> None:
    assert source(edit("q = 1", "q = 2", "magic"), "magic").endswith("!ls\nq = 2")


def test_text_cells_change_when_the_reply_says_so() -> None:
    text = "=== REPLACE MARKDOWN CELL text ===\n# New\n```python\ny\n```\n=== END ==="
    assert source(text, "text") == "# New\n```python\ny\n```"


def test_inserted_cells_stand_in_the_order_given() -> None:
    text = (
        "=== INSERT CELL AT START ===\nfirst = 1\n=== INSERT CELL AFTER a ===\nsecond = 2\n"
        "=== INSERT CELL AFTER a ===\nthird = 3\n=== INSERT MARKDOWN CELL AFTER b ===\n# Note\n"
        "=== DELETE CELL b ===\n=== END ==="
    )
    cells = after(text).cells
    assert [cell.source for cell in cells[:4]] == [
        "first = 1",
        "x = 1\ny = 2\n",
        "second = 2",
        "third = 3",
    ]
    assert cells[5].source == "# Note"
    assert cells[5].type is CellType.MARKDOWN
    assert after(text).cell("b") is None
    assert len(cells) == len(BOOK.cells) + 3


def test_unchanged_cells_of_a_whole_notebook_make_no_edits() -> None:
    sections = [
        f"=== {'MARKDOWN ' if cell.type is CellType.MARKDOWN else ''}CELL {cell.id} ===\n"
        f"{cell.source.replace('z = 3', 'z = 9')}"
        for cell in BOOK.cells
    ]
    found = patch("\n".join([*sections, "=== END ==="]))
    assert [(item.kind, item.cell_id) for item in found.edits] == [(EditKind.MODIFY, "py2")]


def test_text_cells_of_a_whole_notebook_stay_and_that_is_said() -> None:
    sections = [f"=== CELL {cell.id} ===\n{cell.source}" for cell in BOOK.cells]
    sections[0] = "=== CELL a ===\nx = 5"
    sections[1] = "=== CELL text ===\n# Another title"
    found = patch("\n".join([*sections, "=== END ==="]))
    assert [item.cell_id for item in found.edits] == ["a"]
    assert "cell text was left out" in one_text(found.remarks[0])


def test_a_cell_that_holds_marker_lines_is_left_alone() -> None:
    book = Notebook(
        cells=(Cell(id="a", type=CellType.CODE, source="'''\n=== END ===\n'''\nx = 1"),)
    )
    reply = parse_reply("=== REPLACE CELL a ===\nx = 2\n=== END ===", complete=True)
    with pytest.raises(UnusableReply, match="looks like a marker"):
        build_patch(reply, book, PatchRules(ids={"a": "a"}))


def test_windows_line_ends_of_a_cell_stay() -> None:
    book = Notebook(cells=(Cell(id="a", type=CellType.CODE, source="x = 1\r\ny = 2"),))
    reply = parse_reply(edit("x = 1\ny = 2", "x = 1\ny = 3", "a"), complete=True)
    (found,) = build_patch(reply, book, PatchRules(ids={"a": "a"})).edits
    assert found.new_source == "x = 1\r\ny = 3"


def test_the_plan_grows_until_the_first_edit() -> None:
    text = "Well.\n=== PLAN ===\n- one\n- two\n=== REPLACE CELL a ===\nx = 5"
    assert plan_so_far(text[:8]) == ("Well.", False)
    assert plan_so_far(text[: text.index("\n- two")]) == ("- one", False)
    assert plan_so_far(text) == ("- one\n- two", True)


def test_the_plan_is_a_list_without_bullets() -> None:
    reply = parse_reply(
        "=== PLAN ===\n1. one\n* two\n\n- three\n=== DELETE CELL a ===\n=== END ===", complete=True
    )
    assert reply.plan == ("one", "two", "three")
