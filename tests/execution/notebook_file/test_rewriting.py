"""Only the changed cells' code changes in a notebook's file; every other byte stays."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from mle_modernizer_server.domain.notebook import Cell, CellType, Notebook
from mle_modernizer_server.execution.notebook_file.rewriting import rewritten

FILE = """{
 "cells": [
  {
   "cell_type": "markdown",
   "id": "intro",
   "metadata": {"odd":   [1,2.50, 1e-7]},
   "source": ["# Titre \\u00e9t\\u00e9"]
  },
  {
   "cell_type": "code",
   "execution_count": 3,
   "id": "load",
   "metadata": {},
   "outputs": [{"output_type": "stream", "name": "stdout", "text": ["source: \\"x\\"\\n"]}],
   "source": [
    "import pandas as pd\\n",
    "df = pd.DataFrame()"
   ]
  },
  {"cell_type": "code", "id": "one", "metadata": {}, "source": "df.append(df)", "outputs": []},
  {
   "cell_type": "code",
   "id": "empty",
   "metadata": {},
   "outputs": [],
   "source": []
  }
 ],
 "metadata": {"kernelspec": {"name": "python3"}},
 "nbformat": 4,
 "nbformat_minor": 5
}
"""


def read(text: str) -> Notebook:
    cells = [
        Cell(id=cell["id"], type=CellType(cell["cell_type"]), source="".join(cell["source"]))
        for cell in json.loads(text)["cells"]
    ]
    return Notebook(cells=tuple(cells))


def changed(notebook: Notebook, **sources: str) -> Notebook:
    return Notebook(
        cells=tuple(
            cell.model_copy(update={"source": sources.get(cell.id, cell.source)})
            for cell in notebook.cells
        )
    )


BEFORE = read(FILE)


def test_without_a_change_every_byte_is_the_same() -> None:
    assert rewritten(FILE, BEFORE, BEFORE) == FILE


def test_lines_stay_a_list_with_the_indentation_of_the_file() -> None:
    result = rewritten(FILE, BEFORE, changed(BEFORE, load="import pandas\nx = 1\ny = 2\n"))
    old = '[\n    "import pandas as pd\\n",\n    "df = pd.DataFrame()"\n   ]'
    new = '[\n    "import pandas\\n",\n    "x = 1\\n",\n    "y = 2\\n"\n   ]'
    assert result == FILE.replace(old, new)


def test_a_source_in_one_text_stays_one_text() -> None:
    result = rewritten(FILE, BEFORE, changed(BEFORE, one='pd.concat([df,\n "d"])'))
    assert result == FILE.replace('"df.append(df)"', r'"pd.concat([df,\n \"d\"])"')


def test_an_empty_source_gets_lines_at_the_place_of_its_key() -> None:
    result = rewritten(FILE, BEFORE, changed(BEFORE, empty="a\nb"))
    old = '"source": []\n'
    assert result == FILE.replace(old, '"source": [\n    "a\\n",\n    "b"\n   ]\n')
    assert rewritten(FILE, BEFORE, changed(BEFORE, load="")).count('"source": []') == 2


def test_cells_are_inserted_and_deleted_among_untouched_ones() -> None:
    new = Cell(id="new", type=CellType.CODE, source="a = 1\nb = 2")
    first = Cell(id="first", type=CellType.MARKDOWN, source="# Before")
    cells = BEFORE.cells
    result = rewritten(FILE, BEFORE, Notebook(cells=(first, cells[0], cells[1], new, cells[3])))
    data, old = json.loads(result), json.loads(FILE)
    assert [cell["id"] for cell in data["cells"]] == ["first", "intro", "load", "new", "empty"]
    assert data["cells"][1:3] == old["cells"][:2]
    assert data["cells"][3] == {
        "cell_type": "code",
        "execution_count": None,
        "id": "new",
        "metadata": {},
        "outputs": [],
        "source": ["a = 1\n", "b = 2"],
    }
    assert '{"odd":   [1,2.50, 1e-7]}' in result
    assert '\n  {\n   "cell_type": "code",\n   "execution_count": null' in result


def test_all_cells_may_go() -> None:
    assert json.loads(rewritten(FILE, BEFORE, Notebook(cells=())))["cells"] == []


def test_windows_line_ends_and_one_line_files_keep_their_manner() -> None:
    windows = FILE.replace("\n", "\r\n")
    result = rewritten(windows, BEFORE, changed(BEFORE, load="x\ny", empty="z"))
    assert "\n" not in result.replace("\r\n", "")
    compact = json.dumps(json.loads(FILE))
    new = Cell(id="new", type=CellType.CODE, source="z")
    after = Notebook(cells=(*changed(BEFORE, load="x\ny").cells, new))
    assert "\n" not in rewritten(compact, BEFORE, after)
    assert read(rewritten(compact, BEFORE, after)) == after


def test_characters_are_written_as_the_file_writes_them() -> None:
    escaped = rewritten(FILE, BEFORE, changed(BEFORE, one="é"))
    assert r'"source": "\u00e9"' in escaped
    plain = FILE.replace(r"\u00e9", "é")
    assert '"source": "é"' in rewritten(plain, BEFORE, changed(BEFORE, one="é"))


def test_files_without_ids_get_none() -> None:
    data = json.loads(FILE)
    for cell in data["cells"]:
        del cell["id"]
    text = json.dumps(data, indent=1)
    new = Cell(id="new", type=CellType.CODE, source="z")
    result = rewritten(text, BEFORE, Notebook(cells=(*BEFORE.cells, new)))
    assert not any("id" in cell for cell in json.loads(result)["cells"])


def test_format_3_is_written_in_format_3() -> None:
    sheets = [
        {
            "cells": [
                {"cell_type": "code", "input": ["a\n", "b"], "outputs": [], "language": "python"}
            ]
        },
        {"cells": [{"cell_type": "markdown", "source": "text"}]},
    ]
    text = json.dumps({"nbformat": 3, "worksheets": sheets, "metadata": {}}, indent=2)
    before = Notebook(
        cells=(
            Cell(id="x", type=CellType.CODE, source="a\nb"),
            Cell(id="y", type=CellType.MARKDOWN, source="text"),
        )
    )
    new = Cell(id="n", type=CellType.CODE, source="z")
    after = Notebook(
        cells=(before.cells[0].model_copy(update={"source": "c\nd"}), new, before.cells[1])
    )
    data = json.loads(rewritten(text, before, after))
    assert [cell["input"] for cell in data["worksheets"][0]["cells"]] == [["c\n", "d"], ["z"]]
    assert data["worksheets"][1] == sheets[1]
    assert rewritten(text, before, before) == text


SOURCES = st.lists(st.text(max_size=12), min_size=1, max_size=5)


@given(
    old=SOURCES,
    new=SOURCES,
    keep=st.lists(st.booleans(), min_size=5, max_size=5),
    as_lines=st.booleans(),
    indent=st.sampled_from([None, 1, 4]),
)
@settings(max_examples=150)
def test_what_is_written_reads_back_as_what_was_wanted(
    old: list[str], new: list[str], keep: list[bool], as_lines: bool, indent: int | None
) -> None:
    cells = [
        {
            "cell_type": "code",
            "id": f"c{i}",
            "metadata": {},
            "outputs": [],
            "source": source.splitlines(keepends=True) if as_lines else source,
        }
        for i, source in enumerate(old)
    ]
    text = json.dumps({"cells": cells, "nbformat": 4, "nbformat_minor": 5}, indent=indent)
    before = read(text)
    after: list[Cell] = []
    for number, source in enumerate(new):
        if number < len(old) and keep[number]:
            after.append(Cell(id=f"c{number}", type=CellType.CODE, source=source))
        else:
            after.append(Cell(id=f"new{number}", type=CellType.CODE, source=source))
    wanted = Notebook(cells=tuple(after))
    assert read(rewritten(text, before, wanted)) == wanted
