"""The compiled rules say what their YAML says, and never what it said before."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
import yaml

from mle_modernizer_server.fixing.rules import libraries
from mle_modernizer_server.fixing.rules.compiled import contents

FOLDER = Path(libraries.__path__[0])


@pytest.fixture
def file(tmp_path: Path) -> Path:
    place = tmp_path / "a.yaml"
    place.write_text("rules: [1, 2]\n", "utf-8")
    return place


def test_all_rules_are_the_same_from_both(tmp_path: Path) -> None:
    files = sorted(FOLDER.glob("*/*.yaml"))
    first, second = contents(files, tmp_path), contents(files, tmp_path)
    assert len(first) == len(files) > 40
    assert first == second
    assert len(list(tmp_path.glob("rules-*.json"))) == 1
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    assert second[3] == yaml.load(files[3].read_text("utf-8"), Loader=loader)


def test_what_is_kept_is_read_and_a_changed_file_is_read_anew(file: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    assert contents([file], kept) == [{"rules": [1, 2]}]
    (compiled,) = kept.iterdir()
    compiled.write_text(json.dumps(["kept"]), "utf-8")
    assert contents([file], kept) == ["kept"]
    file.write_text("rules: [1, 3]\n", "utf-8")
    os.utime(file, ns=(1, 1))
    assert contents([file], kept) == [{"rules": [1, 3]}]
    assert len(list(kept.iterdir())) == 1, "the earlier state is removed"


def test_what_was_cut_off_is_read_anew(file: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    contents([file], kept)
    (compiled,) = kept.iterdir()
    compiled.write_text('["ke', "utf-8")
    assert contents([file], kept) == [{"rules": [1, 2]}]


def test_where_nothing_can_be_kept_it_is_read_all_the_same(file: Path, tmp_path: Path) -> None:
    (tmp_path / "no-folder").write_text("", "utf-8")
    assert contents([file], tmp_path / "no-folder") == [{"rules": [1, 2]}]
