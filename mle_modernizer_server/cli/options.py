"""Options that several commands of `jupyter modernize` share."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Annotated, Any, ClassVar

from pydantic import Field

from mle_modernizer_server.cli.arguments import Groups, Options
from mle_modernizer_server.cli.option_types import given_file, memory_size
from mle_modernizer_server.domain.settings import Flag, OptionGroup
from mle_modernizer_server.execution.sandboxes.docker.settings import (
    KAGGLE_IMAGE,
    PipNetwork,
)
from mle_modernizer_server.execution.sandboxes.docker.settings import gpus as gpu_choice

AsJson = Annotated[bool, Flag("print JSON", flag="json")]
DataRoot = Annotated[
    Path | None,
    Flag(
        "directory with the competitions, in MLE-bench's layout (default: "
        "$MLE_MODERNIZER_DATA_ROOT, else MLE-bench's cache)",
        "DIR",
    ),
]
Database = Annotated[
    Path | None,
    Flag(
        "the server's database (default: mle-modernizer/sessions.db in Jupyter's data directory)",
        "FILE",
    ),
]
RulesPath = Annotated[
    Path | None, Flag("folder with your own rules (default: $MLE_MODERNIZER_RULES)", "DIR")
]


class ContainerOptions(Options):
    """Options for a container of the sandbox `docker`."""

    image: Annotated[
        str | None, Flag(f"image of the sandbox `docker` (default: {KAGGLE_IMAGE})", "NAME")
    ] = None
    memory: Annotated[
        int | None,
        Flag("memory of its container, such as 16g (default: 30g)", "SIZE", parse=memory_size),
    ] = None
    cpus: Annotated[float | None, Flag("processors of its container (default: 4)")] = Field(
        default=None, gt=0
    )
    gpus: Annotated[
        str | None,
        Flag(
            "GPUs of its container (default: auto, all GPUs there are)",
            "auto|none|all|N",
            flag="gpu",
            parse=gpu_choice,
        ),
    ] = None


class ModelOptions(Options):
    """Options that select a model."""

    llm_base_url: Annotated[str | None, Flag("OpenAI-compatible endpoint", "URL")] = None
    llm_model: Annotated[str | None, Flag("name of the model", "NAME")] = None


class RunningOptions(ContainerOptions):
    """Options for grading and running notebooks.

    Attributes:
        score_cell: Number of the code cell that returns the score.
        file: Files in place of paths in the notebook.
        pip: Network access of `pip install` in a container.
    """

    GROUPS: ClassVar[Groups] = {
        "grading": (OptionGroup.GRADING, "data_root", "score_cell"),
        "running": (
            *(OptionGroup.RUNNING, "file", "image", "memory", "cpus", "gpus", "pip"),
            "rules_path",
        ),
    }

    data_root: DataRoot = None
    score_cell: Annotated[
        int | None,
        Flag(
            "read the score from code cell N only; without --score-from, the value the cell returns"
        ),
    ] = Field(default=None, ge=1)
    file: Annotated[
        tuple[tuple[str, Path], ...],
        Flag(
            "provide FILE where the notebook reads PATH, read-only; repeatable",
            "PATH=FILE",
            parse=given_file,
            repeatable=True,
        ),
    ] = ()
    pip: Annotated[
        PipNetwork | None,
        Flag("what `pip install` lines may reach in the sandbox `docker` (default: allow)"),
    ] = None
    rules_path: RulesPath = None

    _OF_CONTAINERS: ClassVar = ("image", "memory", "cpus", "gpus", "pip")

    def check(self, parser: argparse.ArgumentParser) -> None:
        """Refuse settings of a container for another sandbox."""
        sandbox = self.settings.get("sandbox")
        if self.containers and sandbox not in (None, "docker"):
            parser.error(
                "--image, --memory, --cpus, --gpu and --pip are for the sandbox `docker`, not for "
                f"`{sandbox}`"
            )

    @property
    def containers(self) -> dict[str, Any]:
        """Return the container's settings that were passed."""
        given = {name: getattr(self, name) for name in self._OF_CONTAINERS}
        return {name: value for name, value in given.items() if value is not None}

    @property
    def sandbox(self) -> str | None:
        """Return the name of the chosen sandbox."""
        name = self.chosen.get("sandbox")
        return None if name is None else str(name)

    @property
    def chosen(self) -> dict[str, object]:
        """Return the session's settings that were passed; a container is one of `docker`."""
        return {**self.settings, **({"sandbox": "docker"} if self.containers else {})}
