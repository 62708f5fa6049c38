"""Choose the environment a notebook runs in, with the reason."""

from __future__ import annotations

from collections.abc import Sequence

from mle_modernizer_server.domain.environment import (
    ChoiceReason,
    EnvironmentChoice,
    EnvironmentOrigin,
    FoundEnvironment,
    Requirements,
)


def choose(
    found: Sequence[FoundEnvironment], requirements: Requirements, kernel: str
) -> EnvironmentChoice:
    """Choose the notebook's own kernelspec if it has everything, else the server's, else a made
    one.

    Args:
        found: The environments found, the server's Python included.
        requirements: Packages that the notebook needs.
        kernel: Name of its kernelspec.
    """
    wanted = len(requirements.imports())
    server = next(item for item in found if item.origin is EnvironmentOrigin.SERVER)
    own = next(
        (item for item in found if item.origin is EnvironmentOrigin.KERNEL and item.name == kernel),
        None,
    )
    if own is not None and own.complete:
        return EnvironmentChoice(reason=ChoiceReason.OWN_KERNEL, environment=own, imports=wanted)
    if server.complete:
        return EnvironmentChoice(reason=ChoiceReason.SERVER, environment=server, imports=wanted)
    compared = own if own is not None and own.trouble is None else server
    missing = missing_packages(compared, requirements)
    unknown = tuple(name for name in requirements.unknown if name in compared.missing)
    return EnvironmentChoice(
        reason=ChoiceReason.MAKE if missing else ChoiceReason.NOTHING_TO_ADD,
        environment=None if missing else compared,
        compared=compared.name,
        missing=missing,
        unknown=unknown,
        imports=wanted,
    )


def asked(environment: FoundEnvironment, requirements: Requirements) -> EnvironmentChoice:
    """Return the environment that the user chose, with the packages it lacks."""
    return EnvironmentChoice(
        reason=ChoiceReason.ASKED,
        environment=environment,
        compared=environment.name,
        missing=missing_packages(environment, requirements),
        unknown=tuple(name for name in requirements.unknown if name in environment.missing),
        imports=len(requirements.imports()),
    )


def missing_packages(environment: FoundEnvironment, requirements: Requirements) -> tuple[str, ...]:
    """Return the distributions a notebook needs that an environment lacks, by name."""
    lacking = set(environment.missing)
    return tuple(
        item.name
        for item in requirements.packages
        if not item.optional and lacking.intersection(item.imports)
    )
