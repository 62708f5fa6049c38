"""`jupyter modernize kernelspec`: the Docker sandbox in JupyterLab's kernel menu."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from mle_modernizer_server.cli.arguments import Arguments
from mle_modernizer_server.cli.options import PROGRAM, add_container_options
from mle_modernizer_server.execution.sandboxes.docker import kernelspec
from mle_modernizer_server.execution.sandboxes.docker.settings import Settings, in_words
from mle_modernizer_server.fixing.llm.settings import LlmSettings
from mle_modernizer_server.grading.competitions import default_data_root
from mle_modernizer_server.wiring import build_services


def manage_kernelspec(argv: Sequence[str]) -> int:
    """Install or remove the kernelspec; return the exit code.

    Raises:
        ModernizerError: There is no engine, no such competition, or nothing to remove.
    """
    given = _parser().parse_args(argv)
    name = kernelspec.name_of(given.competition)
    if given.action == "remove":
        print(f"Removed {kernelspec.remove(name)}.")
        return 0
    services = build_services(
        data_root=given.data_root or default_data_root(),
        sandbox=None,
        llm=LlmSettings.from_environment(),
    )
    services.choose_sandbox("docker")
    public = None
    if given.competition is not None:
        public = services.competitions.public_dir(given.competition)
    spec = kernelspec.kernelspec(
        image=given.image,
        memory=None if given.memory is None else f"{given.memory}",
        cpus=given.cpus,
        gpus=given.gpus,
        competition=given.competition,
        public=public,
    )
    place = kernelspec.install(name, spec, prefix=sys.prefix if given.sys_prefix else None)
    print(f"{spec['display_name']} is in {place}; its name is {name}.")
    image = given.image or Settings().image
    memory = in_words(given.memory or Settings().memory)
    print(f"It runs {image} with at most {memory}. Fetch the image first: docker pull {image}")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = Arguments(
        prog=f"{PROGRAM} kernelspec",
        description="Add the sandbox `docker` to JupyterLab's kernel menu as “Kaggle Python "
        "(Docker)”. The scratch directory of such a kernel is removed when the kernel "
        "ends.",
        allow_abbrev=False,
    )
    parser.add_argument("action", choices=("install", "remove"))
    parser.add_argument(
        "--competition", metavar="SLUG", help="show this competition's data in /kaggle/input"
    )
    parser.add_argument(
        "--data-root", type=Path, metavar="DIR", help="directory with the competitions"
    )
    parser.add_argument(
        "--sys-prefix",
        action="store_true",
        help="install into this Python environment instead of your user's kernels",
    )
    add_container_options(parser)
    return parser
