"""Every example in a container with the versions of Kaggle's image, and with the rules."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mle_modernizer_server.cli.main import main
from tests.engine import IMAGE, docker_with
from tests.examples.test_examples import NOTEBOOKS, make_data
from tests.values import worded

CLEAN_ALREADY = {"diabetes_2019_chained_assignment"}
"""Fails with pandas 3; Kaggle's pandas 2.2 still runs it as it was."""
TOO_SLOW = {"digits_2018_knn_slow_loop"}
"""No rule makes it faster."""
ALWAYS = {"wine_2021_one_hot_forest"}
"""The others' fixes are tested without a container."""


@pytest.fixture(scope="module")
def data_root(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with docker_with():  # skips or fails where there is no engine
        yield make_data(tmp_path_factory.mktemp("data"))


def modernized(notebook: Path, data_root: Path, report: Path, *more: str) -> dict[str, Any]:
    """Report of `jupyter modernize --auto` by rules alone."""
    main(
        [
            *(str(notebook), "--auto", "--fixer", "rules"),
            *("--sandbox", "docker", "--image", IMAGE, "--memory", "4g"),
            *("--data-root", str(data_root), "--report", str(report)),
            *more,
        ]
    )
    told: dict[str, Any] = json.loads(report.read_text())
    return told


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, marks=() if path.stem in ALWAYS else pytest.mark.thorough, id=path.stem)
        for path in NOTEBOOKS
    ],
)
def test_an_example_runs_to_its_end_and_is_mended(
    path: Path, data_root: Path, tmp_path: Path
) -> None:
    more = ("--time-limit", "5") if path.stem in TOO_SLOW else ()
    report = modernized(path, data_root, tmp_path / "report.json", *more)

    first = report["iterations"][0]
    assert first["execution"]["sandbox"] == "docker"
    environment = first["execution"]["environment"]
    assert environment["python"].startswith("3.11.")
    assert environment["packages"]["sklearn"] == "1.2.2"
    assert environment["packages"]["pandas"] == "2.2.3"

    if path.stem in TOO_SLOW:
        assert first["execution"]["ending"] == "timed-out"
        assert report["verdict"] == "needs-time"
        return
    assert first["execution"]["ending"] == "completed"
    reproducible = first["diagnosis"]["outcome"] == "error-free-reproducible"
    assert reproducible == (path.stem in CLEAN_ALREADY)
    assert report["verdict"] == "reproduced", worded(report["message"])
    best = report["iterations"][report["best"] - 1]
    assert best["diagnosis"]["outcome"] == "error-free-reproducible"
    assert best["grade"]["submission"] is not None
    assert best["grade"]["deviation"] <= 0.02
