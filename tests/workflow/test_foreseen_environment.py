"""The packages that a notebook would run with, as a forecast and a prompt know them."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from mle_modernizer_server.domain.environment import (
    ChoiceReason,
    EnvironmentChoice,
    EnvironmentOrigin,
    FoundEnvironment,
)
from mle_modernizer_server.domain.execution import Environment
from mle_modernizer_server.environments.distributions import same_modules
from mle_modernizer_server.execution.sandboxes.choose import sandboxes
from mle_modernizer_server.workflow.fix.absent_names import Ahead
from mle_modernizer_server.workflow.fix.before_run import foreseen_environment
from tests import values
from tests.workflow.scenes import modernizer, settings

SOURCE = "import tensorflow as tf"


def foreseen(folder: Path, settled: EnvironmentChoice | None) -> Environment:
    ahead = Ahead(values.notebook(SOURCE), settings())
    services = modernizer(folder).services
    found = foreseen_environment(services, ahead, sandboxes()["process"], settled)
    return asyncio.run(found)[0]


def test_packages_of_a_settled_environment_are_all_known(tmp_path: Path) -> None:
    place = tmp_path / "made"
    site = place / "lib" / "python3.11" / "site-packages"
    for name, version, tops in (
        ("tensorflow-cpu", "2.21.0", "tensorflow"),
        ("opencv-python-headless", "5.0.0.93", "cv2"),
        ("torch", "2.14.1+cpu", "torch"),
        ("keras", "3.15.1", "keras"),
    ):
        folder = site / f"{name.replace('-', '_')}-{version}.dist-info"
        folder.mkdir(parents=True)
        (folder / "METADATA").write_text(f"Name: {name}\nVersion: {version}\n\n", "utf-8")
        (folder / "top_level.txt").write_text(tops, "utf-8")
    (place / "bin").mkdir()
    (place / "bin" / "python").touch()
    (place / "pyvenv.cfg").write_text("version = 3.11.7\n", "utf-8")
    environment = FoundEnvironment(
        name="made",
        origin=EnvironmentOrigin.MADE,
        interpreter=str(place / "bin" / "python"),
        directories=(str(place),),
        python="3.11.7",
        ipykernel="7.1",
        packages={"tensorflow": "2.21.0"},
    )
    settled = EnvironmentChoice(reason=ChoiceReason.MADE, environment=environment)
    assert foreseen(tmp_path, settled).packages == {
        "tensorflow": "2.21.0",
        "cv2": "5.0.0.93",
        "torch": "2.14.1+cpu",
        "keras": "3.15.1",
    }


@pytest.mark.process
def test_environment_to_be_made_has_the_newest_missing_packages(tmp_path: Path) -> None:
    packages = foreseen(tmp_path, None).packages
    assert packages["tensorflow"].startswith("2.")
    assert packages["keras"].startswith("3.")
    assert "pandas" in packages


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("tensorflow", "tensorflow-cpu"),
        ("opencv-python", "opencv-python-headless"),
        ("xgboost", "xgboost-cpu"),
        ("pandas", "pandas"),
    ],
)
def test_distributions_with_the_same_modules_are_equivalent(name: str, other: str) -> None:
    assert other in same_modules(name)
