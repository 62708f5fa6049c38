"""Papers over HTTP: read within the file browser's directory, by users who may."""

from __future__ import annotations

import base64
import io
import json
from pathlib import Path

from PIL import Image

from tests.papers.examples import SOURCES, pdf, scanned_pdf
from tests.web.conftest import Fetch


async def test_a_paper_of_the_file_browser_is_read(api: Fetch, jp_root_dir: Path) -> None:
    for name, data in SOURCES.items():
        (jp_root_dir / name).write_bytes(data)
    status, reading, _ = await api("papers", method="POST", body={"path": "main.tex"})
    assert status == 200
    assert reading["paper"]["title"] == "WineLDA: Three Classifiers on Wine"
    assert any(claim["printed"] == "98.88" for claim in reading["claims"])
    assert any(item["statement"] == "not_stated" for item in reading["checklist"])


async def test_a_file_outside_is_not_there(api: Fetch, jp_root_dir: Path) -> None:
    (jp_root_dir.parent / "outside.tex").write_bytes(SOURCES["main.tex"])
    (jp_root_dir / "link.tex").symlink_to(jp_root_dir.parent / "outside.tex")
    for path in ("../outside.tex", "link.tex", "missing.tex", "\0"):
        status, answer, _ = await api("papers", method="POST", body={"path": path})
        assert (status, answer["code"]) == (404, "not_found")


async def test_what_is_no_paper_is_refused(api: Fetch, jp_root_dir: Path) -> None:
    (jp_root_dir / "scan.pdf").write_bytes(scanned_pdf())
    status, answer, _ = await api("papers", method="POST", body={"path": "scan.pdf"})
    assert (status, answer["code"]) == (400, "bad_paper")
    assert "images of pages" in answer["message"]


async def test_a_page_is_shown_with_the_number_marked(api: Fetch, jp_root_dir: Path) -> None:
    (jp_root_dir / "wine.pdf").write_bytes(pdf())
    ask = {"path": "wine.pdf", "page": 1, "mark": "98.88"}
    status, answer, _ = await api("papers", "page", method="POST", body=ask)
    assert status == 200
    picture = Image.open(io.BytesIO(base64.b64decode(answer["png"]))).convert("L")
    assert picture.size == (answer["width"], answer["height"])
    (mark,) = answer["marks"]
    assert 162 / 612 - 0.01 < mark["left"] < mark["right"] < 200 / 612
    assert 1 - 506 / 792 < mark["top"] < mark["bottom"] < 1 - 488 / 792
    sides = [mark[side] for side in ("left", "top", "right", "bottom")]
    box = [round(share * picture.size[index % 2]) for index, share in enumerate(sides)]
    assert min(picture.crop((box[0], box[1], box[2], box[3])).tobytes()) < 80
    for wrong, expected in (
        ({"path": "wine.pdf", "page": 0}, (400, "bad_input")),
        ({"path": "wine.pdf", "page": 1, "mark": "9" * 101}, (400, "bad_input")),
        ({"path": "../wine.pdf", "page": 1}, (404, "not_found")),
    ):
        status, answer, _ = await api("papers", "page", method="POST", body=wrong)
        assert (status, answer["code"]) == expected


async def test_nobody_reads_papers_without_logging_in(api: Fetch, jp_fetch: Fetch) -> None:
    for route in (("papers",), ("papers", "page")):
        response = await jp_fetch(
            "mle-modernizer",
            "api",
            *route,
            method="POST",
            body="{}",
            headers={"Authorization": "token wrong"},
            raise_error=False,
        )
        assert response.code == 403


def json_files_in(folder: Path) -> list[Path]:
    return list(folder.glob("*.json"))


def notebooks_in(folder: Path) -> list[Path]:
    return list(folder.glob("*.ipynb"))


async def test_a_notebook_is_made_beside_the_paper_and_over_no_file(
    api: Fetch, jp_root_dir: Path
) -> None:
    folder = jp_root_dir / "sub"
    folder.mkdir()
    for name, data in SOURCES.items():
        (folder / name).write_bytes(data)
    ask = {"path": "sub/main.tex", "claims": ["t0r2c1n0"]}
    status, made, _ = await api("papers", "notebook", method="POST", body=ask)
    assert (status, made) == (201, {"path": "sub/main-reproduction.ipynb"})
    first = (jp_root_dir / made["path"]).read_bytes()
    kept = json.loads(first)["metadata"]["mle_modernizer"]["reproduction"]
    assert [one["claim"]["printed"] for one in kept["claims"]] == ["98.88"]
    ask = {"path": "sub/main.tex"}
    status, made, _ = await api("papers", "notebook", method="POST", body=ask)
    assert (status, made) == (201, {"path": "sub/main-reproduction-2.ipynb"})
    assert (folder / "main-reproduction.ipynb").read_bytes() == first


async def test_a_notebook_that_cannot_be_made_is_refused(api: Fetch, jp_root_dir: Path) -> None:
    for name, data in SOURCES.items():
        (jp_root_dir / name).write_bytes(data)
    (jp_root_dir.parent / "outside.tex").write_bytes(SOURCES["main.tex"])
    for ask, expected in (
        ({"path": "../outside.tex"}, (404, "not_found")),
        ({"path": "main.tex", "claims": ["t9r9c9n9"]}, (400, "bad_input")),
        ({"path": "main.tex", "claims": ["x" * 65]}, (400, "bad_input")),
        ({"path": "main.tex", "claims": ["1"] * 51}, (400, "bad_input")),
        ({"path": "main.tex", "other": 1}, (400, "bad_input")),
    ):
        status, answer, _ = await api("papers", "notebook", method="POST", body=ask)
        assert (status, answer["code"]) == expected
    assert notebooks_in(jp_root_dir) == notebooks_in(jp_root_dir.parent) == []


async def test_the_claims_of_a_paper_are_not_completed_without_a_model(
    api: Fetch, jp_root_dir: Path
) -> None:
    for name, data in SOURCES.items():
        (jp_root_dir / name).write_bytes(data)
    for route in (("papers", "claims", "question"), ("papers", "claims")):
        status, answer, _ = await api(*route, method="POST", body={"path": "main.tex"})
        assert (status, answer["code"]) == (409, "conflict")
        assert "model" in answer["message"]
        status, answer, _ = await api(*route, method="POST", body={"path": "../main.tex"})
        assert (status, answer["code"]) == (404, "not_found")
    assert not json_files_in(jp_root_dir)
