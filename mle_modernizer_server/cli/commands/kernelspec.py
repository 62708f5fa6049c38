"""`jupyter modernize kernelspec`: the Docker sandbox in JupyterLab's kernel menu."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated, Literal

from mle_modernizer_server.cli.arguments import parse_options
from mle_modernizer_server.cli.flags import Argument
from mle_modernizer_server.cli.options import ContainerOptions, DataRoot
from mle_modernizer_server.domain.settings import Flag
from mle_modernizer_server.execution.sandboxes.docker import kernelspec
from mle_modernizer_server.execution.sandboxes.docker.settings import Settings, in_words
from mle_modernizer_server.fixing.llm.settings import LlmSettings
from mle_modernizer_server.grading.competitions import default_data_root
from mle_modernizer_server.wiring import build_services


class KernelspecOptions(ContainerOptions):
    """Options of the command."""

    DESCRIPTION = (
        "Add the sandbox `docker` to JupyterLab's kernel menu as “Kaggle Python (Docker)”. The "
        "scratch directory of such a kernel is removed when the kernel ends."
    )

    action: Annotated[Literal["install", "remove"], Argument("what to do")]
    competition: Annotated[
        str | None, Flag("show this competition's data in /kaggle/input", "SLUG")
    ] = None
    data_root: DataRoot = None
    sys_prefix: Annotated[
        bool, Flag("install into this Python environment instead of your user's kernels")
    ] = False


def run(argv: Sequence[str]) -> int:
    """Install or remove the kernelspec; return the exit code.

    Raises:
        SystemExit: With 2 for wrong usage, with 0 after `--help`.
        ModernizerError: There is no engine, no such competition, or nothing to remove.
    """
    given = parse_options(KernelspecOptions, "kernelspec", argv)
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
