"""Options that several commands of `jupyter modernize` share."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from mle_modernizer_server.cli.option_types import (
    given_file,
    gpu_choice,
    memory_size,
    pip_network,
    positive,
    whole,
)
from mle_modernizer_server.cli.setting_options import add_settings
from mle_modernizer_server.domain.settings import OptionGroup
from mle_modernizer_server.execution.sandboxes.docker.settings import KAGGLE_IMAGE

PROGRAM = "jupyter modernize"
_OF_CONTAINERS = ("image", "memory", "cpus", "gpus", "pip")


def add_run_options(parser: argparse.ArgumentParser) -> None:
    """Add the flags for grading and running a notebook."""
    grading = parser.add_argument_group("grading")
    add_settings(grading, OptionGroup.GRADING)
    grading.add_argument(
        "--data-root",
        type=Path,
        metavar="DIR",
        help="directory with the competitions, in MLE-bench's layout (default: "
        "$MLE_MODERNIZER_DATA_ROOT, else MLE-bench's cache)",
    )
    grading.add_argument(
        "--score-cell",
        type=whole(1),
        metavar="N",
        help="read the score from code cell N only; without --score-from, the value the cell "
        "returns",
    )
    running = parser.add_argument_group("running")
    add_settings(running, OptionGroup.RUNNING)
    running.add_argument(
        "--file",
        type=given_file,
        action="append",
        default=[],
        metavar="PATH=FILE",
        help="provide FILE where the notebook reads PATH, read-only; repeatable",
    )
    add_container_options(running)
    running.add_argument(
        "--pip",
        type=pip_network,
        metavar="allow|index-only|never",
        help="what `pip install` lines may reach in the sandbox `docker` (default: allow)",
    )
    add_rules_path(running)


def add_rules_path(group: argparse._ActionsContainer) -> None:
    """Add the flag for custom rules."""
    group.add_argument(
        "--rules-path",
        type=Path,
        metavar="DIR",
        help="folder with your own rules (default: $MLE_MODERNIZER_RULES)",
    )


def add_container_options(group: argparse._ActionsContainer) -> None:
    """Add the flags for a container's resources."""
    group.add_argument(
        "--image",
        metavar="NAME",
        help=f"image of the sandbox `docker` (default: {KAGGLE_IMAGE})",
    )
    group.add_argument(
        "--memory",
        type=memory_size,
        metavar="SIZE",
        help="memory of its container, such as 16g (default: 30g)",
    )
    group.add_argument(
        "--cpus",
        type=positive,
        metavar="N",
        help="processors of its container (default: 4)",
    )
    group.add_argument(
        "--gpu",
        dest="gpus",
        type=gpu_choice,
        metavar="auto|none|all|N",
        help="GPUs of its container (default: auto, all GPUs there are)",
    )


def take_containers(
    parser: argparse.ArgumentParser, given: argparse.Namespace, settings: dict[str, object]
) -> dict[str, Any]:
    """Return the container's settings that were passed; they select the sandbox `docker`.

    They are removed from the arguments.

    Raises:
        SystemExit: With 2 if another sandbox was named.
    """
    taken = {name: vars(given).pop(name) for name in _OF_CONTAINERS}
    chosen = {name: value for name, value in taken.items() if value is not None}
    sandbox = settings.get("sandbox")
    if chosen and sandbox not in (None, "docker"):
        parser.error(
            "--image, --memory, --cpus, --gpu and --pip are for the sandbox `docker`, not for "
            f"`{sandbox}`"
        )
    if chosen:
        settings["sandbox"] = "docker"
    return chosen


def add_model(group: argparse._ArgumentGroup) -> None:
    """Add the flags that select a model."""
    group.add_argument("--llm-base-url", metavar="URL", help="OpenAI-compatible endpoint")
    group.add_argument("--llm-model", metavar="NAME", help="name of the model")
