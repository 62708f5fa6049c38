"""A competition of one's own over REST: looked at, made, found, never written over."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.web.conftest import Fetch, code_notebook

ROWS = "Id,rooms,price\n" + "".join(f"{n},{n % 5},{n * 1.5}\n" for n in range(60))


@pytest.fixture
def houses(jp_root_dir: Path) -> Path:
    folder = jp_root_dir / "my houses"
    folder.mkdir()
    (folder / "labelled.csv").write_text(ROWS)
    return folder


def listed(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def made_in(data_root: Path) -> list[str]:
    return sorted(path.parent.name for path in data_root.glob("*/prepared"))


async def look(api: Fetch, directory: str, **more: Any) -> Any:
    body = {"directory": directory, **more}
    status, answer, _ = await api("competitions", "look", method="POST", body=body)
    return status, answer


def wish(guess: dict[str, Any], **changes: Any) -> dict[str, Any]:
    taken = ("directory", "train", "id_column", "target_columns", "split", "name", "id")
    return {**{key: guess[key] for key in taken}, "metric": guess["metrics"][0], **changes}


async def make(api: Fetch, body: dict[str, Any]) -> Any:
    status, answer, _ = await api("competitions", method="POST", body=body)
    return status, answer


async def test_data_is_looked_at_made_a_competition_and_found(
    api: Fetch, houses: Path, data_root: Path
) -> None:
    status, guess = await look(api, "my houses")
    assert status == 200
    assert guess["train"] == "labelled.csv" and guess["files"] == ["labelled.csv"]
    assert guess["id_column"] == "Id" and guess["target_columns"] == ["price"]
    assert guess["metrics"][0] == "rmse" and guess["split"] == "random"
    assert guess["id"] == "my-houses" and guess["name"] == "my houses"
    assert listed(houses) == ["labelled.csv"], "looking writes nothing"

    status, made = await make(api, wish(guess, share=0.25, seed=3))
    assert status == 201, made
    assert made["id"] == "my-houses" and made["higher_is_better"] is False
    answers = (data_root / "my-houses/prepared/private/answers.csv").read_text().splitlines()
    assert len(answers) == 1 + 15
    assert listed(houses) == ["labelled.csv"], "the data stays as it is"

    _, info, _ = await api("info")
    assert "my-houses" in [item["id"] for item in info["competitions"]]
    cell = "pd.read_csv('../input/my-houses/train.csv')"
    _, found, _ = await api("detect", method="POST", body={"notebook": code_notebook(cell)})
    assert found["competition"] == "my-houses"


async def test_what_is_there_is_written_over_only_where_that_is_said(
    api: Fetch, houses: Path, data_root: Path
) -> None:
    _, guess = await look(api, "my houses")
    await make(api, wish(guess))
    kept = (data_root / "my-houses/prepared/private/answers.csv").read_bytes()
    status, refusal = await make(api, wish(guess, seed=1))
    assert status == 409 and refusal["code"] == "conflict"
    assert "my-houses" in refusal["message"]
    status, refusal = await make(api, wish(guess, seed=1, id="parity"))
    assert status == 409, "nor a competition that came from elsewhere"
    assert (data_root / "my-houses/prepared/private/answers.csv").read_bytes() == kept
    status, _ = await make(api, wish(guess, seed=1, overwrite=True))
    assert status == 201
    assert (data_root / "my-houses/prepared/private/answers.csv").read_bytes() != kept


async def test_what_the_person_says_goes_before_the_guess(api: Fetch, houses: Path) -> None:
    (houses / "other.csv").write_text("a,b,label\n" + "".join(f"{n},x,{n % 2}\n" for n in range(9)))
    _, guess = await look(api, "my houses", train="other.csv", target_columns=["b"])
    assert guess["train"] == "other.csv" and guess["target_columns"] == ["b"]
    assert guess["files"] == ["labelled.csv", "other.csv"]
    status, refusal = await look(api, "my houses", target_columns=["gone"])
    assert status == 400 and refusal["code"] == "bad_competition" and "gone" in refusal["message"]


@pytest.mark.parametrize(
    "directory", ["../..", "/etc", "gone", "my houses/labelled.csv", ".hidden", "link", "a\x00b"]
)
async def test_no_directory_outside_the_root_is_looked_at(
    api: Fetch, houses: Path, jp_root_dir: Path, tmp_path: Path, directory: str
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "train.csv").write_text(ROWS)
    (jp_root_dir / "link").symlink_to(outside)
    (jp_root_dir / ".hidden").mkdir()
    (jp_root_dir / ".hidden/train.csv").write_text(ROWS)
    status, refusal = await look(api, directory)
    assert status == 400 and refusal["code"] == "bad_competition", refusal
    assert "no directory" in refusal["message"]


async def test_a_link_to_data_elsewhere_is_no_labelled_data(
    api: Fetch, houses: Path, tmp_path: Path
) -> None:
    (tmp_path / "secret.csv").write_text(ROWS)
    (houses / "train.csv").symlink_to(tmp_path / "secret.csv")
    _, guess = await look(api, "my houses")
    assert guess["files"] == ["labelled.csv"]
    status, refusal = await look(api, "my houses", train="train.csv")
    assert status == 400 and "no CSV" in refusal["message"]
    status, refusal = await look(api, "my houses", train="../secret.csv")
    assert status == 400 and "no CSV" in refusal["message"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"target_columns": ["gone"]}, "gone"),
        ({"target_columns": []}, "target_columns"),
        ({"metric": "beauty"}, "metric"),
        ({"share": 1}, "share"),
        ({"seed": -1}, "seed"),
        ({"id": "../evil"}, "id"),
        ({"split": "group", "split_column": "gone"}, "gone"),
        ({"id_column": "rooms"}, "more than once"),
        ({"train": "gone.csv"}, "gone.csv"),
    ],
)
async def test_impossible_competition_is_refused_and_leaves_nothing(
    api: Fetch, houses: Path, data_root: Path, change: dict[str, Any], words: str
) -> None:
    _, guess = await look(api, "my houses")
    status, refusal = await make(api, {**wish(guess), **change})
    assert status == 400, refusal
    assert words in refusal["message"]
    assert made_in(data_root) == ["parity"]
    assert not (data_root / "my-houses").exists()


async def test_a_link_in_the_data_root_is_not_written_through(
    api: Fetch, houses: Path, data_root: Path, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (data_root / "my-houses").symlink_to(outside)
    _, guess = await look(api, "my houses")
    status, refusal = await make(api, wish(guess, overwrite=True))
    assert status == 400 and "link" in refusal["message"]
    assert listed(outside) == []


async def test_user_without_file_access_makes_no_competition(
    api: Fetch, houses: Path, jp_serverapp: Any, monkeypatch: Any
) -> None:
    _, guess = await look(api, "my houses")

    def no_files(handler: Any, user: Any, action: str, resource: str) -> bool:
        return resource != "contents"

    monkeypatch.setattr(jp_serverapp.authorizer, "is_authorized", no_files)
    status, _ = await look(api, "my houses")
    assert status == 403
    status, _ = await make(api, wish(guess))
    assert status == 403


async def test_the_scores_a_notebook_speaks_of_are_offered(api: Fetch, jp_root_dir: Path) -> None:
    (jp_root_dir / "kernel-metadata.json").write_text(
        '{"title": "Parity, LB 0.81", "code_file": "parity LB 0.79.ipynb",'
        ' "competition_sources": ["parity"]}'
    )
    notebook = code_notebook("1")
    notebook["cells"].append({"id": "m", "type": "markdown", "source": "Public score: 0.8"})
    body = {"notebook": notebook, "path": "parity LB 0.79.ipynb"}
    _, found, _ = await api("detect", method="POST", body=body)
    offered = [(item["score"], item["source"]) for item in found["targets"]]
    assert offered == [(0.79, "title"), (0.81, "kaggle"), (0.8, "markdown")]
    assert found["targets"][2]["cell_id"] == "m"
    assert found["competition"] == "parity"
    assert [one["code"] for one in found["reason"]] == ["detected.kaggle"]

    _, other, _ = await api("detect", method="POST", body={**body, "path": "other.ipynb"})
    assert [item["source"] for item in other["targets"]] == ["markdown"], "it names another file"
    assert other["competition"] is None
