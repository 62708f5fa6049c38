"""What becomes of a folder, a glob and a manifest, and of what is wrong in them."""

from __future__ import annotations

import csv
import json
import os
from pathlib import Path

import pytest

from mle_modernizer_server.batch.manifest import read_lines
from mle_modernizer_server.domain.errors import BadInput
from tests.refusals import refused


@pytest.fixture
def notebooks(tmp_path: Path) -> Path:
    for name in ("a.ipynb", "b/c.ipynb", "b/.ipynb_checkpoints/c-checkpoint.ipynb", "b/text.txt"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}")
    return tmp_path


def test_a_folder_is_searched_but_for_what_is_hidden(notebooks: Path) -> None:
    lines, problems = read_lines(str(notebooks))
    assert [line.name for line in lines] == ["a.ipynb", "b/c.ipynb"]
    assert lines[1].notebook == str(notebooks / "b/c.ipynb")
    assert problems == []


def test_a_glob_and_a_single_notebook(notebooks: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert [line.name for line in read_lines(f"{notebooks}/b/*.ipynb")[0]] == ["c.ipynb"]
    assert [line.name for line in read_lines(f"{notebooks}/a.ipynb")[0]] == ["a.ipynb"]
    monkeypatch.chdir(notebooks)
    assert len(read_lines("**/[ac].ipynb")[0]) == 2
    with refused(BadInput, match="matches no file"):
        read_lines("nothing/*.ipynb")
    with refused(BadInput, match="no notebook"):
        read_lines("b/*.txt")


def test_what_is_wrong_in_a_csv_is_named_with_its_line(notebooks: Path) -> None:
    manifest = notebooks / "list.csv"
    manifest.write_text(
        "notebook,target,time_limit,memory,gpu,tagret,found_year\n"
        "a.ipynb,0.9,60,2g,1,x,2018\n"
        "missing.ipynb,,,,,,\n"
        "b/c.ipynb,high,,,,,\n"
        "a.ipynb,0.9,60,2g,1,y,2019\n"
        "a.ipynb,0.8,,,,,\n"
        ",,,,,,\n"
        "b/c.ipynb,,-3,,,,\n"
        "b/c.ipynb,,,much,,,\n"
        "b/c.ipynb,1,2,3,4,5,6,7\n"
    )
    lines, problems = read_lines(str(manifest))
    assert [(line.number, line.name, line.settings) for line in lines] == [
        (2, "a.ipynb", {"target_score": 0.9, "time_limit": 60.0}),
        (6, "a.ipynb", {"target_score": 0.8}),
    ]
    assert lines[0].resources == {"GPU": 1.0, "MEMORY": 2.0 * 2**30}
    told = [(problem.line, problem.message) for problem in problems]
    assert [line for line, _ in told] == [1, 3, 4, 5, 7, 8, 9, 10]
    for (_, message), words in zip(
        told,
        (
            "'tagret'",
            "no file",
            "target_score",
            "same as line 2",
            "names no",
            "time_limit",
            "much",
            "more fields",
        ),
        strict=True,
    ):
        assert words in message


def test_json_lines_and_yaml_say_the_same(notebooks: Path) -> None:
    row = {"notebook": "a.ipynb", "competition": "parity", "fixers": ["rules"], "seconds": 12}
    (notebooks / "list.jsonl").write_text(json.dumps(row) + "\n{no\n[]\n")
    (notebooks / "list.yaml").write_text(json.dumps([row, {"notebook": "a.ipynb", "what": 1}]))
    lines, problems = read_lines(str(notebooks / "list.jsonl"))
    assert [problem.line for problem in problems] == [2, 3]
    same, problems = read_lines(str(notebooks / "list.yaml"))
    assert lines == same
    assert lines[0].settings == {"competition": "parity", "fixers": ["rules"]}
    assert lines[0].seconds == 12
    assert [(problem.line, "'what'" in problem.message) for problem in problems] == [(2, True)]


def test_a_manifest_that_is_none_is_refused(notebooks: Path) -> None:
    for name, text in (("a.csv", "file\na.ipynb\n"), ("a.yaml", "a: 1"), ("b.yaml", "a: ]")):
        (notebooks / name).write_text(text)
        with pytest.raises(BadInput):
            read_lines(str(notebooks / name))


BOMB = "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\n"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (BOMB, "line 2: aliases"),
        ("[" * 3_000, "nest"),
        ("- notebook: a.ipynb\n  target: " + "9" * 5_000, "line 2: a number is too large"),
        ("- !!int ''", "does not fit its tag"),
    ],
)
def test_yaml_beyond_a_limit_is_refused(notebooks: Path, content: str, words: str) -> None:
    (notebooks / "list.yaml").write_text(content)
    with refused(BadInput, match=words):
        read_lines(str(notebooks / "list.yaml"))


def test_bad_lines_are_reported_and_others_kept(notebooks: Path) -> None:
    bad = [
        "[" * 3_000,
        '{"notebook": "a.ipynb", "target": ' + "9" * 5_000 + "}",
        '{"notebook": "a.ipynb", "target": 1' + "0" * 400 + "}",
        '{"notebook": "~nosuchuser/x.ipynb"}',
        json.dumps({"notebook": "n" * 10_000}),
        json.dumps({"notebook": "a\0.ipynb"}),
        '{"notebook": "\\ud800.ipynb"}',
        '{"notebook": "a.ipynb", "competition": "\\ud800"}',
        json.dumps({"notebook": "a.ipynb", "k" * 10_000: 1}),
    ]
    good = json.dumps({"notebook": "a.ipynb"})
    (notebooks / "list.jsonl").write_text("\n".join([*bad, good]))
    lines, problems = read_lines(str(notebooks / "list.jsonl"))
    assert [(line.number, line.name) for line in lines] == [(len(bad) + 1, "a.ipynb")]
    assert [problem.line for problem in problems] == list(range(1, len(bad) + 1))
    assert max(len(problem.message) + len(problem.name) for problem in problems) <= 700
    assert all(problem.model_dump_json() for problem in problems)


def test_csv_field_beyond_the_limit_keeps_the_others(notebooks: Path) -> None:
    rows = ["notebook,competition", "a.ipynb," + "x" * 200_000, "b/c.ipynb,"]
    rows += [f"{'n' * 10_000},", "~nosuchuser/x,"]
    (notebooks / "list.csv").write_text("\n".join(rows))
    before = csv.field_size_limit(131_072)  # Python's own; other readers raise it
    try:
        lines, problems = read_lines(str(notebooks / "list.csv"))
    finally:
        csv.field_size_limit(before)
    assert [line.name for line in lines] == ["b/c.ipynb"]
    assert [problem.line for problem in problems] == [2, 4, 5]


def test_yaml_item_that_is_no_mapping_keeps_the_others(notebooks: Path) -> None:
    (notebooks / "list.yaml").write_text("- 5\n- notebook: a.ipynb\n- {1: 2}\n")
    lines, problems = read_lines(str(notebooks / "list.yaml"))
    assert [line.number for line in lines] == [2]
    assert [problem.line for problem in problems] == [1, 3]


@pytest.mark.parametrize("name", ["list.csv", "list.jsonl", "list.yaml", "a.ipynb"])
def test_pipe_in_the_place_of_a_file_is_refused(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / name)
    with refused(BadInput, match="no notebook|matches no file"):
        read_lines(str(tmp_path / name))
    with refused(BadInput, match="no notebook"):
        read_lines(str(tmp_path))


@pytest.mark.parametrize("what", ["n" * 10_000, "~nosuchuser/x", "x**y", "a\0b"])
def test_argument_that_is_no_path_is_refused(what: str) -> None:
    with refused(BadInput, match="matches no file"):
        read_lines(what)


def test_notebook_whose_name_is_no_text_is_reported(tmp_path: Path) -> None:
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.ipynb")).write_text("{}")
    (tmp_path / "a.ipynb").write_text("{}")
    lines, problems = read_lines(str(tmp_path))
    assert [line.name for line in lines] == ["a.ipynb"]
    assert [problem.name for problem in problems] == ["?.ipynb"]
